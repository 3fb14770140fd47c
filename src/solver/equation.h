// Equations between sums, refuted by the bounds and the common divisors of their summands.
#ifndef TAMAR_EQUATION_H
#define TAMAR_EQUATION_H

#include "expr/expr.h"

// Whether the condition is an equation, or a conjunction with one, that no input satisfies: a sum of multiples of 3 is
// never 77. False: not known.
bool equation_is_refuted(struct terms *terms, Term condition);

#endif
