// Reads the inputs to start from: tests of Tamar (.json, or folders of plain files), of KLEE (.ktest), and any other
// file as raw input (AFL++ queues, libFuzzer corpora).
#ifndef TAMAR_RUN_SEED_FILES_H
#define TAMAR_RUN_SEED_FILES_H

#include "base/vec.h"
#include "message/test_case.h"
#include "run/program_inputs.h"

struct seeds {
    vec(struct test_case) at;
    struct arena *arena; // owns the data of the seeds
};

// Reads the seeds of the folder; without a folder there are none. A raw file is the input of a harness, else standard
// input, else the first symbolic file. Returns false if the folder cannot be used; an error has been reported.
bool seed_files_read(struct seeds *seeds, const char *folder, const struct program_inputs *program_inputs,
                     const struct ir_program *program);
// Sets kind and name of the input that a raw file stands for. Returns false if no such input is symbolic.
bool seed_files_raw_input(const struct program_inputs *program_inputs, const struct ir_program *program,
                          struct test_input *raw);
void seed_files_free(struct seeds *seeds);

#endif
