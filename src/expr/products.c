// Normal forms of nonlinear terms: products with ordered factors, and quotients combined with their remainders.
//
// A product of several factors multiplies them in order of increasing id. So products that differ only in association
// and order are one node. With P = y * (x / y), signed or unsigned, P + x % y is x in every width, division by zero
// included. The rules below use that if the sum becomes shorter.
#include "expr/expr_int.h"

#define MOST_FACTORS 8u

static bool is_variable_product(const struct terms *terms, Term t) {
    return is_kind(terms, t, KIND_MUL) && !is_const(terms, arg_of(terms, t, 1));
}

// Adds the factors of t to `factors`, by increasing id. Returns their number; 0 if there are too many.
static unsigned factors_of(const struct terms *terms, Term t, Term *factors, unsigned count) {
    Term left[MOST_FACTORS + 1];
    unsigned waiting = 0;
    left[waiting++] = t;
    while (waiting) {
        t = left[--waiting];
        if (is_variable_product(terms, t)) {
            if (waiting + 2 > COUNT(left)) return 0;
            left[waiting++] = arg_of(terms, t, 0);
            left[waiting++] = arg_of(terms, t, 1);
            continue;
        }
        if (count == MOST_FACTORS) return 0;
        unsigned at = count++;
        for (; at > 0 && factors[at - 1] > t; at--) factors[at] = factors[at - 1];
        factors[at] = t;
    }
    return count;
}

Term product_order(struct terms *terms, Term a, Term b) {
    Term factors[MOST_FACTORS];
    assert(!is_const(terms, a) && !is_const(terms, b));
    if (!is_variable_product(terms, a) && !is_variable_product(terms, b)) return 0;
    unsigned count = factors_of(terms, a, factors, 0);
    count = count ? factors_of(terms, b, factors, count) : 0;
    if (!count) return 0;
    assert(count > 2);
    Term product = factors[0];
    for (unsigned i = 1; i < count; i++)
        product = node_intern2(terms, KIND_MUL, width_of(terms, a), MIN(product, factors[i]),
                               MAX(product, factors[i]));
    return product;
}

// A monomial as times * (y * (x / y)).
struct multiple {
    Term x, y;
    unsigned width; // width of the division; the bits above it are zero
    bool is_signed;
    uint64_t times;
};

static bool is_quotient(const struct terms *terms, Term t) {
    return is_kind(terms, t, KIND_UDIV) || is_kind(terms, t, KIND_SDIV);
}

static bool is_multiple(struct terms *terms, const struct monomial *monomial, struct multiple *m) {
    Term base = monomial->base, quotient = 0;
    unsigned width = width_of(terms, base);
    if (is_kind(terms, base, KIND_MUL)) {
        for (unsigned i = 0; i < 2 && !quotient; i++)
            if (is_quotient(terms, arg_of(terms, base, i)) &&
                arg_of(terms, arg_of(terms, base, i), 1) == arg_of(terms, base, !i))
                quotient = arg_of(terms, base, i);
        m->times = monomial->factor;
    } else {
        // The division has fewer bits: zeros above it.
        if (is_kind(terms, base, KIND_CONCAT) && term_is_zero(terms, arg_of(terms, base, 0)))
            base = arg_of(terms, base, 1);
        if (is_kind(terms, base, KIND_UDIV) || (is_quotient(terms, base) && width_of(terms, base) == width))
            quotient = base;
        if (!quotient || !is_const(terms, arg_of(terms, quotient, 1))) return false;
        int64_t factor = sign_extend(monomial->factor, width),
                by = is_kind(terms, quotient, KIND_SDIV)
                         ? sign_extend(value_of(terms, arg_of(terms, quotient, 1)), width)
                         : (int64_t)value_of(terms, arg_of(terms, quotient, 1));
        if (by == 0 || by == -1 || factor % by) return false;
        m->times = (uint64_t)(factor / by) & mask_bits(width);
    }
    if (!quotient) return false;
    m->x = arg_of(terms, quotient, 0);
    m->y = arg_of(terms, quotient, 1);
    m->width = width_of(terms, quotient);
    m->is_signed = is_kind(terms, quotient, KIND_SDIV);
    return true;
}

// Replaces monomial i by times * (x - x % y). False: that is not shorter.
static bool replace(struct terms *terms, struct linear *sum, unsigned i, const struct multiple *m) {
    struct linear shorter = *sum, part;
    unsigned width = sum->width;
    memmove(&shorter.at[i], &shorter.at[i + 1], (shorter.count - i - 1) * sizeof shorter.at[0]);
    shorter.count--;
    if (!linear_of(terms, term_zext(terms, m->x, width), &part) ||
        !linear_combine(&shorter, &part, m->times) || shorter.count > sum->count)
        return false;
    enum kind kind = m->is_signed ? KIND_SREM : KIND_UREM;
    Term rest = term_zext(terms, term_apply(terms, kind, m->x, m->y, 0), width);
    if (!linear_of(terms, rest, &part) || !linear_combine(&shorter, &part, -m->times) ||
        shorter.count >= sum->count)
        return false;
    *sum = shorter;
    return true;
}

