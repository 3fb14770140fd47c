#include "solver/invert.h"

#define MOST_BYTES 8u // of a word

bool invert_is_odd_product(struct terms *terms, Term t) {
    if (term_kind(terms, t) != KIND_MUL || term_width(terms, t) > 64) return false;
    Term factor = term_arg(terms, t, 1);
    return term_is_const(terms, factor) && term_value(terms, factor) & 1;
}

static bool is_shifted(struct terms *terms, Term t) {
    return term_kind(terms, t) == KIND_ADD && term_width(terms, t) <= 64 &&
           term_is_const(terms, term_arg(terms, t, 1));
}

// The operands of the linear part of a hash: input bytes, or one product or sum of the same width.
struct leaves {
    struct terms *terms;
    unsigned width;
    bool is_linear;
    uint32_t count;
    Term at[MOST_BYTES];
};

static bool has_leaf(const struct leaves *leaves, Term t) {
    for (uint32_t i = 0; i < leaves->count; i++)
        if (leaves->at[i] == t) return true;
    return false;
}

static void find_leaves(struct leaves *leaves, Term t) {
    struct terms *terms = leaves->terms;
    bool is_step = invert_is_odd_product(terms, t) || is_shifted(terms, t);
    switch (is_step ? KIND_BYTE : term_kind(terms, t)) {
    case KIND_XOR:
    case KIND_CONCAT:
    case KIND_EXTRACT:
    case KIND_NOT:
        for (uint32_t i = 0; i < term_arity(terms, t) && leaves->is_linear; i++)
            find_leaves(leaves, term_arg(terms, t, i));
        break;
    case KIND_BYTE:
        if (has_leaf(leaves, t)) break;
        leaves->is_linear = leaves->count < MOST_BYTES;
        if (leaves->is_linear) leaves->at[leaves->count++] = t;
        break;
    default: leaves->is_linear &= term_is_const(terms, t);
    }
}

// Finds the leaves of t. False: it is not a linear map of one word of its width.
static bool leaves_of(struct terms *terms, Term t, struct leaves *leaves) {
    *leaves = (struct leaves){.terms = terms, .width = term_width(terms, t), .is_linear = true};
    if (leaves->width > 64) return false;
    find_leaves(leaves, t);
    unsigned bits = 0;
    for (uint32_t i = 0; i < leaves->count; i++) bits += term_width(terms, leaves->at[i]);
    return leaves->is_linear && leaves->count && bits == leaves->width;
}

bool invert_may(struct terms *terms, Term t) {
    while (invert_is_odd_product(terms, t) || is_shifted(terms, t)) t = term_arg(terms, t, 0);
    struct leaves leaves;
    if (!leaves_of(terms, t, &leaves)) return false;
    Term first = leaves.at[0];
    if (leaves.count == 1 && term_kind(terms, first) != KIND_BYTE) return invert_may(terms, first);
    for (uint32_t i = 0; i < leaves.count; i++)
        if (term_kind(terms, leaves.at[i]) != KIND_BYTE) return false;
    return true;
}

// ---- linear maps

// The value of t if the leaves have the bits of `word`. False: it is not a constant.
static bool value_at(const struct leaves *leaves, Term t, uint64_t word, uint64_t *value) {
    struct map values = {0};
    assert(leaves->is_linear && leaves->count);
    for (uint32_t i = 0; i < leaves->count; i++) {
        unsigned width = term_width(leaves->terms, leaves->at[i]);
        *map_put(&values, leaves->at[i]) = term_const(leaves->terms, width, word & mask_bits(width));
        word = width < 64 ? word >> width : 0;
    }
    Term result = term_substitute(leaves->terms, t, &values, NULL);
    map_free(&values);
    if (!term_is_const(leaves->terms, result)) return false;
    *value = term_value(leaves->terms, result);
    return true;
}

// Solves t == value for the bits of the leaves, by Gaussian elimination. False: not a bijection.
static bool solve(const struct leaves *leaves, Term t, uint64_t value, uint64_t *word) {
    uint64_t column[64] = {0}, source[64] = {0}, zero,
             at; // by highest bit; the bits of the word that give the column
    if (!value_at(leaves, t, 0, &zero)) return false;
    for (unsigned bit = 0; bit < leaves->width; bit++) {
        if (!value_at(leaves, t, 1ull << bit, &at)) return false;
        uint64_t rest = at ^ zero, from = 1ull << bit;
        while (rest && column[63 - __builtin_clzll(rest)]) {
            unsigned top = 63 - (unsigned)__builtin_clzll(rest);
            rest ^= column[top];
            from ^= source[top];
        }
        if (!rest) return false; // depends on other columns
        column[63 - __builtin_clzll(rest)] = rest;
        source[63 - __builtin_clzll(rest)] = from;
    }
    *word = 0;
    for (uint64_t rest = value ^ zero; rest;) {
        unsigned top = 63 - (unsigned)__builtin_clzll(rest);
        assert(column[top]); // as many independent columns as bits
        rest ^= column[top];
        *word ^= source[top];
    }
    return true;
}

static uint64_t inverse_of(uint64_t odd) {
    uint64_t inverse = 1;
    for (unsigned i = 0; i < 6; i++) inverse *= 2 - odd * inverse; // Newton's method: correct bits double
    return inverse;
}

bool invert_assign(struct query *query, Term t, uint64_t value) {
    struct terms *terms = query->solver->terms;
    struct leaves leaves;
    uint64_t word;
    if (!invert_may(terms, t)) return false;
    while (invert_is_odd_product(terms, t) || is_shifted(terms, t)) {
        uint64_t constant = term_value(terms, term_arg(terms, t, 1));
        value = is_shifted(terms, t) ? value - constant : value * inverse_of(constant);
        value &= mask_bits(term_width(terms, t));
        t = term_arg(terms, t, 0);
    }
    if (!leaves_of(terms, t, &leaves) || !solve(&leaves, t, value, &word)) return false;
    if (term_kind(terms, leaves.at[0]) != KIND_BYTE) return invert_assign(query, leaves.at[0], word);
    for (uint32_t i = 0; i < leaves.count; i++, word >>= 8)
        query->found.at[query_position(query, term_var(terms, leaves.at[i]))] = (uint8_t)word;
    return true;
}
