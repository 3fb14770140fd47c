#include "expr/facts.h"

#include "expr/expr_int.h"

typedef unsigned __int128 u128;

// ---- The abstract domain

struct facts facts_const(uint64_t value, unsigned width) {
    return (struct facts){~value & mask_bits(width), value, value, value};
}

struct facts facts_unknown(unsigned width) { return (struct facts){0, 0, 0, mask_bits(width)}; }

// Tightens bits by the range and the range by bits. False: contradiction.
static bool close_facts(struct facts *f, unsigned width) {
    uint64_t mask = mask_bits(width);
    f->low = MAX(f->low, f->ones);
    f->high = MIN(f->high, ~f->zeros & mask);
    if (f->low > f->high) return false;
    // Above the highest bit in which the bounds differ, all values in the range agree with both bounds.
    uint64_t differ = f->low ^ f->high;
    uint64_t free_bits = differ ? mask_bits(64 - (unsigned)__builtin_clzll(differ)) : 0;
    f->ones |= f->low & ~free_bits;
    f->zeros |= ~f->low & ~free_bits & mask;
    f->low = MAX(f->low, f->ones);
    f->high = MIN(f->high, ~f->zeros & mask);
    if (f->low == f->high) { // one value: all bits are known
        f->ones |= f->low;
        f->zeros |= ~f->low & mask;
    }
    return !(f->zeros & f->ones) && f->low <= f->high;
}

struct facts facts_tighten(struct facts f, unsigned width) {
    bool consistent = close_facts(&f, width);
    assert(consistent);
    (void)consistent;
    return f;
}

bool facts_meet(struct facts *a, struct facts b, unsigned width) {
    struct facts both = {a->zeros | b.zeros, a->ones | b.ones, MAX(a->low, b.low), MIN(a->high, b.high)};
    if (!close_facts(&both, width)) return false;
    *a = both;
    return true;
}

struct facts facts_join(struct facts a, struct facts b) {
    return (struct facts){a.zeros & b.zeros, a.ones & b.ones, MIN(a.low, b.low), MAX(a.high, b.high)};
}

int64_t facts_signed_low(struct facts f, unsigned width) {
    uint64_t sign = (uint64_t)1 << (width - 1);
    if (f.ones & sign || f.zeros & sign) return sign_extend(f.low, width);
    // The sign is unknown: the least value has the sign bit and the other bits known to be one.
    return sign_extend(sign | f.ones, width);
}

int64_t facts_signed_high(struct facts f, unsigned width) {
    uint64_t sign = (uint64_t)1 << (width - 1);
    if (f.ones & sign || f.zeros & sign) return sign_extend(f.high, width);
    return sign_extend(~f.zeros & mask_bits(width) & ~sign, width);
}

static struct facts facts_bitwise(enum kind kind, struct facts a, struct facts b, unsigned width) {
    struct facts f = facts_unknown(width);
    switch (kind) {
    case KIND_AND:
        f.zeros = a.zeros | b.zeros;
        f.ones = a.ones & b.ones;
        f.high = MIN(a.high, b.high);
        break;
    case KIND_OR:
        f.zeros = a.zeros & b.zeros;
        f.ones = a.ones | b.ones;
        f.low = MAX(a.low, b.low);
        break;
    default:
        f.zeros = (a.zeros & b.zeros) | (a.ones & b.ones);
        f.ones = (a.zeros & b.ones) | (a.ones & b.zeros);
        break;
    }
    return f;
}

static struct facts facts_add(struct facts a, struct facts b, unsigned width) {
    struct facts f = facts_unknown(width);
    uint64_t mask = mask_bits(width);
    u128 low = (u128)a.low + b.low, high = (u128)a.high + b.high;
    if (low >> width == high >> width) { // no sum wraps, or all do
        f.low = (uint64_t)low & mask;
        f.high = (uint64_t)high & mask;
    }
    // A bit of a sum is known if both operands' bits and the carry into it are known.
    uint64_t most = (~a.zeros & mask) + (~b.zeros & mask), least = a.ones + b.ones;
    uint64_t carry_zero = ~(most ^ a.zeros ^ b.zeros), carry_one = least ^ a.ones ^ b.ones;
    uint64_t known = (a.zeros | a.ones) & (b.zeros | b.ones) & (carry_zero | carry_one) & mask;
    f.zeros = ~most & known;
    f.ones = least & known;
    return f;
}

