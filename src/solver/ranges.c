#include "solver/ranges.h"

#include "base/hash.h"
#include "base/run_limits.h"
#include "base/vec.h"

// The facts of a node are those of its term, intersected with those implied by its operands' narrower facts
// (expr/facts.h). Beyond these limits of depth and number nodes keep their terms' facts: the result is weaker, but
// sound.
#define DEEPEST 1000
#define MOST    4000

struct ranges {
    struct terms *terms;
    struct facts (*byte)(void *, uint32_t);
    void *context;
    struct map known; // Term -> index in facts
    vec(struct facts) facts;
    unsigned depth;
    bool contradiction;
};

struct ranges *ranges_new(struct terms *terms) {
    struct ranges *ranges = NEW(struct ranges);
    ranges->terms = terms;
    return ranges;
}

void ranges_free(struct ranges *ranges) {
    if (!ranges) return;
    map_free(&ranges->known);
    vec_free(&ranges->facts);
    DELETE(ranges);
}

void ranges_start(struct ranges *ranges, struct facts (*byte)(void *, uint32_t), void *context) {
    ranges->byte = byte;
    ranges->context = context;
    ranges->depth = 0;
    ranges->contradiction = false;
    map_clear(&ranges->known);
    vec_clear(&ranges->facts);
}

// Intersects facts. If they contradict each other, no assignment agrees with the bytes' facts. The weaker facts are
// then kept, so that no node has contradictory ones.
static struct facts meet(struct ranges *ranges, struct facts own, struct facts derived, unsigned width) {
    if (!facts_meet(&own, derived, width)) ranges->contradiction = true;
    return own;
}

static struct facts_operation operation_of(struct terms *terms, Term t) {
    enum kind kind = term_kind(terms, t);
    return (struct facts_operation){.kind = kind,
                                    .width = term_width(terms, t),
                                    .operand_width = term_width(terms, term_arg(terms, t, 0)),
                                    .low = kind == KIND_EXTRACT ? term_low(terms, t) : 0};
}

// If a summand is negated, intersects the facts of the sum, a + -b, with those of the difference a - b, which may be
// tighter.
static struct facts as_difference(struct ranges *ranges, Term t, const struct facts *arg,
                                  struct facts facts) {
    struct terms *terms = ranges->terms;
    unsigned width = term_width(terms, t);
    for (uint32_t i = 0; i < 2; i++) {
        Term negated = term_arg(terms, t, i);
        if (term_kind(terms, negated) != KIND_NEG) continue;
        struct facts operands[2] = {arg[1 - i], ranges_of(ranges, term_arg(terms, negated, 0))};
        facts =
            meet(ranges, facts,
                 facts_apply((struct facts_operation){.kind = KIND_SUB, .width = width}, operands), width);
    }
    return facts;
}

bool ranges_contradict(const struct ranges *ranges) { return ranges->contradiction; }

struct facts ranges_of(struct ranges *ranges, Term t) {
    struct terms *terms = ranges->terms;
    unsigned width = term_width(terms, t);
    assert(width <= 64);
    limits_poll();
    uint64_t *known = map_get(&ranges->known, t);
    if (known) return ranges->facts.at[*known];
    struct facts facts = term_facts(terms, t), arg[3] = {{0}};
    uint32_t arity = term_arity(terms, t);
    if (term_kind(terms, t) == KIND_BYTE)
        return meet(ranges, facts, ranges->byte(ranges->context, term_var(terms, t)), width);
    bool usable = arity > 0 && arity <= 3 && ranges->facts.count < MOST && ranges->depth < DEEPEST;
    for (uint32_t i = 0; i < arity && usable; i++) {
        Term operand = term_arg(terms, t, i);
        usable = !term_is_array(terms, operand) && term_width(terms, operand) <= 64;
    }
    if (!usable) return facts;
    ranges->depth++;
    for (uint32_t i = 0; i < arity; i++) arg[i] = ranges_of(ranges, term_arg(terms, t, i));
    facts = meet(ranges, facts, facts_apply(operation_of(terms, t), arg), width);
    if (term_kind(terms, t) == KIND_ADD) facts = as_difference(ranges, t, arg, facts);
    ranges->depth--;
    *map_put(&ranges->known, t) = ranges->facts.count;
    vec_push(&ranges->facts, facts);
    return facts;
}
