// Streams of random messages: the messages read equal those written, and damaged streams are rejected.
#include "../check.h"
#include "message/stream.h"
#include "random_message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGES_IN_STREAM 40

struct written {
    struct arena *arena;
    struct text bytes;
    uint32_t count;
    struct {
        enum message_kind kind;
        const void *body;
    } at[MESSAGES_IN_STREAM];
};

static void write_random(struct written *written, uint64_t seed, uint32_t count) {
    struct random random = {seed};
    const void *last[MESSAGE_KINDS] = {0};
    *written = (struct written){.arena = arena_new()};
    struct message_writer *writer = message_writer_new(&written->bytes);
    for (uint32_t i = 0; i < count; i++) {
        enum message_kind kind = random_below(&random, 2)
                                     ? MESSAGE_FRONTIER
                                     : (enum message_kind)random_below(&random, MESSAGE_KINDS);
        void *body = arena_alloc(written->arena, message_layouts[kind]->size);
        random_struct(&random, written->arena, message_layouts[kind], last[kind], body);
        message_write(writer, kind, body);
        last[kind] = body;
        written->at[written->count].kind = kind;
        written->at[written->count++].body = body;
    }
    message_writer_end(writer);
}

static void written_free(struct written *written) {
    text_free(&written->bytes);
    arena_free(written->arena);
}

// Reads a whole stream; returns the number of messages, or UINT32_MAX if it was rejected.
static uint32_t read_all(const void *bytes, size_t size, const struct written *expected) {
    struct arena *arena = arena_new();
    struct message_reader *reader = message_reader_new(arena, bytes, size);
    struct message message;
    enum message_status status;
    uint32_t count = 0;
    while ((status = message_read(reader, &message)) == MESSAGE_READ) {
        if (expected) {
            assert_true(count < expected->count);
            assert_int_equal(message.kind, expected->at[count].kind);
            assert_true(layout_equal(message_layouts[message.kind], message.body, expected->at[count].body));
        }
        count++;
    }
    assert_int_equal(status == MESSAGE_REFUSED, message_problem(reader)[0] != 0);
    message_reader_free(reader);
    arena_free(arena);
    return status == MESSAGE_END ? count : UINT32_MAX;
}

static void round_trip(void **state) {
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct written written;
        write_random(&written, seed, MESSAGES_IN_STREAM);
        assert_int_equal(read_all(written.bytes.at, written.bytes.count, &written), written.count);
        written_free(&written);
    }
}

static void empty_stream(void **state) {
    struct written written;
    write_random(&written, 1, 0);
    assert_int_equal(read_all(written.bytes.at, written.bytes.count, &written), 0);
    written_free(&written);
}

static struct text encoded(enum message_kind kind, const void *body) {
    struct text bytes = {0};
    struct message_writer *writer = message_writer_new(&bytes);
    message_write(writer, kind, body);
    message_writer_end(writer);
    return bytes;
}

// Changes each field in turn, to detect one that the encoder, the decoder, the comparison or the copy omits.
static void every_field_counts_in(enum message_kind kind, struct random *random) {
    const struct layout *layout = message_layouts[kind];
    struct arena *arena = arena_new();
    void *body = arena_alloc(arena, layout->size), *copy = arena_alloc(arena, layout->size);
    random_struct(random, arena, layout, NULL, body);
    struct text before = encoded(kind, body);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        layout_copy(layout, arena, body, copy);
        assert_true(layout_equal(layout, body, copy));
        random_change(random, arena, layout, i, copy);
        struct text after = encoded(kind, copy);
        bool same = layout_equal(layout, body, copy) ||
                    (before.count == after.count && !memcmp(before.at, after.at, before.count));
        if (same) fail_msg("%s: %s makes no difference", layout->name, layout->fields[i].name);
        struct arena *other = arena_new();
        struct message_reader *reader = message_reader_new(other, after.at, after.count);
        struct message message;
        assert_int_equal(message_read(reader, &message), MESSAGE_READ);
        assert_true(layout_equal(layout, message.body, copy));
        message_reader_free(reader);
        arena_free(other);
        text_free(&after);
    }
    text_free(&before);
    arena_free(arena);
}

static void every_field_counts(void **state) {
    struct random random = {7};
    for (unsigned turn = 0; turn < 20; turn++)
        for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++)
            every_field_counts_in((enum message_kind)kind, &random);
}