// Facts of a - b where no difference is negative; else those of a + -b suffice.
static struct facts facts_sub(struct facts a, struct facts b, unsigned width) {
    struct facts f = facts_unknown(width);
    if (b.high > a.low) return f;
    f.low = a.low - b.high;
    f.high = a.high - b.low;
    return f;
}

static unsigned trailing_zeros(struct facts a, unsigned width) {
    uint64_t open = ~a.zeros & mask_bits(width);
    return open ? (unsigned)__builtin_ctzll(open) : width;
}

static struct facts facts_mul(struct facts a, struct facts b, unsigned width) {
    struct facts f = facts_unknown(width);
    uint64_t mask = mask_bits(width);
    if ((u128)a.high * b.high <= mask) {
        f.low = a.low * b.low;
        f.high = a.high * b.high;
    }
    // The low bits of a product depend on the same low bits of the factors.
    uint64_t open = ~(a.zeros | a.ones) | ~(b.zeros | b.ones) | (width < 64 ? (uint64_t)1 << width : 0);
    if (width == 64 && !open) return facts_const(a.ones * b.ones, width);
    unsigned known = (unsigned)__builtin_ctzll(open);
    if (known) {
        uint64_t product = a.ones * b.ones & mask_bits(MIN(known, width));
        f.ones = product;
        f.zeros = ~product & mask_bits(MIN(known, width));
    }
    unsigned zeros = trailing_zeros(a, width) + trailing_zeros(b, width);
    if (zeros) f.zeros |= mask_bits(MIN(zeros, width));
    f.zeros &= ~f.ones;
    return f;
}

static struct facts facts_division(enum kind kind, struct facts a, struct facts b, unsigned width) {
    struct facts f = facts_unknown(width);
    uint64_t sign = (uint64_t)1 << (width - 1);
    if (kind == KIND_SDIV || kind == KIND_SREM) {
        if (kind == KIND_SREM && (a.zeros & sign)) f.high = a.high; // between 0 and the dividend
        if (!(a.zeros & b.zeros & sign) || b.low == 0) return f;
        kind = kind == KIND_SDIV ? KIND_UDIV : KIND_UREM; // both are not negative
    }
    if (kind == KIND_UDIV) {
        if (b.high == 0) return facts_const(mask_bits(width), width);
        f.low = a.low / b.high;
        if (b.low) f.high = a.high / b.low;
    } else {
        f.high = b.low ? MIN(a.high, b.high - 1) : a.high;
        if (a.high < b.low) f = a;
    }
    return f;
}

static struct facts facts_shift(enum kind kind, struct facts a, struct facts n, unsigned width) {
    struct facts f = facts_unknown(width);
    uint64_t sign = (uint64_t)1 << (width - 1);
    if (kind == KIND_ASHR) {
        if (a.ones & sign) {
            f.ones = sign;
            return f;
        }
        if (!(a.zeros & sign)) return f;
        kind = KIND_LSHR;
    }
    if (n.low >= width) return facts_const(0, width);
    if (kind == KIND_LSHR) {
        f.high = a.high >> n.low;
        f.low = n.high >= width ? 0 : a.low >> n.high;
        return f;
    }
    if (n.low) f.zeros = mask_bits((unsigned)n.low);
    unsigned zeros = trailing_zeros(a, width) + (unsigned)n.low;
    if (zeros) f.zeros |= mask_bits(MIN(zeros, width));
    if (n.high < width && ((u128)a.high << n.high) <= mask_bits(width)) {
        f.low = a.low << n.low;
        f.high = a.high << n.high;
    }
    return f;
}

static struct facts facts_negate(struct facts a, unsigned width) {
    struct facts f = facts_unknown(width);
    unsigned zeros = trailing_zeros(a, width);
    if (zeros) f.zeros = mask_bits(zeros);
    if (a.low > 0) {
        f.low = -a.high & mask_bits(width);
        f.high = -a.low & mask_bits(width);
    }
    return f;
}

