#include "solver/product_lemmas.h"

static unsigned bits_of(uint64_t value) { return value ? 64 - (unsigned)__builtin_clzll(value) : 0; }

// x < 2^bits.
static Term is_below_power(struct terms *terms, Term x, unsigned bits) {
    unsigned width = term_width(terms, x);
    if (bits >= width) return term_true(terms);
    Term above = term_extract(terms, x, bits, width - bits);
    return term_eq(terms, above, term_const(terms, width - bits, 0));
}

// A condition under which the product of the factors does not overflow and which the model satisfies. 0: none is known.
static Term fits(struct terms *terms, const struct product *p) {
    unsigned width = term_width(terms, p->result), bits = bits_of(p->values[0]);
    if (bits_of(p->high[0]) + bits_of(p->high[1]) <= width) return term_true(terms);
    if (bits + bits_of(p->values[1]) > width) return 0;
    return term_and(terms, is_below_power(terms, p->factors[0], bits),
                    is_below_power(terms, p->factors[1], width - bits));
}

static bool is_wrong(const struct terms *terms, const struct product *p) {
    unsigned width = term_width(terms, p->result);
    assert(width <= 64);
    return p->value != (p->values[0] * p->values[1] & mask_bits(width));
}

static void add(struct terms *terms, term_list *lemmas, Term condition, Term fact) {
    Term lemma = term_implies(terms, condition, fact);
    if (lemma != term_true(terms)) vec_push(lemmas, lemma);
}

// If a factor x has the value v of the model, the product is v times the other factor.
static void add_exact(struct terms *terms, const struct product *p, term_list *lemmas) {
    unsigned width = term_width(terms, p->result);
    assert(is_wrong(terms, p));
    for (unsigned i = 0; i < 2; i++) {
        assert(term_width(terms, p->factors[i]) == width && p->values[i] <= mask_bits(width));
        Term value = term_const(terms, width, p->values[i]);
        add(terms, lemmas, term_eq(terms, p->factors[i], value),
            term_eq(terms, p->result, term_mul(terms, p->factors[!i], value)));
    }
}

// For a factor x from 2^k to 2^(k + 1) - 1 and the other factor y, the product is from y << k to (y << (k + 1)) - y.
static void add_bounds(struct terms *terms, const struct product *p, term_list *lemmas) {
    unsigned width = term_width(terms, p->result);
    Term exact = fits(terms, p);
    assert(is_wrong(terms, p));
    if (!exact) return; // else the products below have at most 64 bits
    for (unsigned i = 0; i < 2; i++) {
        unsigned bits = bits_of(p->values[i]);
        if (!bits) continue; // the lemma about x = 0 is exact
        Term other = p->factors[!i];
        if (p->value < p->values[!i] << (bits - 1)) {
            Term low = term_shl(terms, other, term_const(terms, width, bits - 1));
            Term large = term_not(terms, is_below_power(terms, p->factors[i], bits - 1));
            add(terms, lemmas, term_and(terms, exact, large), term_ule(terms, low, p->result));
        }
        if (bits + bits_of(p->values[!i]) <= width && p->value > p->values[!i] * mask_bits(bits)) {
            Term most = term_mul(terms, other, term_const(terms, width, mask_bits(bits)));
            Term small = term_and(terms, is_below_power(terms, p->factors[i], bits),
                                  is_below_power(terms, other, width - bits));
            add(terms, lemmas, small, term_ule(terms, p->result, most));
        }
    }
}

// With a common factor c, and if b * c does not overflow: a < b implies a * c + c <= b * c, and a = b implies equal
// products. (If a * c has fewer bits, it may be reduced: the first implication still holds.)
static void add_monotonic(struct terms *terms, const struct product *less, unsigned i,
                          const struct product *more, unsigned k, term_list *lemmas) {
    uint64_t a = less->values[i], b = more->values[k], c = less->values[!i];
    assert(less != more && i < 2 && k < 2);
    if (less->support[!i] != more->support[!k] || c != more->values[!k] || a > b) return;
    Term exact = fits(terms, more);
    if (!exact) return;
    unsigned width = MAX(term_width(terms, less->result), term_width(terms, more->result));
    Term p = term_zext(terms, less->result, width), q = term_zext(terms, more->result, width);
    Term x = term_zext(terms, less->factors[i], width), y = term_zext(terms, more->factors[k], width);
    Term common = term_zext(terms, less->factors[!i], width);
    exact = term_and(terms, exact, term_eq(terms, common, term_zext(terms, more->factors[!k], width)));
    if (a < b && (less->value > more->value || more->value - less->value < c))
        add(terms, lemmas, term_and(terms, exact, term_ult(terms, x, y)),
            term_and(terms, term_ule(terms, p, q), term_ule(terms, common, term_sub(terms, q, p))));
    if (a == b && less->value > more->value)
        add(terms, lemmas, term_and(terms, exact, term_eq(terms, x, y)), term_ule(terms, p, q));
}

// Lemmas about pairs decide most queries, and are tried first. Exact ones have constant multipliers: they come last.
void product_lemmas(struct terms *terms, const struct product *products, uint32_t count, term_list *lemmas) {
    uint32_t had = lemmas->count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            for (unsigned sides = 0; sides < 4 && i != k; sides++)
                add_monotonic(terms, &products[i], sides & 1, &products[k], sides >> 1, lemmas);
    for (uint32_t i = 0; i < count && lemmas->count == had; i++)
        if (is_wrong(terms, &products[i])) add_bounds(terms, &products[i], lemmas);
    for (uint32_t i = 0; i < count && lemmas->count == had; i++)
        if (is_wrong(terms, &products[i])) add_exact(terms, &products[i], lemmas);
}
