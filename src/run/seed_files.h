// Inputs to start from, read from a folder: tests of ours (.json, or folders of plain files), KLEE's (.ktest), and any
// other file as it is (AFL++ queues, libFuzzer corpora).
#ifndef TAMAR_RUN_SEED_FILES_H
#define TAMAR_RUN_SEED_FILES_H

#include "base/vec.h"
#include "message/test_case.h"
#include "run/program_inputs.h"

struct seeds {
    vec(struct test_case) at;
    struct arena *arena; // owns what they point to
};

// False: the folder cannot be used; an error has been reported. `folder` may be NULL: no seeds. A raw file is the input of a
// harness, else standard input, else the first symbolic file.
bool seed_files_read(struct seeds *seeds, const char *folder, const struct program_inputs *program_inputs,
                     const struct ir_program *program);
// The input that a raw file stands for: kind and name. False: no such input is symbolic.
bool seed_files_raw_input(const struct program_inputs *program_inputs, const struct ir_program *program,
                          struct test_input *raw);
void seed_files_free(struct seeds *seeds);

#endif
