// Terms as text: C-like for users, SMT-LIB for solvers.
#ifndef TAMAR_EXPR_PRINT_TERM_H
#define TAMAR_EXPR_PRINT_TERM_H

#include "base/text.h"
#include "expr/expr.h"

// Readable, C-like: `stdin[0] == 'a' && (x + 1 <u 10)`. Subterms that are used more than once and are not small get a
// line `let t1 = ...;` before the term, so the text is linear in the DAG.
void term_print(struct terms *terms, struct text *out, Term t);
// Like term_print, with other names for the inputs.
struct input_names {
    void (*add)(const void *context, struct text *out, uint32_t input);
    const void *context;
};
void term_print_named(struct terms *terms, struct text *out, Term t, const struct input_names *names);

// One SMT-LIB term, with lets so that the text is linear in the DAG. A term of width 1 is printed as a Bool. An input's
// byte is the variable |name[3]|; the floating-point kinds use Z3's fp.to_ieee_bv for results.
void term_print_smtlib(struct terms *terms, struct text *out, Term t);

// A whole script: set-logic, declarations, one assert for each condition (width 1), check-sat. Sharing
// across conditions by define-fun.
void terms_print_script(struct terms *terms, struct text *out, const Term *conditions, size_t count);

// A script that grows. Every term is defined once for all following commands (:global-declarations), so the text is
// linear in all terms together. Entries of collected terms are dropped.
struct smtlib_writer;
struct smtlib_writer *smtlib_writer_new(struct terms *terms);
void smtlib_writer_free(struct smtlib_writer *writer);
// Writes the declarations and definitions that t needs and that were not written yet.
void smtlib_write_needs(struct smtlib_writer *writer, struct text *out, Term t);
// Writes t (width 1) as a Bool; smtlib_write_needs comes first.
void smtlib_write_bool(struct smtlib_writer *writer, struct text *out, Term t);

// Prints a constant in SMT-LIB: #x2a, #b101.
void smtlib_print_limbs(struct text *out, unsigned width, const uint64_t *limbs);

#endif
