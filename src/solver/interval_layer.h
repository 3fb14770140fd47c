// What ranges say of the inputs of a query, for those who look for values of them.
#ifndef TAMAR_SOLVER_INTERVAL_LAYER_H
#define TAMAR_SOLVER_INTERVAL_LAYER_H

#include "solver/interval.h"
#include "solver/solver_int.h"

#define RANGE_BYTES 16u

// Input bytes that are taken together as a number, and what it can be: places of floats, or signed integers.
struct input_range {
    unsigned count;
    uint32_t positions[RANGE_BYTES]; // in the query, lowest first
    fp_format format;                // 0: an integer
    __int128 low, high;
};

// Up to `most` of them, their number. None when the query has no model.
unsigned query_input_ranges(struct query *query, struct input_range *ranges, unsigned most);

#endif
