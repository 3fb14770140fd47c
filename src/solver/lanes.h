// Evaluates terms for 256 assignments at once: all values of one byte, or combinations of values of a few bytes. The
// other inputs have the values of an evaluator's assignment. A tabulator (expr/eval.h) does this only for terms over
// one byte.
#ifndef TAMAR_LANES_H
#define TAMAR_LANES_H

#include "expr/eval.h"

struct lanes;
struct lanes *lanes_new(struct terms *terms);
void lanes_free(struct lanes *lanes);

// Starts on the byte `var`. The evaluator's assignment must not change until the next lanes_start. At most `budget`
// nodes will be computed.
void lanes_start(struct lanes *lanes, struct evaluator *evaluator, const struct assignment *assignment,
                 uint32_t var, uint32_t budget);
// The values of a few bytes in each lane.
#define LANE_BYTES 8
struct lane_bytes {
    unsigned count;
    uint32_t vars[LANE_BYTES];
    uint8_t values[LANE_BYTES][256];
};
// Like lanes_start, on several bytes; `bytes` must stay valid until the next start.
void lanes_start_bytes(struct lanes *lanes, struct evaluator *evaluator, const struct assignment *assignment,
                       const struct lane_bytes *bytes, uint32_t budget);
// The 256 values of t, valid until lanes_start. NULL: too wide, floating point, too deep, or beyond the budget.
const uint64_t *lanes_of(struct lanes *lanes, Term t);
// The rest of the budget.
uint32_t lanes_budget(const struct lanes *lanes);

// Computes `count` values of t, a bit-vector operation that reads no array, from those of its operands, all of at
// most 64 bits. False: another kind of operation.
bool lanes_apply(struct terms *terms, Term t, uint64_t *out, const uint64_t *const *arg, unsigned count);
// Reads elements of an array. False: the array is not a table of constants.
bool lanes_read_table(struct terms *terms, Term array, uint64_t *out, const uint64_t *index, unsigned count);

#endif
