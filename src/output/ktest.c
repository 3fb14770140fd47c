#include "output/ktest.h"

#include "base/arena.h"

#include <string.h>

#define VERSION 3

static void put_number(struct text *to, uint32_t value) {
    uint8_t bytes[] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    text_add_bytes(to, bytes, sizeof bytes);
}

static void put_counted(struct text *to, const void *bytes, size_t size) {
    put_number(to, (uint32_t)size);
    text_add_bytes(to, bytes, size);
}

void ktest_write(struct text *to, const struct ktest *test) {
    text_add_bytes(to, "KTEST", 5);
    put_number(to, VERSION);
    put_number(to, test->argument_count);
    for (uint32_t i = 0; i < test->argument_count; i++)
        put_counted(to, test->arguments[i], strlen(test->arguments[i]));
    put_number(to, test->symbolic_arguments);
    put_number(to, test->symbolic_argument_length);
    put_number(to, test->object_count);
    for (uint32_t i = 0; i < test->object_count; i++) {
        put_counted(to, test->objects[i].name, strlen(test->objects[i].name));
        put_counted(to, test->objects[i].bytes, test->objects[i].size);
    }
}

struct ktest_input {
    struct arena *arena;
    const uint8_t *at, *end;
    bool cut;
};

static uint32_t get_number(struct ktest_input *input) {
    if (input->end - input->at < 4) {
        input->cut = true;
        return 0;
    }
    const uint8_t *p = input->at;
    input->at += 4;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// Returns a copy, with a NUL after it.
static char *get_counted(struct ktest_input *input, uint32_t *size) {
    *size = get_number(input);
    if (input->cut || (size_t)(input->end - input->at) < *size) {
        input->cut = true;
        *size = 0;
    }
    char *copy = arena_alloc(input->arena, (size_t)*size + 1);
    memcpy(copy, input->at, *size);
    input->at += *size;
    return copy;
}

// Returns a count that fits the rest of the file: each item takes at least `least` bytes.
static uint32_t get_count(struct ktest_input *input, size_t least) {
    uint32_t count = get_number(input);
    if (count > (size_t)(input->end - input->at) / least) input->cut = true;
    return input->cut ? 0 : count;
}

const char *ktest_read(struct arena *arena, const void *bytes, size_t size, struct ktest *test) {
    struct ktest_input input = {arena, bytes, (const uint8_t *)bytes + size, false};
    uint32_t length;
    *test = (struct ktest){0};
    if (size < 5 || (memcmp(bytes, "KTEST", 5) != 0 && memcmp(bytes, "BOUT\n", 5) != 0))
        return "it does not have the header of a KLEE test";
    input.at += 5;
    uint32_t version = get_number(&input);
    if (!input.cut && (version < 1 || version > VERSION)) return "its version is not known";
    test->argument_count = get_count(&input, 4);
    const char **arguments = ARENA_ARRAY(arena, const char *, test->argument_count + 1);
    for (uint32_t i = 0; i < test->argument_count; i++) arguments[i] = get_counted(&input, &length);
    test->arguments = arguments;
    if (version >= 2) {
        test->symbolic_arguments = get_number(&input);
        test->symbolic_argument_length = get_number(&input);
    }
    test->object_count = get_count(&input, 8);
    struct ktest_object *objects = ARENA_ARRAY(arena, struct ktest_object, test->object_count + 1);
    for (uint32_t i = 0; i < test->object_count; i++) {
        objects[i].name = get_counted(&input, &length);
        objects[i].bytes = (uint8_t *)get_counted(&input, &objects[i].size);
    }
    test->objects = objects;
    if (input.cut) return "it is truncated";
    return input.at == input.end ? NULL : "it has extra bytes at its end";
}
