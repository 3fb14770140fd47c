// `tamar run --slice`: every input found in the sliced program is run concretely on the original program. An input that
// covers new code or shows a new bug there becomes a seed for the original. Only results of the original are reported.
#ifndef TAMAR_RUN_SLICED_H
#define TAMAR_RUN_SLICED_H

#include "output/summary.h"
#include "run/run_options.h"
#include "run/seed_files.h"

struct sliced {
    struct seeds *seeds; // receives the inputs from which the original is explored
    const struct ir_program *original;
    uint32_t jobs; // worker processes; 0: this process explores itself
    // Results.
    struct summary_slice slices[5];
    uint32_t count;
    double left; // remaining seconds of --max-time, 0: no limit
};

// Explores the sliced program; with `auto`, the sliced programs of all modes, one after the other. Returns false if an
// error has been reported.
bool sliced_explore(struct sliced *sliced, const struct text *bitcode, const struct run_options *options,
                    const struct program_inputs *program_inputs, const char *directory);

#endif