static struct facts facts_extract(struct facts a, unsigned low, unsigned width) {
    uint64_t mask = mask_bits(width);
    struct facts f = {a.zeros >> low & mask, a.ones >> low & mask, 0, mask};
    unsigned end = low + width;
    if (end == 64 || a.low >> end == a.high >> end) { // the bits above the extract are constant
        f.low = a.low >> low & mask;
        f.high = a.high >> low & mask;
    }
    return f;
}

static struct facts facts_concat(struct facts high, struct facts low, unsigned low_width) {
    return (struct facts){high.zeros << low_width | low.zeros, high.ones << low_width | low.ones,
                          high.low << low_width | low.low, high.high << low_width | low.high};
}

static struct facts facts_sext(struct facts a, unsigned from, unsigned width) {
    struct facts f = facts_unknown(width);
    uint64_t sign = (uint64_t)1 << (from - 1), above = mask_bits(width) & ~mask_bits(from);
    f.zeros = a.zeros & ~sign;
    f.ones = a.ones & ~sign;
    if (a.zeros & sign) {
        f = a;
        f.zeros |= above;
    } else if (a.ones & sign) {
        f = (struct facts){a.zeros, a.ones | above, a.low | above, a.high | above};
    }
    return f;
}

static struct facts facts_compare(enum kind kind, struct facts a, struct facts b, unsigned width) {
    switch (kind) {
    case KIND_EQ:
        if (a.high < b.low || b.high < a.low || (a.zeros & b.ones) || (a.ones & b.zeros))
            return facts_const(0, 1);
        if (facts_exact(a) && facts_exact(b)) return facts_const(1, 1);
        break;
    case KIND_ULT:
        if (a.high < b.low) return facts_const(1, 1);
        if (a.low >= b.high) return facts_const(0, 1);
        break;
    default:
        assert(kind == KIND_SLT);
        if (facts_signed_high(a, width) < facts_signed_low(b, width)) return facts_const(1, 1);
        if (facts_signed_low(a, width) >= facts_signed_high(b, width)) return facts_const(0, 1);
        break;
    }
    return facts_unknown(1);
}

struct facts facts_apply(struct facts_operation op, const struct facts *x) {
    unsigned width = op.width;
    assert(width <= 64 && op.operand_width <= 64);
    switch (op.kind) {
    case KIND_NOT:
        return (struct facts){x[0].ones, x[0].zeros, ~x[0].high & mask_bits(width),
                              ~x[0].low & mask_bits(width)};
    case KIND_AND:
    case KIND_OR:
    case KIND_XOR: return facts_bitwise(op.kind, x[0], x[1], width);
    case KIND_NEG: return facts_negate(x[0], width);
    case KIND_ADD: return facts_add(x[0], x[1], width);
    case KIND_SUB: return facts_sub(x[0], x[1], width);
    case KIND_MUL: return facts_mul(x[0], x[1], width);
    case KIND_UDIV:
    case KIND_UREM:
    case KIND_SDIV:
    case KIND_SREM: return facts_division(op.kind, x[0], x[1], width);
    case KIND_SHL:
    case KIND_LSHR:
    case KIND_ASHR: return facts_shift(op.kind, x[0], x[1], width);
    case KIND_CONCAT: return facts_concat(x[0], x[1], width - op.operand_width);
    case KIND_EXTRACT: return facts_extract(x[0], op.low, width);
    case KIND_SEXT: return facts_sext(x[0], op.operand_width, width);
    case KIND_EQ:
    case KIND_ULT:
    case KIND_SLT: return facts_compare(op.kind, x[0], x[1], op.operand_width);
    case KIND_ITE:
        if (facts_exact(x[0])) return x[0].low ? x[1] : x[2];
        return facts_join(x[1], x[2]);
    default: return facts_unknown(width);
    }
}

// ---- Facts of nodes

static bool is_narrow(const struct terms *terms, Term t) {
    return width_of(terms, t) <= 64 && !is_array(terms, t);
}

static struct facts operand(const struct terms *terms, Term t) {
    const struct node *node = node_of(terms, t);
    assert(is_narrow(terms, t));
    return node->facts;
}

// Facts of all elements that a read at this index can return.
static struct facts facts_select(const struct terms *terms, const struct node *node) {
    const struct node *array = node_of(terms, node->args[0]);
    if (array->kind == KIND_ARRAY_CONST) return operand(terms, array->args[0]);
    if (array->kind != KIND_ARRAY_LITERAL) return facts_unknown(node->width);
    struct facts f = array->literal->facts;
    bool inside =
        is_narrow(terms, node->args[1]) && operand(terms, node->args[1]).high < array->literal->count;
    return inside ? f : facts_join(f, facts_const(0, node->width));
}

