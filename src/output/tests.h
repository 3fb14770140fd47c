// Tests on disk. NNNNNN.json is the complete test. NNNNNN/ has the same as plain files: the inputs (argv and env with a
// NUL after each word, stdin, files/..., objects/NAME), and the program's output (stdout, stderr). NNNNNN.ktest is
// for KLEE's tools. The .json is written last: a test exists if its .json does. Its last field is a checksum of all
// bytes before it.
#ifndef TAMAR_TESTS_H
#define TAMAR_TESTS_H

#include "message/finding.h"
#include "message/test_case.h"

struct arena;
struct ktest;
struct results;
struct text;

extern const char *const test_outcome_names[];

// Lines that no earlier test has covered.
struct new_lines {
    const char *file;
    const uint32_t *lines;
    uint32_t count;
};

// Writes a test. `finding` describes test->bug; NULL without a bug.
bool test_write(struct results *results, const struct test_case *test, const struct finding *finding,
                const struct new_lines *covers, uint32_t covers_count);
// Whether NNNNNN/ and NNNNNN.ktest are as test_write makes them; test_write_copies makes them again.
bool test_has_copies(const struct results *results, const struct test_case *test);
bool test_write_copies(struct results *results, const struct test_case *test);
// The checksum in the content of NNNNNN.json. test_seal sets it after a change; test_is_sealed returns whether it is
// present and correct.
void test_seal(struct text *content);
bool test_is_sealed(const struct text *content);
// Returns the test as KLEE would write it, with options that make the same inputs symbolic. Allocated in the arena.
struct ktest test_as_ktest(struct arena *arena, const struct test_case *test);
// Writes the plain files into an existing folder. Returns false on failure, with errno.
bool test_write_files(const char *folder, const struct test_case *test);

// Reads NNNNNN.json. Returns NULL, or the error. `finding` is all zero if the test shows no bug.
const char *test_read(struct arena *arena, const char *path, struct test_case *test, struct finding *finding);
// Converts the inputs of a .ktest; inputs of KLEE's environment model are recognized by their names.
void test_from_ktest(struct arena *arena, const struct ktest *ktest, struct test_case *test);

// Appends a safe file name for any path that a program may use: folders are kept; '%' and components that consist of
// dots are written as %XX. For the file names of objects see runtime/object_file.h.
void test_add_file_path(struct text *to, const char *path);

#endif
