// Tests on disk. NNNNNN.json is the whole of a test; NNNNNN/ holds the same as plain files (argv and env with
// a NUL after each word, stdin, files/..., objects/NAME), NNNNNN.ktest the same for KLEE's tools. The .json
// comes last: a test is there when it is.
#ifndef TAMAR_TESTS_H
#define TAMAR_TESTS_H

#include "message/finding.h"
#include "message/test_case.h"

struct arena;
struct ktest;
struct results;
struct text;

extern const char *const test_outcome_names[];

// Lines that no earlier test had covered.
struct new_lines {
    const char *file;
    const uint32_t *lines;
    uint32_t count;
};

// `finding` describes test->bug and is NULL without one.
bool test_write(struct results *results, const struct test_case *test, const struct finding *finding,
                const struct new_lines *covers, uint32_t covers_count);
void test_add_json(struct text *to, const struct test_case *test, const struct finding *finding,
                   const struct new_lines *covers, uint32_t covers_count);
// As KLEE would have written it, with the options that make the same inputs symbolic. Lives in the arena.
struct ktest test_as_ktest(struct arena *arena, const struct test_case *test);
// The plain files below an existing folder. False: errno says why.
bool test_write_files(const char *folder, const struct test_case *test);

// Reads NNNNNN.json. NULL, or what is wrong with it. `finding` is all zero when the test shows no bug.
const char *test_read(struct arena *arena, const char *path, struct test_case *test, struct finding *finding);
// The inputs of a .ktest: those of KLEE's own environment are recognised by their names.
void test_from_ktest(struct arena *arena, const struct ktest *ktest, struct test_case *test);

// A file name for anything that a program may call a file: folders stay, '%' and components that are dots are written
// as %XX. Files of objects: runtime/object_file.h.
void test_add_file_path(struct text *to, const char *path);

#endif
