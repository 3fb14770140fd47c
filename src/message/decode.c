#include "message/codec_int.h"

#include "base/arena.h"

#include <limits.h>
#include <string.h>

// One CBOR item: a number, or the head of an item with a size.
enum item_kind {
    ITEM_OTHER,
    ITEM_NUMBER,
    ITEM_NEGATIVE, // -1 - value
    ITEM_REAL,
    ITEM_BYTES,
    ITEM_ARRAY,
    ITEM_TAG,
    ITEM_NULL,
};

struct item {
    enum item_kind kind;
    uint64_t value; // the number, or the size
    double real;
    const unsigned char *bytes;
};

static void set(void *context, enum item_kind kind, uint64_t value) {
    struct item *item = context;
    item->kind = kind;
    item->value = value;
}

static void on_uint8(void *context, uint8_t value) { set(context, ITEM_NUMBER, value); }
static void on_uint16(void *context, uint16_t value) { set(context, ITEM_NUMBER, value); }
static void on_uint32(void *context, uint32_t value) { set(context, ITEM_NUMBER, value); }
static void on_uint64(void *context, uint64_t value) { set(context, ITEM_NUMBER, value); }
static void on_negative8(void *context, uint8_t value) { set(context, ITEM_NEGATIVE, value); }
static void on_negative16(void *context, uint16_t value) { set(context, ITEM_NEGATIVE, value); }
static void on_negative32(void *context, uint32_t value) { set(context, ITEM_NEGATIVE, value); }
static void on_array(void *context, size_t count) { set(context, ITEM_ARRAY, count); }
static void on_tag(void *context, uint64_t tag) { set(context, ITEM_TAG, tag); }
static void on_null(void *context) { set(context, ITEM_NULL, 0); }
static void on_real(void *context, double value) {
    set(context, ITEM_REAL, 0);
    ((struct item *)context)->real = value;
}
static void on_bytes(void *context, cbor_data bytes, size_t size) {
    set(context, ITEM_BYTES, size);
    ((struct item *)context)->bytes = bytes;
}

struct cbor_callbacks decode_callbacks(void) {
    struct cbor_callbacks callbacks = cbor_empty_callbacks;
    callbacks.uint8 = on_uint8;
    callbacks.uint16 = on_uint16;
    callbacks.uint32 = on_uint32;
    callbacks.uint64 = on_uint64;
    callbacks.negint8 = on_negative8;
    callbacks.negint16 = on_negative16;
    callbacks.negint32 = on_negative32;
    callbacks.array_start = on_array;
    callbacks.tag = on_tag;
    callbacks.null = on_null;
    callbacks.float8 = on_real;
    callbacks.byte_string = on_bytes;
    return callbacks;
}

// ---- items

static bool refuse(struct source *source, const char *problem) {
    if (!source->problem) source->problem = problem;
    return false;
}

static struct item next_item(struct source *source) {
    struct item item = {0};
    if (source->problem) return item;
    struct cbor_decoder_result result =
        cbor_stream_decode(source->at, (size_t)(source->end - source->at), source->callbacks, &item);
    if (result.status != CBOR_DECODER_FINISHED) {
        refuse(source, "it ends within a value, or is not CBOR");
        return (struct item){0};
    }
    source->at += result.read;
    return item;
}

static bool next(struct source *source, enum item_kind kind, struct item *item) {
    *item = next_item(source);
    return item->kind == kind || refuse(source, "a value has another type than its field");
}

static bool next_number(struct source *source, uint64_t most, uint64_t *value) {
    struct item item;
    if (!next(source, ITEM_NUMBER, &item)) return false;
    *value = item.value;
    return item.value <= most || refuse(source, "a number is too large for its field");
}

// Reads the head of an array. Its count is checked against the bytes left (an item takes at least one), so that memory
// use is bounded by the size of the input.
static bool next_array(struct source *source, uint32_t *count) {
    struct item item;
    if (!next(source, ITEM_ARRAY, &item)) return false;
    *count = (uint32_t)item.value;
    return item.value <= (uint64_t)(source->end - source->at) || refuse(source, "it ends within an array");
}

// ---- fields

static bool take_integer(struct source *source, int *value) {
    struct item item = next_item(source);
    bool good = (item.kind == ITEM_NUMBER || item.kind == ITEM_NEGATIVE) && item.value <= INT_MAX;
    *value = item.kind == ITEM_NEGATIVE ? (int)(-1 - (int64_t)item.value) : (int)item.value;
    return good || refuse(source, "a value has another type than its field");
}

