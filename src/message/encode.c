#include "message/codec_int.h"

#include <string.h>

#define LONGEST_HEAD 9 // bytes of a number or of the head of an array, a string or a tag
#define MOST_JOINED  3 // runs separated by at most this many equal bytes are encoded as one, which is shorter

typedef size_t encoder(uint64_t value, unsigned char *to, size_t size);

static size_t encode_array(uint64_t count, unsigned char *to, size_t size) {
    return cbor_encode_array_start((size_t)count, to, size);
}
static size_t encode_bytes(uint64_t count, unsigned char *to, size_t size) {
    return cbor_encode_bytestring_start((size_t)count, to, size);
}

static void put(struct text *to, encoder *encode, uint64_t value) {
    size_t size = encode(value, (unsigned char *)text_room(to, LONGEST_HEAD), LONGEST_HEAD);
    assert(size);
    to->count += size;
}

static void put_bytes(struct text *to, const void *bytes, size_t size) {
    put(to, encode_bytes, size);
    text_add_bytes(to, bytes, size);
}

static void put_null(struct text *to) {
    to->count += cbor_encode_null((unsigned char *)text_room(to, LONGEST_HEAD), LONGEST_HEAD);
}

static void put_text(struct text *to, const char *text) {
    if (text)
        put_bytes(to, text, strlen(text));
    else
        put_null(to);
}

static void put_real(struct text *to, double value) {
    to->count += cbor_encode_double(value, (unsigned char *)text_room(to, LONGEST_HEAD), LONGEST_HEAD);
}

static void put_integer(struct text *to, int value) {
    if (value < 0)
        put(to, cbor_encode_negint, (uint64_t)(-1 - (int64_t)value));
    else
        put(to, cbor_encode_uint, (uint64_t)value);
}

static void put_small_numbers(struct text *to, const uint32_t *numbers, uint32_t count, bool gaps) {
    put(to, cbor_encode_tag, 64);
    put(to, encode_bytes, count);
    char *bytes = text_room(to, count);
    for (uint32_t i = 0; i < count; i++) bytes[i] = (char)(numbers[i] - (gaps && i ? numbers[i - 1] : 0));
    to->count += count;
}

// Encodes numbers. `gaps`: encodes the differences between successive numbers instead.
static void put_numbers(struct text *to, const uint32_t *numbers, uint32_t count, bool gaps) {
    uint32_t all = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert(!gaps || !i || numbers[i] > numbers[i - 1]);
        all |= numbers[i] - (gaps && i ? numbers[i - 1] : 0);
    }
    if (all < 256) {
        put_small_numbers(to, numbers, count, gaps);
        return;
    }
    put(to, encode_array, count);
    for (uint32_t i = 0; i < count; i++)
        put(to, cbor_encode_uint, numbers[i] - (gaps && i ? numbers[i - 1] : 0));
}

// ---- shared fields

#define STRIDE 64u // numbers compared by one memcmp

static uint32_t common_numbers(const uint32_t *a, const uint32_t *b, uint32_t most) {
    uint32_t same = 0;
    while (most - same >= STRIDE && !memcmp(a + same, b + same, STRIDE * sizeof *a)) same += STRIDE;
    while (same < most && a[same] == b[same]) same++;
    return same;
}

static void put_shared_numbers(struct text *to, const uint32_t *numbers, uint32_t count,
                               struct shared *shared) {
    const uint32_t *before = (const uint32_t *)shared->bytes.at;
    uint32_t same =
        common_numbers(numbers, before, MIN(count, (uint32_t)(shared->bytes.count / sizeof *before)));
    const uint32_t *fresh = same ? numbers + same : numbers; // NULL if there are none
    put(to, cbor_encode_uint, same);
    put_numbers(to, fresh, count - same, false);
    shared->bytes.count = same * sizeof *before;
    text_add_bytes(&shared->bytes, fresh, (count - same) * sizeof *before);
}

// Returns the end of the run of different bytes that begins here.
static uint32_t run_end(const uint8_t *bytes, const uint8_t *before, uint32_t at, uint32_t both,
                        uint32_t size) {
    uint32_t end = at;
    for (; at < both && at - end <= MOST_JOINED; at++)
        if (bytes[at] != before[at]) end = at + 1;
    return at == both && at - end <= MOST_JOINED && size > both ? size : end;
}

// The first position at or after `at` where the bytes differ, or `both`.
static uint32_t first_difference(const uint8_t *bytes, const uint8_t *before, uint32_t at, uint32_t both) {
    enum { BLOCK = 256 }; // memcmp is many times faster than a loop over bytes
    while (both - at >= BLOCK && !memcmp(bytes + at, before + at, BLOCK)) at += BLOCK;
    while (at < both && bytes[at] == before[at]) at++;
    return at;
}

