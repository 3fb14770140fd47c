// Inverts hashes of one word: exclusive ors with shifts of the word itself, sums with constants, products with odd
// constants, in any order (murmur, Knuth, Jenkins). Each step is a bijection, or a linear map over GF(2).
#ifndef TAMAR_INVERT_H
#define TAMAR_INVERT_H

#include "solver/solver_int.h"

// Whether t is the product of a word of at most 64 bits and an odd constant: a bijection.
bool invert_is_odd_product(struct terms *terms, Term t);
// Whether t has the form of such a hash. That it is a bijection is not checked.
bool invert_may(struct terms *terms, Term t);
// Changes the input bytes in `found` such that t has this value. False: t is not such a hash, or not a bijection. The
// bytes are a candidate: the caller evaluates the query under them.
bool invert_assign(struct query *query, Term t, uint64_t value);

#endif