static bool take_text(struct source *source, const char **text) {
    struct item item = next_item(source);
    *text = NULL;
    if (item.kind == ITEM_NULL) return true;
    if (item.kind != ITEM_BYTES) return refuse(source, "a value has another type than its field");
    if (memchr(item.bytes, 0, item.value)) return refuse(source, "a text has a NUL in it");
    char *copy = arena_alloc(source->arena, item.value + 1);
    memcpy(copy, item.bytes, item.value);
    *text = copy;
    return true;
}

static bool take_bytes(struct source *source, const void **bytes, uint32_t *size) {
    struct item item;
    if (!next(source, ITEM_BYTES, &item)) return false;
    char *copy = arena_alloc(source->arena, item.value + 1);
    memcpy(copy, item.bytes, item.value);
    *bytes = copy;
    *size = (uint32_t)item.value;
    return true;
}

// Decodes numbers and appends them to the first `known` numbers of `before`. `gaps`: as for put_numbers.
static bool take_numbers(struct source *source, const uint32_t *before, uint32_t known, bool gaps,
                         const void **items, uint32_t *count) {
    struct item head = next_item(source), bytes = {0};
    bool small = head.kind == ITEM_TAG && head.value == 64;
    if (small && !next(source, ITEM_BYTES, &bytes)) return false;
    if (!small && head.kind != ITEM_ARRAY) return refuse(source, "a value has another type than its field");
    uint64_t more = small ? bytes.value : head.value;
    if (!small && more > (uint64_t)(source->end - source->at))
        return refuse(source, "it ends within an array");
    if (known + more > UINT32_MAX) return refuse(source, "it has too many numbers");
    *items = before;
    *count = known;
    if (known && !more) return true; // nothing to append: the items are those of `before`
    uint32_t *numbers = ARENA_ARRAY(source->arena, uint32_t, known + more);
    if (known) memcpy(numbers, before, known * sizeof *numbers);
    uint64_t number = 0, last = 0;
    for (uint64_t i = 0; i < more; i++, last = number) {
        if (small)
            number = bytes.bytes[i];
        else if (!next_number(source, UINT32_MAX, &number))
            return false;
        if (gaps && i && !number) return refuse(source, "a set does not ascend");
        number += gaps ? last : 0;
        if (number > UINT32_MAX) return refuse(source, "a number is too large for its field");
        numbers[known + i] = (uint32_t)number;
    }
    *items = numbers;
    *count = (uint32_t)(known + more);
    return true;
}

static bool take_texts(struct source *source, const void **items, uint32_t *count) {
    if (!next_array(source, count)) return false;
    const char **texts = ARENA_ARRAY(source->arena, const char *, *count + 1);
    *items = texts;
    for (uint32_t i = 0; i < *count; i++)
        if (!take_text(source, &texts[i])) return false;
    return true;
}

// Decodes structs and appends them to the first `known` structs of `before`.
static bool take_structs(struct source *source, const struct layout *layout, const void *before,
                         uint32_t known, const void **items, uint32_t *count) {
    uint32_t more;
    if (!next_array(source, &more)) return false;
    *items = before;
    *count = known;
    if (known && !more) return true;
    char *structs = arena_alloc(source->arena, ((size_t)known + more) * layout->size);
    if (known) memcpy(structs, before, (size_t)known * layout->size);
    for (uint32_t i = 0; i < more; i++)
        if (!decode_struct(source, layout, structs + ((size_t)known + i) * layout->size, NULL)) return false;
    *items = structs;
    *count = known + more;
    return true;
}

// ---- shared fields

static bool take_common(struct source *source, const struct shared *shared, uint32_t *known) {
    uint64_t same;
    if (!next_number(source, UINT32_MAX, &same)) return false;
    *known = (uint32_t)same;
    return same <= shared->count || refuse(source, "it shares more than the message before it has");
}

