// Exchanges inputs with a running AFL++. Its output folder has a folder for each instance, with the inputs in queue/
// as id:NNNNNN... files. Tamar takes part as one more instance, named tamar.
#ifndef TAMAR_RUN_AFL_SYNC_H
#define TAMAR_RUN_AFL_SYNC_H

#include "explore/explore.h"
#include "run/program_inputs.h"

struct afl_sync;

// Opens the folder as one more instance. Returns NULL if the folder cannot be used, or if a fuzzer can vary none of
// the symbolic inputs; an error has been reported.
struct afl_sync *afl_sync_open(const char *folder, const struct program_inputs *program_inputs,
                               const struct ir_program *program);
// Adds the inputs that other instances have found since the last call as seeds. Most calls do nothing.
void afl_sync_take(struct afl_sync *sync, struct explore *explore);
// Adds a test that covers something new to Tamar's queue.
void afl_sync_give(struct afl_sync *sync, const struct test_case *test);
void afl_sync_free(struct afl_sync *sync);

#endif
