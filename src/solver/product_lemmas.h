// Lemmas about products of two unknowns, for a query in which the products are variables (incremental linearisation, as
// in MathSAT and cvc5).
//
// A model of such a query may give a variable another value than the product of its factors. The lemmas hold for all
// values; each is chosen because the model violates it.
#ifndef TAMAR_PRODUCT_LEMMAS_H
#define TAMAR_PRODUCT_LEMMAS_H

#include "solver/rope.h"

struct product {
    Term factors[2], result; // result: the variable; all have the same width, at most 64 bits
    VarSet support[2];       // of the factors
    uint64_t high[2];        // the factors are at most this
    uint64_t values[2];      // of the factors in the model
    uint64_t value;          // of the variable in the model
};

// Adds lemmas about each product that has a wrong value, and about pairs of products with a common factor.
void product_lemmas(struct terms *terms, const struct product *products, uint32_t count, term_list *lemmas);

#endif
