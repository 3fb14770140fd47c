// Sums of monomials modulo 2^width, for widths of at most 64: like terms are combined.
#include "expr/expr_int.h"

static uint64_t linear_mask(const struct linear *linear) { return mask_bits(linear->width); }

// Adds factor * base, keeping the order. False: too many monomials.
static bool add_monomial(struct linear *linear, Term base, uint64_t factor) {
    unsigned i = linear->count;
    while (i > 0 && linear->at[i - 1].base > base) i--;
    if (i > 0 && linear->at[i - 1].base == base) {
        struct monomial *at = &linear->at[i - 1];
        at->factor = (at->factor + factor) & linear_mask(linear);
        if (at->factor) return true;
        memmove(at, at + 1, (linear->count - i) * sizeof *at);
        linear->count--;
        return true;
    }
    if (!(factor & linear_mask(linear))) return true;
    if (linear->count == COUNT(linear->at)) return false;
    memmove(&linear->at[i + 1], &linear->at[i], (linear->count - i) * sizeof linear->at[0]);
    linear->at[i] = (struct monomial){factor & linear_mask(linear), base};
    linear->count++;
    return true;
}

// Writes t as base << shift. The base is x if t is x << shift, else t >> shift. 0: the low bits of t are not
// constant zeros.
static Term unshifted(struct terms *terms, Term t, unsigned *shift) {
    unsigned width = width_of(terms, t);
    Term head = arg_of(terms, t, 0), last = arg_of(terms, t, 1);
    while (is_kind(terms, last, KIND_CONCAT)) last = arg_of(terms, last, 1);
    if (!term_is_zero(terms, last)) return 0;
    *shift = width_of(terms, last);
    if (last == arg_of(terms, t, 1) && is_kind(terms, head, KIND_EXTRACT) && node_of(terms, head)->aux == 0 &&
        width_of(terms, arg_of(terms, head, 0)) == width)
        return arg_of(terms, head, 0);
    return term_zext(terms, term_extract(terms, t, *shift, width - *shift), width);
}

static bool sum_of(struct terms *terms, Term t, struct linear *linear, bool nested);

// Adds one summand that is not a sum: a constant, a scaled term, or the term itself. Also expands one negated sum,
// but not sums below that.
static bool add_summand(struct terms *terms, struct linear *linear, Term t, uint64_t factor, bool nested) {
    for (;;) {
        const struct node *node = node_of(terms, t);
        if (node->kind == KIND_CONST) {
            linear->constant = (linear->constant + factor * value_of(terms, t)) & linear_mask(linear);
            return true;
        }
        if (node->kind == KIND_NEG) {
            factor = -factor;
            t = node->args[0];
        } else if (node->kind == KIND_NOT && node->width > 1) { // ~x = -x - 1
            linear->constant = (linear->constant - factor) & linear_mask(linear);
            factor = -factor;
            t = node->args[0];
        } else if (node->kind == KIND_MUL && is_const(terms, node->args[1])) {
            factor *= value_of(terms, node->args[1]);
            t = node->args[0];
        } else if (node->kind == KIND_CONCAT) {
            unsigned shift;
            Term base = unshifted(terms, t, &shift);
            if (!base) return add_monomial(linear, t, factor);
            factor = shift < 64 ? factor << shift : 0;
            t = base;
        } else {
            return add_monomial(linear, t, factor);
        }
        // Only a factor of 1 or -1 is distributed over a sum: otherwise one multiplication would become many.
        if (is_kind(terms, t, KIND_ADD)) {
            uint64_t one = factor & linear_mask(linear);
            if (nested || (one != 1 && one != linear_mask(linear))) return add_monomial(linear, t, factor);
            struct linear inner;
            return sum_of(terms, t, &inner, true) && linear_combine(linear, &inner, factor);
        }
    }
}

static bool sum_of(struct terms *terms, Term t, struct linear *linear, bool nested) {
    linear->width = width_of(terms, t);
    linear->count = 0;
    linear->constant = 0;
    assert(linear->width <= 64);
    unsigned steps = 0;
    while (is_kind(terms, t, KIND_ADD)) { // sums are left-nested
        if (++steps > MAX_MONOMIALS) return false;
        Term right = arg_of(terms, t, 1);
        if (is_kind(terms, right, KIND_ADD) ? !add_monomial(linear, right, 1)
                                            : !add_summand(terms, linear, right, 1, nested))
            return false;
        t = arg_of(terms, t, 0);
    }
    return add_summand(terms, linear, t, 1, nested) && linear->count <= MAX_MONOMIALS;
}

bool linear_of(struct terms *terms, Term t, struct linear *linear) { return sum_of(terms, t, linear, false); }

bool linear_combine(struct linear *sum, const struct linear *other, uint64_t factor) {
    assert(sum->width == other->width);
    for (unsigned i = 0; i < other->count; i++)
        if (!add_monomial(sum, other->at[i].base, other->at[i].factor * factor)) return false;
    sum->constant = (sum->constant + other->constant * factor) & linear_mask(sum);
    return true;
}

Term linear_scale(struct terms *terms, Term x, uint64_t factor) {
    unsigned width = width_of(terms, x);
    uint64_t mask = mask_bits(width);
    factor &= mask;
    assert(factor && width <= 64);
    if (factor == 1) return x;
    if (factor == mask) return node_intern1(terms, KIND_NEG, width, x);
    uint64_t negated = -factor & mask;
    if (!(factor & (factor - 1)) || !(negated & (negated - 1))) {
        unsigned shift = (unsigned)__builtin_ctzll(factor);
        Term shifted =
            term_concat(terms, term_extract(terms, x, 0, width - shift), term_const(terms, shift, 0));
        if (!(factor & (factor - 1)) || is_const(terms, shifted)) return shifted;
        return node_intern1(terms, KIND_NEG, width, shifted);
    }
    return node_intern2(terms, KIND_MUL, width, x, term_const(terms, width, factor));
}

Term linear_build(struct terms *terms, const struct linear *linear) {
    Term sum = 0;
    for (unsigned i = 0; i < linear->count; i++) {
        Term part = linear_scale(terms, linear->at[i].base, linear->at[i].factor);
        sum = sum ? node_intern2(terms, KIND_ADD, linear->width, sum, part) : part;
    }
    if (!sum) return term_const(terms, linear->width, linear->constant);
    if (!linear->constant) return sum;
    return node_intern2(terms, KIND_ADD, linear->width, sum,
                        term_const(terms, linear->width, linear->constant));
}
