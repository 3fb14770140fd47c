// Interval propagation: every term of the conditions gets a range (float_range.h, or an interval of integers). A
// narrowed range narrows the ranges of its operands and users, until nothing changes.
#ifndef TAMAR_SOLVER_INTERVAL_H
#define TAMAR_SOLVER_INTERVAL_H

#include "base/hash.h"
#include "base/vec.h"
#include "expr/float_range.h"

enum interval_how {
    INTERVAL_LEAF,    // no operation: only the range itself
    INTERVAL_NOT,     // one bit
    INTERVAL_AND,     // one bit
    INTERVAL_OR,      // one bit
    INTERVAL_ITE,     // any width
    INTERVAL_COMPARE, // integers: EQ, ULT, SLT
    INTERVAL_ADD,     // integers
    INTERVAL_SAME,    // extension: the same integer in more bits
    INTERVAL_FLOAT_COMPARE,
    INTERVAL_FLOAT, // arithmetic and FP_TO_FP
    INTERVAL_NEGATE,
    INTERVAL_MAGNITUDE,
    INTERVAL_FROM_INT,
    INTERVAL_TO_INT,
    INTERVAL_IS_NAN, // one bit: whether its operand, a float, is a NaN
};

// A term, seen as a float of a format or (format 0) as an integer of at most 64 bits. Integers are signed, except
// single bits.
struct interval {
    uint8_t how;
    uint8_t arity;
    fp_format format;
    Term term;
    uint32_t args[3]; // numbers of intervals, all before this one
    struct shape shape;
    union {
        struct float_range floats;
        struct int_range ints;
    };
};

struct intervals {
    struct terms *terms;
    vec(struct interval) list;
    struct map known; // term and format -> index in the list
    vec(uint64_t) pending;
    bool contradiction, changed;
};

// Known bits and range of an integer term (of at most 64 bits) from another source.
typedef struct facts interval_facts(void *context, Term t);

// Adds a condition and all terms below it; makes new terms. False: too many terms.
bool intervals_add(struct intervals *intervals, Term condition, interval_facts *facts, void *context);
// Links floats with the one-bit terms that test them for NaN (a step of intervals_narrow).
void intervals_link(struct intervals *intervals);
// Narrows all ranges under the assumption that the conditions are true. False: they are unsatisfiable.
bool intervals_narrow(struct intervals *intervals, const Term *conditions, uint32_t count);
void intervals_free(struct intervals *intervals);

#endif