// Decodes one run of bytes that differ, `gap` bytes after `at`.
static bool take_run(struct source *source, uint64_t gap, uint8_t *bytes, uint64_t size, uint64_t *at,
                     uint64_t *known) {
    struct item run;
    if (!next(source, ITEM_BYTES, &run)) return false;
    bool fits = gap <= size - *at && run.value && run.value <= size - *at - gap && *at + gap <= *known;
    if (!fits) return refuse(source, "a run of bytes lies outside of them");
    memcpy(bytes + *at + gap, run.bytes, run.value);
    *at += gap + run.value;
    *known = MAX(*known, *at);
    return true;
}

static bool take_shared_bytes(struct source *source, const struct shared *shared, const void **items,
                              uint32_t *count) {
    uint64_t size, at = 0;
    if (!next_number(source, UINT32_MAX, &size)) return false;
    if (size > shared->count + (uint64_t)(source->end - source->at))
        return refuse(source, "it ends within its bytes");
    struct item item = next_item(source);
    *items = shared->items;
    *count = (uint32_t)size;
    if (item.kind == ITEM_NULL && size && size == shared->count) return true; // none differs
    uint8_t *bytes = arena_alloc(source->arena, size + 1);
    uint64_t known = MIN(size, shared->count);
    if (known) memcpy(bytes, shared->items, known);
    *items = bytes;
    for (; item.kind != ITEM_NULL; item = next_item(source)) {
        if (item.kind != ITEM_NUMBER) return refuse(source, "a value has another type than its field");
        if (!take_run(source, item.value, bytes, size, &at, &known)) return false;
    }
    return known == size || refuse(source, "bytes are missing");
}

static bool take_shared(struct source *source, const struct field *field, struct shared *shared,
                        const void **items, uint32_t *count) {
    uint32_t known = 0;
    bool good;
    if (field->kind == FIELD_SHARED_BYTES)
        good = take_shared_bytes(source, shared, items, count);
    else if (!take_common(source, shared, &known))
        return false;
    else if (field->kind == FIELD_SHARED_NUMBERS)
        good = take_numbers(source, shared->items, known, false, items, count);
    else
        good = take_structs(source, field->of, shared->items, known, items, count);
    if (good) shared->items = *items, shared->count = *count;
    return good;
}

// ---- structs

static bool take_items(struct source *source, const struct field *field, void *value,
                       struct shared **shared) {
    const void **items = (const void **)((char *)value + field->at);
    uint32_t *count = (uint32_t *)((char *)value + field->count_at);
    switch (field->kind) {
    case FIELD_BYTES: return take_bytes(source, items, count);
    case FIELD_NUMBERS: return take_numbers(source, NULL, 0, false, items, count);
    case FIELD_SET: return take_numbers(source, NULL, 0, true, items, count);
    case FIELD_TEXTS: return take_texts(source, items, count);
    case FIELD_MANY: return take_structs(source, field->of, NULL, 0, items, count);
    default: return take_shared(source, field, (*shared)++, items, count);
    }
}

static bool take_field(struct source *source, const struct field *field, void *value,
                       struct shared **shared) {
    void *at = (char *)value + field->at;
    struct item item;
    uint64_t number = 0;
    bool good;
    switch (field->kind) {
    case FIELD_FLAG:
        good = next_number(source, 1, &number);
        *(bool *)at = number == 1;
        return good;
    case FIELD_NUMBER:
        good = next_number(source, UINT32_MAX, &number);
        *(uint32_t *)at = (uint32_t)number;
        return good;
    case FIELD_ENUM:
        good = next_number(source, field->values - 1, &number);
        *(unsigned *)at = (unsigned)number;
        return good;
    case FIELD_LONG: return next_number(source, UINT64_MAX, at);
    case FIELD_INTEGER: return take_integer(source, at);
    case FIELD_REAL:
        good = next(source, ITEM_REAL, &item);
        *(double *)at = item.real;
        return good;
    case FIELD_TEXT: return take_text(source, at);
    case FIELD_ONE: return decode_struct(source, field->of, at, NULL);
    default: return take_items(source, field, value, shared);
    }
}

bool decode_struct(struct source *source, const struct layout *layout, void *value, struct shared *shared) {
    struct shared *following = shared;
    struct item head;
    if (!next(source, ITEM_ARRAY, &head)) return false;
    if (head.value != layout->field_count) return refuse(source, "it has another number of fields");
    for (uint32_t i = 0; i < layout->field_count; i++)
        if (!take_field(source, &layout->fields[i], value, &following)) return false;
    assert(following - shared <= MOST_SHARED);
    return true;
}
