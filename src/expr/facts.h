// Known bits and unsigned ranges of bit-vectors of at most 64 bits, and what an operation makes of them.
//
// One algebra for two uses: every node of the terms caches what follows from its operands (term_facts), and the solver
// asks what follows where input bytes have fewer values (solver/ranges.h).
// Facts are sound: values that fit the operands' facts give a result that fits the result's.
#ifndef TAMAR_EXPR_FACTS_H
#define TAMAR_EXPR_FACTS_H

#include "base/base.h"
#include "expr/kinds.h"

struct facts {
    uint64_t zeros, ones; // bits known to be 0, to be 1
    uint64_t low, high;   // low <= value <= high, unsigned
};

struct facts facts_const(uint64_t value, unsigned width);
struct facts facts_unknown(unsigned width);
static inline bool facts_exact(struct facts facts) { return facts.low == facts.high; }
// Signed bounds that follow.
int64_t facts_signed_low(struct facts facts, unsigned width);
int64_t facts_signed_high(struct facts facts, unsigned width);

// Sharpens bits by the range and the range by bits. The facts must not contradict each other.
struct facts facts_tighten(struct facts facts, unsigned width);
// What holds of a value that fits one or the other.
struct facts facts_join(struct facts a, struct facts b);
// What holds of a value that fits both, into `*a`. False: there is none, and `*a` stays as it is.
bool facts_meet(struct facts *a, struct facts b, unsigned width);

struct facts_operation {
    enum kind kind;
    unsigned width;         // of the result
    unsigned operand_width; // of the first operand
    unsigned low;           // EXTRACT: the lowest bit
};
// Facts of the result, not yet tightened. Operands that no value fits may give facts that no value fits: facts_meet
// finds out. Kinds of floats and arrays: nothing is known.
struct facts facts_apply(struct facts_operation operation, const struct facts *operands);

#endif
