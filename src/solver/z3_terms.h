// Terms as expressions of Z3.
#ifndef TAMAR_Z3_TERMS_H
#define TAMAR_Z3_TERMS_H

#include "expr/expr.h"

#include <z3.h>

struct z3_terms;
// Good until the next collection of terms (z3_terms_current says so).
struct z3_terms *z3_terms_new(struct terms *terms, Z3_context context);
void z3_terms_free(struct z3_terms *z3);
bool z3_terms_current(const struct z3_terms *z3);
// Nodes translated so far.
uint32_t z3_terms_count(const struct z3_terms *z3);

// A term of width 1 as a truth value; NULL: remainders of floats have no translation.
Z3_ast z3_terms_truth(struct z3_terms *z3, Term t);
Z3_ast z3_terms_byte(struct z3_terms *z3, uint32_t var);
// A declared array that was met, or NULL.
Z3_ast z3_terms_array(struct z3_terms *z3, uint32_t var);

#endif