// Adds what follows for a sum from a negated summand: -x + 5 does not wrap if x is at most 5.
static struct facts as_difference(const struct terms *terms, const struct node *node, struct facts facts) {
    for (unsigned i = 0; i < 2; i++) {
        const struct node *negated = node_of(terms, node->args[i]);
        if (negated->kind != KIND_NEG) continue;
        struct facts operands[2] = {operand(terms, node->args[1 - i]), operand(terms, negated->args[0])};
        (void)facts_meet(
            &facts, facts_apply((struct facts_operation){.kind = KIND_SUB, .width = node->width}, operands),
            node->width);
    }
    return facts;
}

static struct facts derive(const struct terms *terms, const struct node *node) {
    const struct kind_info *info = &kind_infos[node->kind];
    const Term *args = node->args;
    struct facts operands[3];
    uint64_t value;
    if (info->properties & KP_FLOAT) return facts_of_float(terms, node);
    if (node->kind == KIND_SELECT) return facts_select(terms, node);
    if (!info->arity || node->kind == KIND_ARRAY_EQ) return facts_unknown(node->width);
    if (!is_narrow(terms, args[0])) { // a comparison of wide values, or an extract of one
        bool known =
            node->kind == KIND_EXTRACT && term_known_bits(terms, args[0], node->aux, node->width, &value);
        return known ? facts_const(value, node->width) : facts_unknown(node->width);
    }
    assert(info->arity <= COUNT(operands));
    for (unsigned i = 0; i < info->arity; i++) operands[i] = operand(terms, args[i]);
    struct facts facts =
        facts_apply((struct facts_operation){.kind = (enum kind)node->kind,
                                             .width = node->width,
                                             .operand_width = width_of(terms, args[0]),
                                             .low = node->kind == KIND_EXTRACT ? node->aux : 0},
                    operands);
    return node->kind == KIND_ADD ? as_difference(terms, node, facts) : facts;
}

struct facts facts_of(const struct terms *terms, const struct node *node) {
    assert(node->width <= 64);
    return facts_tighten(derive(terms, node), node->width);
}

bool term_known_bits(const struct terms *terms, Term t, unsigned low, unsigned n, uint64_t *value) {
    assert(n >= 1 && low + n <= width_of(terms, t));
    if (n > 64) return false;
    for (;;) {
        const struct node *node = node_of(terms, t);
        if (node->kind == KIND_CONST) {
            uint64_t bits[2];
            limbs_extract(bits, term_const_words(terms, t), node->width, low, n);
            *value = bits[0];
            return true;
        }
        if (node->width <= 64) {
            struct facts f = node->facts;
            *value = f.ones >> low & mask_bits(n);
            return ((f.zeros | f.ones) >> low & mask_bits(n)) == mask_bits(n);
        }
        if (node->kind != KIND_CONCAT) return false;
        unsigned split = width_of(terms, node->args[1]);
        if (low >= split) {
            t = node->args[0];
            low -= split;
        } else if (low + n <= split) {
            t = node->args[1];
        } else {
            return false;
        }
    }
}

unsigned term_leading_zeros(const struct terms *terms, Term t) {
    unsigned zeros = 0;
    for (;;) {
        const struct node *node = node_of(terms, t);
        if (node->width <= 64) {
            uint64_t high = node->facts.high;
            return zeros + (high ? (unsigned)__builtin_clzll(high) - (64 - node->width) : node->width);
        }
        if (node->kind == KIND_CONST) {
            unsigned i = node->width;
            while (i > 0 && !limbs_bit(node->limbs, i - 1)) i--;
            return zeros + node->width - i;
        }
        // The high part of a concat is not a concat (except in raw nodes): one level of recursion.
        if (node->kind != KIND_CONCAT || is_kind(terms, node->args[0], KIND_CONCAT)) return zeros;
        unsigned head = term_leading_zeros(terms, node->args[0]);
        zeros += head;
        if (head < width_of(terms, node->args[0])) return zeros;
        t = node->args[1];
    }
}
