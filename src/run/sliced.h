// `tamar run --slice`: inputs that are found in the sliced program, as seeds for the original, which alone is reported on.
#ifndef TAMAR_RUN_SLICED_H
#define TAMAR_RUN_SLICED_H

#include "output/summary.h"
#include "run/run_options.h"
#include "run/seed_files.h"

struct sliced {
    struct seeds *seeds; // get the inputs of the sliced programs' tests
    // Results.
    struct summary_slice slices[5];
    uint32_t count;
    double left; // of --max-time, 0: no limit
};

// Explores the sliced program; with `auto`, one after the other, as each mode slices it. False: an error has been reported.
bool sliced_explore(struct sliced *sliced, const struct text *bitcode, const struct run_options *options,
                    const struct program_inputs *program_inputs, const char *directory);

#endif
