// The canonical name of a query: conditions ordered by shape, inputs renamed in the order of their appearance. So the
// same query about other bytes has the same name (section 3.1.4 of the Oasis paper; docs/papers/oasis.md).
#ifndef TAMAR_CANONICAL_H
#define TAMAR_CANONICAL_H

#include "base/vec.h"
#include "expr/expr.h"

// Two independent 64-bit hashes. If they behave like random functions, two of a billion different queries share a name
// with probability about 2^-69 (birthday bound), less than that of a hardware error. They are not cryptographic.
struct digest {
    uint64_t a, b;
};

struct canonical;
struct canonical *canonical_new(struct terms *terms);
void canonical_free(struct canonical *canonical);
// Nodes visited so far.
uint64_t canonical_visits(const struct canonical *canonical);

// Names the conjunction and sets `order` to the vars in canonical order. False: it has no name (declared arrays, or
// too large).
typedef vec(uint32_t) var_list;
bool canonical_name(struct canonical *canonical, const Term *conditions, uint32_t count, struct digest *name,
                    var_list *order);

#endif
