// The input that a fuzzer varies, and its conversion to a test and back. It is the input of a harness, standard input
// or a file, unchanged. With symbolic arguments it is packed: words that each end with a NUL, an empty word, then
// standard input.
#ifndef TAMAR_RUN_FUZZ_INPUT_H
#define TAMAR_RUN_FUZZ_INPUT_H

#include "message/test_case.h"
#include "run/program_inputs.h"

enum fuzz_kind { FUZZ_HARNESS, FUZZ_STDIN, FUZZ_FILE, FUZZ_WORDS };

struct fuzz_input {
    enum fuzz_kind kind;
    const char *file;     // FUZZ_FILE
    uint32_t least, most; // bytes
    bool has_stdin;       // FUZZ_WORDS: standard input follows the words
    uint32_t *word_sizes; // largest size of each symbolic argument
    uint32_t least_words, most_words;
};

// Selects the input. Returns false if a fuzzer can vary none of the symbolic inputs.
bool fuzz_input_find(struct fuzz_input *input, const struct program_inputs *program_inputs,
                     const struct ir_program *program);
void fuzz_input_free(struct fuzz_input *input);

// The native program's arguments after argv[0], NULL-terminated; symbolic ones that the fuzzer does not vary are empty.
struct fuzz_words {
    const char **at;
    uint32_t count, capacity;
};
void fuzz_input_add_arguments(const struct fuzz_input *input, const struct program_inputs *program_inputs,
                              struct fuzz_words *words);

// Adds the test's input in the form of the fuzzer. Returns false if the test has no such input, or an empty one.
bool fuzz_input_pack(const struct fuzz_input *input, const struct test_case *test, struct text *to);

struct fuzz_test {
    struct test_case test;
    struct test_input inputs[1];
    struct arena *arena;
};
// Makes a test of the fuzzer's bytes; `content` must outlive it.
void fuzz_input_unpack(const struct fuzz_input *input, const struct program_inputs *program_inputs,
                       const struct text *content, struct fuzz_test *test);
void fuzz_test_free(struct fuzz_test *test);

#endif
