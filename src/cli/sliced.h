// `tamar run --slice`: inputs that are found in the sliced program, as seeds for the original, which alone is reported on.
#ifndef TAMAR_CLI_SLICED_H
#define TAMAR_CLI_SLICED_H

#include "cli/run_options.h"
#include "cli/seeds.h"

// Explores the sliced program (with `auto`, one after the other, as each mode slices it) and adds the inputs of its tests
// to the seeds. `watch` is told which exploration runs (NULL: none), so that it can be interrupted. `*left` becomes what is
// left of --max-time, 0: no limit. False: interrupted.
bool sliced_seeds(struct seeds *seeds, const struct text *bitcode, const struct run_options *options,
                  const struct surroundings *surroundings, const char *directory,
                  void (*watch)(struct explore *explore), double *left);

#endif
