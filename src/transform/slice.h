// The slicer makes a program with fewer or shorter paths, so that inputs that reach its parts are cheaper to find. The
// sliced program behaves differently. Function signatures and entry blocks stay unchanged, so that its inputs can be
// given to the original.
#ifndef TAMAR_TRANSFORM_SLICE_H
#define TAMAR_TRANSFORM_SLICE_H

#include "base/text.h"

struct slice_counts {
    uint32_t functions, changed, edges, cut;
    uint32_t out_of_steps; // number of functions in which not all paths were examined
};

struct slice_how {
    unsigned mode;  // 1 to 5 (slice_graph.h)
    uint64_t steps; // limit of steps for each function
    // Shell pattern for the source files whose functions are sliced: it must match the path, or a suffix of it after a
    // slash ("src/*"). NULL: every function of the module.
    const char *only;
};

void transform_slice(const struct text *bitcode, const struct slice_how *how, struct text *sliced,
                     struct slice_counts *counts);

#endif
