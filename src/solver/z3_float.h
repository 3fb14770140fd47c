// Floating-point kinds as expressions of Z3.
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

// The operation on bit-vectors of its format; a predicate is a truth value. NULL: remainders.
Z3_ast z3_float(struct z3_float *z, struct shape shape, const Z3_ast *args);

#endif
