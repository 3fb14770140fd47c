// Conditions as constraints on ranges: every term of theirs gets a range (float_range.h, or an interval of integers),
// and each narrows those it is made of and those it is part of, until nothing changes.
#ifndef TAMAR_SOLVER_INTERVAL_H
#define TAMAR_SOLVER_INTERVAL_H

#include "base/hash.h"
#include "base/vec.h"
#include "expr/float_range.h"

enum interval_how {
    INTERVAL_LEAF,    // nothing but its own range
    INTERVAL_NOT,     // of one bit
    INTERVAL_AND,     // of one bit
    INTERVAL_OR,      // of one bit
    INTERVAL_ITE,     // of anything
    INTERVAL_COMPARE, // integers: EQ, ULT, SLT
    INTERVAL_ADD,     // integers
    INTERVAL_SAME,    // the same integer in more bits
    INTERVAL_FLOAT_COMPARE,
    INTERVAL_FLOAT, // arithmetic and FP_TO_FP
    INTERVAL_NEGATE,
    INTERVAL_MAGNITUDE,
    INTERVAL_FROM_INT,
    INTERVAL_TO_INT,
    INTERVAL_IS_NAN, // of one bit; of a float
};

// A term, seen as a float of a format or (format 0) as an integer of at most 64 bits: signed, but for single bits.
struct interval {
    uint8_t how;
    uint8_t arity;
    fp_format format;
    Term term;
    uint32_t args[3]; // intervals, before this one
    struct shape shape;
    union {
        struct float_range floats;
        struct int_range ints;
    };
};

struct intervals {
    struct terms *terms;
    vec(struct interval) list;
    struct map known; // term and format -> number in the list
    vec(uint64_t) pending;
    bool contradiction, changed;
};

// What is known of an integer term (of at most 64 bits) from elsewhere.
typedef struct facts interval_facts(void *context, Term t);

// Adds a condition, with everything below it; makes terms. False: there is too much of it.
bool intervals_add(struct intervals *intervals, Term condition, interval_facts *facts, void *context);
// Joins floats with the bits that say whether they are NaNs (a part of intervals_narrow).
void intervals_link(struct intervals *intervals);
// Narrows everything, the conditions being true. False: no assignment makes them true.
bool intervals_narrow(struct intervals *intervals, const Term *conditions, uint32_t count);
void intervals_free(struct intervals *intervals);

#endif
