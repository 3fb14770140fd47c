// The decoder without checksums: a damaged encoding is rejected or decoded to another value, and no byte outside of it
// is accessed.
#include "../check.h"
#include "base/arena.h"
#include "message/codec_int.h"
#include "random_message.h"

#include <stdlib.h>
#include <string.h>

static bool decode(const struct text *bytes, size_t size, const struct layout *layout,
                   const struct shared *before, struct arena *arena, void *value) {
    unsigned char *copy = malloc(size + !size); // ends where the encoding does
    struct cbor_callbacks callbacks = decode_callbacks();
    struct shared shared[MOST_SHARED];
    memcpy(shared, before, sizeof shared);
    if (size) memcpy(copy, bytes->at, size);
    struct source source = {.at = copy, .end = copy + size, .arena = arena, .callbacks = &callbacks};
    bool good = decode_struct(&source, layout, value, shared);
    assert_int_equal(good, !source.problem);
    bool whole = source.at == source.end;
    free(copy);
    return good && whole;
}

// Encodes a decoded message again: the encoding must decode to the same message.
static void check_again(const struct layout *layout, const void *value) {
    static const struct shared none[MOST_SHARED];
    struct shared shared[MOST_SHARED] = {0};
    struct text bytes = {0};
    struct arena *arena = arena_new();
    void *again = arena_alloc(arena, layout->size);
    encode_struct(&bytes, layout, value, shared);
    assert_true(decode(&bytes, bytes.count, layout, none, arena, again));
    assert_true(layout_equal(layout, value, again));
    message_shared_free(shared);
    text_free(&bytes);
    arena_free(arena);
}

static void damage(struct random *random, const struct layout *layout, struct arena *arena) {
    struct shared writer[MOST_SHARED] = {0}, reader[MOST_SHARED] = {0};
    void *first = arena_alloc(arena, layout->size), *second = arena_alloc(arena, layout->size);
    struct text bytes = {0};
    random_struct(random, arena, layout, NULL, first);
    random_struct(random, arena, layout, first, second);
    encode_struct(&bytes, layout, first, writer);
    struct cbor_callbacks callbacks = decode_callbacks();
    struct source source = {(unsigned char *)bytes.at, (unsigned char *)bytes.at + bytes.count, arena,
                            &callbacks, NULL};
    assert_true(decode_struct(&source, layout, arena_alloc(arena, layout->size), reader));
    text_clear(&bytes);
    encode_struct(&bytes, layout, second, writer);
    void *value = arena_alloc(arena, layout->size);
    assert_true(decode(&bytes, bytes.count, layout, reader, arena, value));
    assert_true(layout_equal(layout, second, value));
    for (size_t size = 0; size < bytes.count; size++)
        assert_false(decode(&bytes, size, layout, reader, arena, value));
    for (size_t i = 0; i < bytes.count; i++) {
        char kept = bytes.at[i];
        bytes.at[i] = (char)random_next(random);
        if (decode(&bytes, bytes.count, layout, reader, arena, value)) check_again(layout, value);
        bytes.at[i] = kept;
    }
    text_free(&bytes);
    message_shared_free(writer);
}

static void damaged_encodings(void **state) {
    struct random random = {11};
    for (unsigned turn = 0; turn < 60; turn++)
        for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++) {
            struct arena *arena = arena_new();
            damage(&random, message_layouts[kind], arena);
            arena_free(arena);
        }
}

// Encodings that announce more items or bytes than follow.
static void claims(void **state) {
    static const struct shared none[MOST_SHARED];
    static const char *const heads[] = {
        "\x9a\xff\xff\xff\xff",                     // an array of 2^32 - 1 items
        "\x9b\xff\xff\xff\xff\xff\xff\xff\xff",     // an array of 2^64 - 1 items
        "\x81\x5b\xff\xff\xff\xff\xff\xff\xff\xf0", // a string of nearly 2^64 bytes
        "\x81\x9b\x7f\xff\xff\xff\xff\xff\xff\xff",
        "\x81\xd8\x40\x5a\xff\xff\xff\xff",
        "\x9f\x5f",
        "\x81\x9f",
    };
    static const struct field fields[] = {
        {"numbers", FIELD_NUMBERS, 0, 8, 0, NULL}, {"set", FIELD_SET, 0, 8, 0, NULL},
        {"texts", FIELD_TEXTS, 0, 8, 0, NULL},     {"bytes", FIELD_BYTES, 0, 8, 0, NULL},
        {"text", FIELD_TEXT, 0, 0, 0, NULL},       {"many", FIELD_MANY, 0, 8, 0, &layout_frontier_input},
    };
    struct arena *arena = arena_new();
    for (unsigned i = 0; i < COUNT(heads); i++)
        for (unsigned k = 0; k < COUNT(fields); k++) {
            struct layout layout = {"claim", 16, &fields[k], 1};
            char value[16] = {0};
            struct text bytes = {0};
            text_add_bytes(&bytes, heads[i], strlen(heads[i]));
            assert_false(decode(&bytes, bytes.count, &layout, none, arena, value));
            text_free(&bytes);
        }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_encodings), cmocka_unit_test(claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
