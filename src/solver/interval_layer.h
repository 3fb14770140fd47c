// Ranges of the inputs of a query, for the layers that search for values.
#ifndef TAMAR_SOLVER_INTERVAL_LAYER_H
#define TAMAR_SOLVER_INTERVAL_LAYER_H

#include "solver/interval.h"
#include "solver/solver_int.h"

#define RANGE_BYTES 16u

// A number made of some input bytes, and its range: ranks of floats (float_range.h), or signed integers.
struct input_range {
    unsigned count;
    uint32_t positions[RANGE_BYTES]; // positions in the query, lowest byte first
    fp_format format;                // 0: an integer
    __int128 low, high;
};

// Finds up to `most` ranges and returns their number; 0 also when the query has no model.
unsigned query_input_ranges(struct query *query, struct input_range *ranges, unsigned most);

#endif
