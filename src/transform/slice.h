// The slicer: a program whose paths are fewer or shorter, so that inputs that reach its parts are cheaper to find.
// It does something else than the original; its signatures and entry blocks are kept, so that the inputs found can be
// given to the original.
#ifndef TAMAR_TRANSFORM_SLICE_H
#define TAMAR_TRANSFORM_SLICE_H

#include "base/text.h"

struct slice_counts {
    uint32_t functions, changed, edges, cut;
    uint32_t out_of_steps; // functions in which not all paths were looked at
};

// Mode 1 to 5 (slice_graph.h), every function of the module. `steps`: for each function.
void transform_slice(const struct text *bitcode, unsigned mode, uint64_t steps, struct text *sliced,
                     struct slice_counts *counts);

#endif
