// Translates floating-point kinds to Z3 expressions.
#ifndef TAMAR_Z3_FLOAT_H
#define TAMAR_Z3_FLOAT_H

#include "expr/expr.h"

#include <z3.h>

struct z3_float {
    struct terms *terms;
    Z3_context context;
    Z3_ast (*constant)(void *owner, Term t); // a constant term as a bit-vector
    void *owner;
};

// Translates the operation; operands and result are bit-vectors, a predicate yields a Boolean. Returns NULL for
// remainders.
Z3_ast z3_float(struct z3_float *z, struct shape shape, const Z3_ast *args);

#endif
