// Bits of terms as parities of input bits (parity_forms.c), and equations between them, solved by elimination
// (parity.c).
//
// A form is the exclusive or of some bits of the query's bytes, and a constant: `words` words, in which bit 8 p + i stands
// for bit i of the byte at position p, and the bit behind the last byte's for the constant. What is no such thing is
// UNKNOWN_FORM. Forms of one query live in one pool, and every bit of a term has one.
#ifndef TAMAR_PARITY_H
#define TAMAR_PARITY_H

#include "base/hash.h"
#include "base/vec.h"
#include "expr/expr.h"

struct query;
struct solver;

#define UNKNOWN_FORM UINT32_MAX

struct forms {
    struct query *query;
    uint32_t columns, words;
    struct map known;   // Term -> place in `bits`, plus 1
    vec(uint32_t) bits; // for each bit of each term: its form's place in the pool, in words
    vec(uint64_t) pool; // the first form is 0, the second 1
    uint64_t work;      // words computed
};

// The forms of all terms of the query. False: there is too much of it.
bool forms_make(struct forms *forms, struct query *query);
void forms_free(struct forms *forms);
// The form of bit i of t, UNKNOWN_FORM when it is no parity.
uint32_t form_of(const struct forms *forms, Term t, uint32_t i);
static inline bool form_constant(const struct forms *forms, uint32_t form) { return form <= forms->words; }
static inline bool form_is_one(const struct forms *forms, uint32_t form) { return form == forms->words; }

struct parity;
struct parity *parity_new(struct solver *solver);
void parity_free(struct parity *parity);

#endif