// The fields of the table account for the whole size of the struct, so it has no other member.
static void check_members(const struct layout *layout) {
    uint32_t end = 0;
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct field *field = &layout->fields[i];
        uint32_t size = field->kind == FIELD_FLAG  ? sizeof(bool)
                        : field->kind == FIELD_ONE ? field->of->size
                        : field->kind <= FIELD_ENUM && field->kind != FIELD_LONG && field->kind != FIELD_REAL
                            ? sizeof(uint32_t)
                            : sizeof(uint64_t);
        assert_true(field->at >= end && field->at - end < 8);
        end = field->at + size;
        if (field->count_at) {
            assert_int_equal(field->count_at, end);
            end += sizeof(uint32_t);
        }
        if (field->of) check_members(field->of);
    }
    assert_true(layout->size >= end && layout->size - end < 8);
}

static void tables_are_whole(void **state) {
    for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++) check_members(message_layouts[kind]);
}

// Reads from a copy without spare bytes, so that a sanitizer reports reads past its end.
static uint32_t read_copy(const struct text *bytes, size_t size) {
    char *copy = malloc(size + !size);
    if (size) memcpy(copy, bytes->at, size);
    uint32_t count = read_all(copy, size, NULL);
    free(copy);
    return count;
}

static void every_byte_is_checked(void **state) {
    struct written written;
    write_random(&written, 3, 12);
    for (size_t i = 0; i < written.bytes.count; i++) {
        static const unsigned char flips[] = {1, 2, 0x10, 0x80, 0xff};
        for (unsigned k = 0; k < COUNT(flips); k++) {
            written.bytes.at[i] = (char)(written.bytes.at[i] ^ flips[k]);
            assert_int_equal(read_copy(&written.bytes, written.bytes.count), UINT32_MAX);
            written.bytes.at[i] = (char)(written.bytes.at[i] ^ flips[k]);
        }
    }
    for (size_t size = 0; size < written.bytes.count; size++)
        assert_int_equal(read_copy(&written.bytes, size), UINT32_MAX);
    text_add_bytes(&written.bytes, "", 1);
    assert_int_equal(read_copy(&written.bytes, written.bytes.count), UINT32_MAX);
    written_free(&written);
}

// Finds the start of each record of a stream.
static uint32_t record_starts(const struct text *bytes, size_t *starts) {
    uint32_t count = 0, size;
    for (size_t at = 24; at < bytes->count; at += 16 + size) {
        starts[count++] = at;
        memcpy(&size, bytes->at + at, sizeof size);
    }
    return count;
}

static void records_keep_their_order(void **state) {
    struct written written;
    size_t starts[MESSAGES_IN_STREAM + 2];
    write_random(&written, 5, 12);
    uint32_t count = record_starts(&written.bytes, starts);
    assert_int_equal(count, 13);
    starts[count] = written.bytes.count;
    for (uint32_t i = 0; i < count; i++) {
        struct text without = {0}, twice = {0};
        text_add_bytes(&without, written.bytes.at, starts[i]);
        text_add_bytes(&without, written.bytes.at + starts[i + 1], written.bytes.count - starts[i + 1]);
        assert_int_equal(read_copy(&without, without.count), UINT32_MAX);
        text_add_bytes(&twice, written.bytes.at, starts[i + 1]);
        text_add_bytes(&twice, written.bytes.at + starts[i], written.bytes.count - starts[i]);
        assert_int_equal(read_copy(&twice, twice.count), UINT32_MAX);
        text_free(&without);
        text_free(&twice);
    }
    written_free(&written);
}

static void problems_say_where(void **state) {
    struct written written;
    struct arena *arena = arena_new();
    struct message message;
    write_random(&written, 9, 3);
    size_t starts[8];
    record_starts(&written.bytes, starts);
    written.bytes.at[starts[1] + 17] ^= 4;
    struct message_reader *reader = message_reader_new(arena, written.bytes.at, written.bytes.count);
    assert_int_equal(message_read(reader, &message), MESSAGE_READ);
    assert_int_equal(message_read(reader, &message), MESSAGE_REFUSED);
    assert_int_equal(message_read(reader, &message), MESSAGE_REFUSED);
    char expected[100];
    snprintf(expected, sizeof expected, "record 2, at byte %zu: the checksum is wrong", starts[1]);
    assert_string_equal(message_problem(reader), expected);
    message_reader_free(reader);
    written.bytes.at[8] = 77;
    reader = message_reader_new(arena, written.bytes.at, written.bytes.count);
    assert_int_equal(message_read(reader, &message), MESSAGE_REFUSED);
    snprintf(expected, sizeof expected, "at byte 8: its version is 77, and this one reads %u",
             MESSAGE_VERSION);
    assert_string_equal(message_problem(reader), expected);
    message_reader_free(reader);
    arena_free(arena);
    written_free(&written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(empty_stream),
        cmocka_unit_test(every_field_counts),
        cmocka_unit_test(tables_are_whole),
        cmocka_unit_test(every_byte_is_checked),
        cmocka_unit_test(records_keep_their_order),
        cmocka_unit_test(problems_say_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
