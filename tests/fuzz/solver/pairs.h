// Random values in two forms: as a term (through our simplifying builders) and as an expression of Z3, built from the
// same operations. The two share no code, so a disagreement is a bug of Tamar or of Z3.
#ifndef TAMAR_FUZZ_PAIRS_H
#define TAMAR_FUZZ_PAIRS_H

#include "base/random.h"
#include "base/vec.h"
#include "expr/expr.h"

#include <z3.h>

struct pair {
    Term term;
    Z3_ast z3; // a bit-vector (also of one bit) or an array
};

struct pairs {
    struct terms *terms;
    Z3_context z3;
    vec(struct pair) pool;
    unsigned widest;
    bool floats; // operations on floats, too
    bool pure;   // operations on floats alone
    bool arrays; // mostly reads and writes of byte arrays, at indices that are read from arrays themselves
};

// Z3 has thrown an exception: afterwards the answers of its context are meaningless.
extern bool pairs_z3_broken;

void pairs_open(struct pairs *pairs, struct terms *terms, unsigned widest);
void pairs_close(struct pairs *pairs);
// Makes the leaves: inputs, declared arrays, tables.
void pairs_add_leaves(struct pairs *pairs, struct random *random);
// Makes one more value by a random operation on values of the pool.
void pairs_add(struct pairs *pairs, struct random *random);
// A random condition (one bit) that is not constant, if one is found.
struct pair pairs_condition(struct pairs *pairs, struct random *random);
struct pair pairs_not(struct pairs *pairs, struct pair condition);
Z3_ast pairs_truth(struct pairs *pairs, Z3_ast bit);

#endif
