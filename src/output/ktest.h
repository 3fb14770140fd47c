// KLEE's test files (.ktest): big-endian numbers, counted strings. Writes version 3, reads versions 1 to 3.
#ifndef TAMAR_KTEST_H
#define TAMAR_KTEST_H

#include "base/text.h"

struct arena;

struct ktest_object {
    const char *name;
    const uint8_t *bytes;
    uint32_t size;
};

struct ktest {
    const char *const *arguments; // the command line of the tested program, with KLEE's own options
    uint32_t argument_count;
    uint32_t symbolic_arguments, symbolic_argument_length;
    const struct ktest_object *objects;
    uint32_t object_count;
};

void ktest_write(struct text *to, const struct ktest *test);
// Parses a file; the test is allocated in the arena. Returns NULL, or the error.
const char *ktest_read(struct arena *arena, const void *bytes, size_t size, struct ktest *test);

#endif
