#include "solver/ranges.h"

#include "base/hash.h"
#include "base/vec.h"

// Facts of every node are those the term has anyway, met with what its operands' narrower facts imply. Nodes
// deeper or more than these keep their own facts: the answer is weaker, never wrong.
#define DEEPEST 1000
#define MOST    4000

struct ranges {
    struct terms *terms;
    struct facts (*byte)(void *, uint32_t);
    void *context;
    struct map known; // Term -> number in facts
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

static struct facts unknown(unsigned width) { return (struct facts){0, 0, 0, mask_bits(width)}; }
static struct facts exactly(uint64_t value, unsigned width) {
    return (struct facts){~value & mask_bits(width), value, value, value};
}
static bool is_exact(struct facts f) { return f.low == f.high; }

// Bits above the highest one in which low and high differ are known; known bits bound the range.
static struct facts tighten(struct facts f, unsigned width) {
    uint64_t mask = mask_bits(width);
    f.low = MAX(f.low, f.ones);
    f.high = MIN(f.high, ~f.zeros & mask);
    if (f.low > f.high) return f; // a contradiction: `meet` sees it
    uint64_t differ = f.low ^ f.high, fixed = mask;
    if (differ) fixed = ~(~0ull >> __builtin_clzll(differ)) & mask;
    f.ones |= f.low & fixed;
    f.zeros |= ~f.low & fixed;
    return f;
}

static struct facts add(struct facts a, struct facts b, unsigned width) {
    struct facts f = unknown(width);
    uint64_t mask = mask_bits(width), low = a.low + b.low, high = a.high + b.high;
    bool wraps = width == 64 ? high < a.high : high > mask, all_wrap = width == 64 ? low < a.low : low > mask;
    if (!wraps || all_wrap) {
        f.low = low & mask;
        f.high = high & mask;
    }
    // Low bits that are known in both are known in the sum.
    uint64_t known = (a.zeros | a.ones) & (b.zeros | b.ones);
    unsigned run = ~known ? (unsigned)__builtin_ctzll(~known) : 64;
    uint64_t sure = run == 0 ? 0 : run >= 64 ? ~0ull : (1ull << run) - 1, sum = a.ones + b.ones;
    f.ones = sum & sure & mask;
    f.zeros = ~sum & sure & mask;
    return f;
}

static struct facts multiply(struct facts a, struct facts b, unsigned width) {
    struct facts f = unknown(width);
    uint64_t high;
    if (!__builtin_mul_overflow(a.high, b.high, &high) && high <= mask_bits(width)) {
        f.high = high;
        f.low = a.low * b.low;
    }
    return f;
}

static struct facts bitwise(enum kind kind, struct facts a, struct facts b, unsigned width) {
    struct facts f = unknown(width);
    switch (kind) {
    case KIND_NOT:
        f = (struct facts){a.ones, a.zeros, ~a.high & mask_bits(width), ~a.low & mask_bits(width)};
        break;
    case KIND_AND:
        f.ones = a.ones & b.ones;
        f.zeros = a.zeros | b.zeros;
        f.high = MIN(a.high, b.high);
        break;
    case KIND_OR:
        f.ones = a.ones | b.ones;
        f.zeros = a.zeros & b.zeros;
        f.low = MAX(a.low, b.low);
        break;
    default:
        f.ones = (a.ones & b.zeros) | (a.zeros & b.ones);
        f.zeros = (a.ones & b.ones) | (a.zeros & b.zeros);
    }
    return f;
}

static struct facts divide(enum kind kind, struct facts a, struct facts b, unsigned width) {
    struct facts f = unknown(width);
    if (!b.low) return f; // the divisor may be zero
    if (kind == KIND_UDIV) {
        f.low = a.low / b.high;
        f.high = a.high / b.low;
    } else {
        f.high = MIN(a.high, b.high - 1);
        if (a.high < b.low) f = a;
    }
    return f;
}

static struct facts shift(enum kind kind, struct facts a, struct facts n, unsigned width) {
    struct facts f = unknown(width);
    if (kind == KIND_LSHR) {
        f.high = n.low < width ? a.high >> n.low : 0;
        f.low = n.high < width ? a.low >> n.high : 0;
    } else if (kind == KIND_SHL && n.high < width && a.high << n.high >> n.high == a.high &&
               a.high << n.high <= mask_bits(width)) {
        f.high = a.high << n.high;
        f.low = a.low << n.low;
    }
    return f;
}

static struct facts compare(enum kind kind, struct facts a, struct facts b, unsigned width) {
    if (kind == KIND_EQ) {
        if (a.high < b.low || b.high < a.low || a.ones & b.zeros || a.zeros & b.ones) return exactly(0, 1);
        return is_exact(a) && is_exact(b) && a.low == b.low ? exactly(1, 1) : unknown(1);
    }
    if (kind == KIND_SLT) { // flipping the sign bit makes it unsigned, unless a range spans both signs
        uint64_t sign = 1ull << (width - 1);
        if ((a.low ^ a.high) & sign || (b.low ^ b.high) & sign) return unknown(1);
        a.low ^= sign, a.high ^= sign, b.low ^= sign, b.high ^= sign;
    }
    if (a.high < b.low) return exactly(1, 1);
    return a.low >= b.high ? exactly(0, 1) : unknown(1);
}

static struct facts extend_sign(struct facts a, unsigned from, unsigned width) {
    uint64_t sign = 1ull << (from - 1), above = mask_bits(width) & ~mask_bits(from);
    if (a.zeros & sign) return (struct facts){a.zeros | above, a.ones, a.low, a.high};
    if (a.ones & sign) return (struct facts){a.zeros, a.ones | above, a.low | above, a.high | above};
    return (struct facts){a.zeros & ~sign, a.ones & ~sign, 0, mask_bits(width)};
}

static struct facts cut(struct facts a, unsigned low, unsigned width) {
    uint64_t mask = mask_bits(width);
    struct facts f = {a.zeros >> low & mask, a.ones >> low & mask, 0, mask};
    // The range survives when nothing above the cut varies.
    if (a.low >> low >> (width - 1) >> 1 == a.high >> low >> (width - 1) >> 1) {
        f.low = a.low >> low & mask;
        f.high = a.high >> low & mask;
    }
    return f;
}

static struct facts join(struct facts a, struct facts b) {
    return (struct facts){a.zeros & b.zeros, a.ones & b.ones, MIN(a.low, b.low), MAX(a.high, b.high)};
}

static struct facts apply(struct ranges *ranges, Term t, const struct facts *arg) {
    struct terms *terms = ranges->terms;
    unsigned width = term_width(terms, t), from;
    enum kind kind = term_kind(terms, t);
    switch (kind) {
    case KIND_NOT:
    case KIND_AND:
    case KIND_OR:
    case KIND_XOR: return bitwise(kind, arg[0], arg[1], width);
    case KIND_ADD: return add(arg[0], arg[1], width);
    case KIND_MUL: return multiply(arg[0], arg[1], width);
    case KIND_UDIV:
    case KIND_UREM: return divide(kind, arg[0], arg[1], width);
    case KIND_SHL:
    case KIND_LSHR: return shift(kind, arg[0], arg[1], width);
    case KIND_EQ:
    case KIND_ULT:
    case KIND_SLT: return compare(kind, arg[0], arg[1], term_width(terms, term_arg(terms, t, 0)));
    case KIND_SEXT: return extend_sign(arg[0], term_width(terms, term_arg(terms, t, 0)), width);
    case KIND_EXTRACT: return cut(arg[0], term_low(terms, t), width);
    case KIND_CONCAT:
        from = term_width(terms, term_arg(terms, t, 1));
        return (struct facts){arg[0].zeros << from | arg[1].zeros, arg[0].ones << from | arg[1].ones,
                              arg[0].low << from | arg[1].low, arg[0].high << from | arg[1].high};
    case KIND_ITE:
        if (is_exact(arg[0])) return arg[0].low ? arg[1] : arg[2];
        return join(arg[1], arg[2]);
    default: return unknown(width);
    }
}

// No value fits both: then no assignment fits the bytes' facts. The weaker facts stay, so that all others are
// sane.
static struct facts meet(struct ranges *ranges, struct facts a, struct facts b, unsigned width) {
    struct facts f = {a.zeros | b.zeros, a.ones | b.ones, MAX(a.low, b.low), MIN(a.high, b.high)};
    f = tighten(f, width);
    if (f.low <= f.high && !(f.zeros & f.ones)) return f;
    ranges->contradiction = true;
    return a;
}

bool ranges_contradict(const struct ranges *ranges) { return ranges->contradiction; }

struct facts ranges_of(struct ranges *ranges, Term t) {
    struct terms *terms = ranges->terms;
    unsigned width = term_width(terms, t);
    assert(width <= 64);
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
    ranges->depth--;
    facts = meet(ranges, facts, apply(ranges, t, arg), width);
    *map_put(&ranges->known, t) = ranges->facts.count;
    vec_push(&ranges->facts, facts);
    return facts;
}
