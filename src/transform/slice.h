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

struct slice_how {
    unsigned mode;  // 1 to 5 (slice_graph.h)
    uint64_t steps; // for each function
    const char *
        only; // NULL: every function of the module; else those of the source files that this matches: a pattern
              // as the shell has it for the file's path or an end of it ("src/*")
};

void transform_slice(const struct text *bitcode, const struct slice_how *how, struct text *sliced,
                     struct slice_counts *counts);

#endif
