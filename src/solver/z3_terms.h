// Translates terms to Z3 expressions.
#ifndef TAMAR_Z3_TERMS_H
#define TAMAR_Z3_TERMS_H

#include "expr/expr.h"

#include <z3.h>

struct z3_terms;
// Valid until the next collection of terms; z3_terms_current returns false afterwards.
struct z3_terms *z3_terms_new(struct terms *terms, Z3_context context);
void z3_terms_free(struct z3_terms *z3);
bool z3_terms_current(const struct z3_terms *z3);
// Nodes translated so far.
uint32_t z3_terms_count(const struct z3_terms *z3);

// Translates a term of width 1 to a Boolean. NULL: it has remainders of floats, which are not translated.
Z3_ast z3_terms_truth(struct z3_terms *z3, Term t);
Z3_ast z3_terms_byte(struct z3_terms *z3, uint32_t var);
// The expression of a declared array that occurred in a translated term, else NULL.
Z3_ast z3_terms_array(struct z3_terms *z3, uint32_t var);

#endif
