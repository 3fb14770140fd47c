// Conditions as a flat program over their input bytes: every node once, operands before users, values in one
// array. Running it costs a few nanoseconds a node, and after a change of some bytes only what depends on them
// is run. Beside the truth of a node of one bit it computes how far it is from being true, and from being
// false: 0 when it is, else about the number of bits in which the operands of its comparisons miss.
#ifndef TAMAR_SOLVER_FLAT_H
#define TAMAR_SOLVER_FLAT_H

#include "base/vec.h"
#include "expr/expr.h"

struct flat_op {
    uint8_t kind; // enum kind
    uint8_t how;  // enum of flat.c
    uint8_t arity;
    uint16_t width;
    uint16_t widths[3]; // of the operands
    uint32_t place;     // of its value
    uint32_t arg[3];    // operands: numbers of ops; of a table: start in `elements`, count
    struct shape shape;
    Term term;
};

struct flat {
    struct terms *terms;
    vec(struct flat_op) ops;
    vec(uint64_t) values;
    vec(float) miss[2];       // by op: how far from false, from true
    vec(uint32_t) elements;   // of tables: ops or input positions
    vec(uint32_t) roots;      // ops of the conditions
    const uint32_t *position; // by var, plus 1
    const uint8_t *bytes;     // by position: what it runs on
    uint64_t ran;             // ops, so far
};

// False: too large, or something it cannot do (declared arrays, equality of arrays). `position` maps vars to
// positions plus 1.
bool flat_compile(struct flat *flat, struct terms *terms, const Term *conditions, uint32_t count,
                  const uint32_t *position);
void flat_free(struct flat *flat);

// All ops, or those listed (in increasing order).
void flat_run(struct flat *flat, const uint8_t *bytes, const uint32_t *list, uint32_t count);

static inline const uint64_t *flat_value(const struct flat *flat, uint32_t op) {
    return &flat->values.at[flat->ops.at[op].place];
}
// Whether all conditions are true.
bool flat_holds(const struct flat *flat);
// How far all conditions together are from being true.
double flat_miss(const struct flat *flat);

// A float's place on the line of all floats of its format, NaNs excepted: neighbours differ by 1.
__int128 flat_rank(fp_format format, const uint64_t *pattern);
bool flat_is_nan(fp_format format, const uint64_t *pattern);
void flat_from_rank(fp_format format, __int128 rank, uint64_t *pattern);

#endif
