// Bits of terms as parities of input bits (parity_forms.c), and linear equations between them over GF(2), solved by
// Gaussian elimination (parity.c).
//
// A form is the exclusive or of some bits of the query's bytes and a constant. It has `words` words. Bit 8 p + i stands
// for bit i of the byte at position p; the bit after the last byte's bits is the constant. A bit that is not a parity
// has UNKNOWN_FORM. All forms of a query are in one pool.
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
    struct map known;   // Term -> index in `bits`, plus 1
    vec(uint32_t) bits; // for each bit of each term: offset of its form in the pool, in words
    vec(uint64_t) pool; // a form is known by its offset in words: 0 is the constant 0, `words` the constant 1
    uint64_t work;      // words computed
};

// Computes the forms of all terms of the query. False: too much work.
bool parity_forms_make(struct forms *forms, struct query *query);
void parity_forms_free(struct forms *forms);
// The form of bit i of t, UNKNOWN_FORM if it is not a parity.
uint32_t parity_form_of(const struct forms *forms, Term t, uint32_t i);
static inline bool form_constant(const struct forms *forms, uint32_t form) { return form <= forms->words; }
static inline bool form_is_one(const struct forms *forms, uint32_t form) { return form == forms->words; }

struct parity;
void parity_free(struct parity *parity);

#endif
