// Conditions compiled to a flat program over their input bytes: every node once, operands before users, values in one
// array. Running the program costs a few nanoseconds per node. After a change of some bytes only the nodes that depend
// on them are run. For each one-bit node the program also computes its distances from being true and from being false.
// A distance is 0 if the node has that value. Otherwise the distance of a comparison is about log2 of the difference of
// the operands (floats: of their ranks), and that of a connective follows from the distances of its operands.
#ifndef TAMAR_SOLVER_FLAT_H
#define TAMAR_SOLVER_FLAT_H

#include "base/vec.h"
#include "expr/expr.h"

struct flat_op {
    uint8_t kind; // enum kind
    uint8_t how;  // enum how of flat.c
    uint8_t arity;
    uint16_t width;
    uint16_t widths[3]; // widths of the operands
    uint32_t value;     // index of its value in `values`
    uint32_t arg[3];    // operands: numbers of ops; for a table: start in `elements`, count
    struct shape shape;
    Term term;
};

struct flat {
    struct terms *terms;
    vec(struct flat_op) ops;
    vec(uint64_t) values;
    vec(float) miss[2];       // by op: distance from false, from true
    vec(uint32_t) elements;   // elements of tables: ops or input positions
    vec(uint32_t) roots;      // ops of the conditions
    const uint32_t *position; // by var: its position plus 1
    const uint8_t *bytes;     // by position: the input of the last run
    uint64_t ran;             // ops run so far
};

// Compiles the conditions; `position` maps vars to positions plus 1. False: too large, or unsupported (declared
// arrays, equality of arrays).
bool flat_compile(struct flat *flat, struct terms *terms, const Term *conditions, uint32_t count,
                  const uint32_t *position);
void flat_free(struct flat *flat);

// Runs all ops, or those in `list` (in increasing order).
void flat_run(struct flat *flat, const uint8_t *bytes, const uint32_t *list, uint32_t count);

static inline const uint64_t *flat_value(const struct flat *flat, uint32_t op) {
    return &flat->values.at[flat->ops.at[op].value];
}
// Whether all conditions are true.
bool flat_holds(const struct flat *flat);
// Distance of all conditions together from being true.
double flat_miss(const struct flat *flat);

// Rank of a float in the order of all floats of its format, NaNs excepted: adjacent floats differ by 1. Unlike in
// float_range.h, both zeros have rank 0.
__int128 flat_rank(fp_format format, const uint64_t *pattern);
bool flat_is_nan(fp_format format, const uint64_t *pattern);
void flat_from_rank(fp_format format, __int128 rank, uint64_t *pattern);

#endif
