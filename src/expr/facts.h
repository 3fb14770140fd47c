// Known bits and unsigned ranges of bit-vectors of at most 64 bits: an abstract domain and its transfer functions.
//
// Used in two ways. Every node of the terms caches the facts that follow from its operands (term_facts). The solver
// derives facts under restricted values of input bytes (solver/ranges.h). Facts are sound: if the operands satisfy
// their facts, the result satisfies the result's facts.
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
// The signed bounds implied by the facts.
int64_t facts_signed_low(struct facts facts, unsigned width);
int64_t facts_signed_high(struct facts facts, unsigned width);

// Sharpens bits by the range and the range by bits. The facts must not contradict each other.
struct facts facts_tighten(struct facts facts, unsigned width);
// Facts that hold for every value that satisfies a or b.
struct facts facts_join(struct facts a, struct facts b);
// Intersects: `*a` becomes the facts of a value that satisfies both. False: there is no such value, and `*a` is
// unchanged.
bool facts_meet(struct facts *a, struct facts b, unsigned width);

struct facts_operation {
    enum kind kind;
    unsigned width;         // width of the result
    unsigned operand_width; // width of the first operand
    unsigned low;           // EXTRACT: the lowest bit
};
// Facts of the result, not yet tightened. Contradictory operands may give contradictory facts: facts_meet detects that.
// For kinds of floats and arrays the result is unknown. No node has KIND_SUB: pass it for a + (-b), with the facts of
// b; the result is sharper.
struct facts facts_apply(struct facts_operation operation, const struct facts *operands);

#endif