void linear_contract(struct terms *terms, struct linear *sum) {
    struct multiple m;
    for (unsigned i = 0; i < sum->count && sum->count > 1;)
        if (is_multiple(terms, &sum->at[i], &m) && replace(terms, sum, i, &m))
            i = 0; // indices have changed; terminates, since the sum became shorter
        else
            i++;
}

// ---- Products of sums

// Adds factor * a * b, multiplied out if `a` or `b` is a sum. False: too many monomials.
static bool add_product(struct terms *terms, struct linear *sum, Term a, Term b, uint64_t factor) {
    struct linear left, right;
    if (!linear_of(terms, a, &left) || !linear_of(terms, b, &right)) return false;
    sum->constant = (sum->constant + factor * left.constant * right.constant) & mask_bits(sum->width);
    struct linear flat = {.width = sum->width};
    for (unsigned i = 0; i < left.count; i++) {
        flat.count = 1;
        flat.at[0] = (struct monomial){left.at[i].factor, left.at[i].base};
        if (right.constant && !linear_combine(sum, &flat, factor * right.constant)) return false;
        for (unsigned k = 0; k < right.count; k++) {
            uint64_t both = left.at[i].factor * right.at[k].factor & mask_bits(sum->width);
            if (!both) continue;
            flat.at[0] = (struct monomial){both, term_mul(terms, left.at[i].base, right.at[k].base)};
            if (!linear_combine(sum, &flat, factor)) return false;
        }
    }
    for (unsigned k = 0; left.constant && k < right.count; k++) {
        flat.count = 1;
        flat.at[0] = (struct monomial){right.at[k].factor, right.at[k].base};
        if (!linear_combine(sum, &flat, factor * left.constant)) return false;
    }
    return true;
}

static bool is_sum(const struct terms *terms, Term t) {
    return is_kind(terms, t, KIND_ADD) || is_kind(terms, t, KIND_NEG);
}

static bool is_expandable(const struct terms *terms, Term t) {
    if (!is_variable_product(terms, t)) return is_sum(terms, t);
    return is_sum(terms, arg_of(terms, t, 0)) || is_sum(terms, arg_of(terms, t, 1));
}

// Multiplies out the first monomial that is a multiple or a product of a sum. False: there is none, or too many
// monomials.
static bool expand_one(struct terms *terms, const struct linear *sum, struct linear *expanded) {
    unsigned i = 0;
    while (i < sum->count && !is_expandable(terms, sum->at[i].base)) i++;
    if (i == sum->count) return false;
    Term base = sum->at[i].base;
    uint64_t factor = sum->at[i].factor;
    *expanded = *sum;
    memmove(&expanded->at[i], &expanded->at[i + 1], (expanded->count - i - 1) * sizeof expanded->at[0]);
    expanded->count--;
    struct linear inner;
    bool good = is_variable_product(terms, base)
                    ? add_product(terms, expanded, arg_of(terms, base, 0), arg_of(terms, base, 1), factor)
                    : linear_of(terms, base, &inner) && linear_combine(expanded, &inner, factor);
    return good && expanded->count <= MAX_MONOMIALS;
}

// Clears the upper n bits of each base that is multiplied by 2^n. They do not matter, and bases with equal low bits
// combine.
static bool cut_bases(struct terms *terms, const struct linear *sum, struct linear *cut) {
    struct linear one = {.width = sum->width, .count = 1};
    *cut = (struct linear){.width = sum->width, .constant = sum->constant};
    for (unsigned i = 0; i < sum->count; i++) {
        unsigned zeros = (unsigned)__builtin_ctzll(sum->at[i].factor);
        Term low = term_extract(terms, sum->at[i].base, 0, sum->width - zeros);
        one.at[0] = (struct monomial){sum->at[i].factor, term_zext(terms, low, sum->width)};
        if (!linear_combine(cut, &one, 1)) return false;
    }
    return true;
}

#define MOST_EXPANSIONS 16u

bool linear_expand(struct terms *terms, struct linear *sum) {
    struct linear now = *sum, next;
    bool expanded = false;
    for (unsigned i = 0; i < MOST_EXPANSIONS && now.count > 1 && expand_one(terms, &now, &next); i++) {
        now = next;
        expanded = true;
    }
    if (expanded && now.count > 1 && cut_bases(terms, &now, &next)) now = next;
    if (!expanded || now.count > 1) return false;
    *sum = now;
    return true;
}