static void put_shared_bytes(struct text *to, const uint8_t *bytes, uint32_t size, struct shared *shared) {
    uint8_t *before = (uint8_t *)shared->bytes.at; // becomes equal to `bytes`
    uint32_t both = MIN(size, (uint32_t)shared->bytes.count), last = 0;
    put(to, cbor_encode_uint, size);
    for (uint32_t at = 0; at < size;) {
        if (at < both) at = first_difference(bytes, before, at, both);
        if (at == size) break;
        uint32_t end = run_end(bytes, before, at, both, size);
        put(to, cbor_encode_uint, at - last);
        put_bytes(to, bytes + at, end - at);
        if (at < both) memcpy(before + at, bytes + at, MIN(end, both) - at);
        at = last = end;
    }
    put_null(to);
    shared->bytes.count = both;
    text_add_bytes(&shared->bytes, bytes + both, size - both);
}

static void put_shared_structs(struct text *to, const struct layout *layout, const void *items,
                               uint32_t count, struct shared *shared) {
    struct text all = shared->spare; // encodings of this message; the previous message's become the spare
    uint32_t same = 0, start = 0, rest = 0;
    text_clear(&all);
    for (uint32_t i = 0; i < count; i++) {
        encode_struct(&all, layout, (const char *)items + (size_t)i * layout->size, NULL);
        uint32_t end = (uint32_t)all.count;
        bool equal = same == i && i < shared->ends.count && shared->ends.at[i] == end &&
                     !memcmp(all.at + start, shared->bytes.at + start, end - start);
        if (equal) same = i + 1, rest = end;
        if (i == shared->ends.count) vec_push(&shared->ends, end);
        shared->ends.at[i] = start = end;
    }
    put(to, cbor_encode_uint, same);
    put(to, encode_array, count - same);
    text_add_bytes(to, all.at ? all.at + rest : "", all.count - rest);
    shared->ends.count = count;
    shared->spare = shared->bytes;
    shared->bytes = all;
}

void message_shared_free(struct shared *shared) {
    for (unsigned i = 0; i < MOST_SHARED; i++) {
        text_free(&shared[i].bytes);
        text_free(&shared[i].spare);
        vec_free(&shared[i].ends);
    }
}

// ---- structs

static void put_items(struct text *to, const struct field *field, const void *value) {
    const void *items = field_items(field, value);
    uint32_t count = field_count(field, value);
    switch (field->kind) {
    case FIELD_BYTES: put_bytes(to, items, count); break;
    case FIELD_NUMBERS: put_numbers(to, items, count, false); break;
    case FIELD_SET: put_numbers(to, items, count, true); break;
    case FIELD_TEXTS:
        put(to, encode_array, count);
        for (uint32_t i = 0; i < count; i++) put_text(to, ((const char *const *)items)[i]);
        break;
    default:
        assert(field->kind == FIELD_MANY);
        put(to, encode_array, count);
        for (uint32_t i = 0; i < count; i++)
            encode_struct(to, field->of, (const char *)items + (size_t)i * field->of->size, NULL);
    }
}

static void put_field(struct text *to, const struct field *field, const void *value, struct shared **shared) {
    const void *at = field_value(field, value);
    switch (field->kind) {
    case FIELD_FLAG: put(to, cbor_encode_uint, *(const bool *)at); break;
    case FIELD_NUMBER: put(to, cbor_encode_uint, *(const uint32_t *)at); break;
    case FIELD_LONG: put(to, cbor_encode_uint, *(const uint64_t *)at); break;
    case FIELD_INTEGER: put_integer(to, *(const int *)at); break;
    case FIELD_REAL: put_real(to, *(const double *)at); break;
    case FIELD_ENUM:
        assert(*(const unsigned *)at < field->values);
        put(to, cbor_encode_uint, *(const unsigned *)at);
        break;
    case FIELD_TEXT: put_text(to, *(const char *const *)at); break;
    case FIELD_ONE: encode_struct(to, field->of, at, NULL); break;
    case FIELD_SHARED_NUMBERS:
        put_shared_numbers(to, field_items(field, value), field_count(field, value), (*shared)++);
        break;
    case FIELD_SHARED_BYTES:
        put_shared_bytes(to, field_items(field, value), field_count(field, value), (*shared)++);
        break;
    case FIELD_SHARED_MANY:
        put_shared_structs(to, field->of, field_items(field, value), field_count(field, value), (*shared)++);
        break;
    default: put_items(to, field, value);
    }
}

void encode_struct(struct text *to, const struct layout *layout, const void *value, struct shared *shared) {
    struct shared *next = shared;
    put(to, encode_array, layout->field_count);
    for (uint32_t i = 0; i < layout->field_count; i++) put_field(to, &layout->fields[i], value, &next);
    assert(next - shared <= MOST_SHARED);
}
