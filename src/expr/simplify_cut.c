// Rules for concat, extract and sign extension: reassembles values that were split into bytes.
#include "expr/expr_int.h"

// The term that t is an extract of, and the extract's lowest bit.
static Term cut_of(const struct terms *terms, Term t, unsigned *low) {
    const struct node *node = node_of(terms, t);
    *low = node->kind == KIND_EXTRACT ? node->aux : 0;
    return node->kind == KIND_EXTRACT ? node->args[0] : t;
}

static bool is_const_ite(const struct terms *terms, Term t) {
    return is_kind(terms, t, KIND_ITE) && is_const(terms, arg_of(terms, t, 1)) &&
           is_const(terms, arg_of(terms, t, 2));
}

// Whether a sum or product cannot wrap and its operands are zero-extended or constant: then it can be computed in
// more bits.
static bool can_widen(const struct terms *terms, Term t, unsigned depth) {
    const struct node *node = node_of(terms, t);
    if (node->kind == KIND_CONST) return true;
    if (node->kind == KIND_CONCAT) return term_is_zero(terms, node->args[0]);
    if ((node->kind != KIND_ADD && node->kind != KIND_MUL) || node->width > 64 || depth == 0) return false;
    uint64_t a = node_of(terms, node->args[0])->facts.high, b = node_of(terms, node->args[1])->facts.high, r;
    bool wraps = node->kind == KIND_ADD ? __builtin_add_overflow(a, b, &r) : __builtin_mul_overflow(a, b, &r);
    return !wraps && r <= mask_bits(node->width) && can_widen(terms, node->args[0], depth - 1) &&
           can_widen(terms, node->args[1], depth - 1);
}

// zext(x + y) is zext(x) + zext(y) if can_widen. Restores the width that splitting into bytes has reduced.
static Term widen(struct terms *terms, Term zeros, Term t) {
    enum kind kind = kind_of(terms, t);
    unsigned width = width_of(terms, zeros) + width_of(terms, t);
    if ((kind != KIND_ADD && kind != KIND_MUL) || width > 64 || !can_widen(terms, t, 6)) return 0;
    Term right = arg_of(terms, t, 1), left = term_zext(terms, arg_of(terms, t, 0), width);
    return term_apply(terms, kind, left, term_zext(terms, right, width), 0);
}

// Merges two adjacent parts into one term that is not a concat. 0: not possible.
static Term fuse(struct terms *terms, Term high, Term low) {
    unsigned high_width = width_of(terms, high), low_width = width_of(terms, low), at_high, at_low;
    if (is_const(terms, high) && is_const(terms, low)) return term_concat(terms, high, low);
    Term whole_high = cut_of(terms, high, &at_high), whole_low = cut_of(terms, low, &at_low);
    uint64_t known;
    if (whole_high != high && at_high >= low_width) {
        unsigned from = at_high - low_width;
        bool joins = whole_high == whole_low && at_low == from;
        if (!joins && is_const(terms, low))
            joins = low_width <= 64 && term_known_bits(terms, whole_high, from, low_width, &known) &&
                    known == value_of(terms, low);
        else if (!joins &&
                 is_kind(terms, whole_high, KIND_ADD)) // whose low extracts may have become sums of extracts
            joins = from == 0 && term_extract(terms, whole_high, 0, low_width) == low;
        else if (!joins && is_kind(terms, whole_high, KIND_MUL))
            joins = from == 0 && term_extract(terms, whole_high, 0, low_width) == low;
        if (joins) return term_extract(terms, whole_high, from, high_width + low_width);
    }
    if (is_const(terms, high) && high_width <= 64 && whole_low != low &&
        at_low + low_width + high_width <= width_of(terms, whole_low) &&
        term_known_bits(terms, whole_low, at_low + low_width, high_width, &known) &&
        known == value_of(terms, high))
        return term_extract(terms, whole_low, at_low, high_width + low_width);
    if (term_is_zero(terms, high) && (whole_low = widen(terms, high, low))) return whole_low;
    if (is_const_ite(terms, high) && is_const_ite(terms, low) &&
        arg_of(terms, high, 0) == arg_of(terms, low, 0)) {
        Term a = term_concat(terms, arg_of(terms, high, 1), arg_of(terms, low, 1));
        Term b = term_concat(terms, arg_of(terms, high, 2), arg_of(terms, low, 2));
        Term t = term_ite(terms, arg_of(terms, high, 0), a, b);
        return is_kind(terms, t, KIND_CONCAT) ? 0 : t;
    }
    return 0;
}

// Chains are right-nested: ((a b) c) becomes (a (b c)).
static Term concat_chain(struct terms *terms, Term high, Term low) {
    vec(Term) pieces = {0};
    while (is_kind(terms, high, KIND_CONCAT)) {
        vec_push(&pieces, arg_of(terms, high, 0));
        high = arg_of(terms, high, 1);
    }
    Term t = term_concat(terms, high, low);
    while (pieces.count) {
        Term piece = vec_pop(&pieces);
        t = term_concat(terms, piece, t);
    }
    vec_free(&pieces);
    return t;
}

Term simplify_concat(struct terms *terms, Term high, Term low) {
    if (is_kind(terms, high, KIND_CONCAT)) return concat_chain(terms, high, low);
    bool chain = is_kind(terms, low, KIND_CONCAT);
    Term rest = chain ? arg_of(terms, low, 1) : 0;
    Term fused = fuse(terms, high, chain ? arg_of(terms, low, 0) : low);
    if (!fused) return 0;
    return chain ? term_concat(terms, fused, rest) : fused;
}

static Term extract_concat(struct terms *terms, Term a, unsigned low, unsigned width) {
    Term high_part = arg_of(terms, a, 0), low_part = arg_of(terms, a, 1);
    unsigned split = width_of(terms, low_part);
    assert(low < split && low + width > split);
    Term left = term_extract(terms, high_part, 0, low + width - split);
    return term_concat(terms, left, term_extract(terms, low_part, low, split - low));
}

// Whether an extract of this term is always simplified.
static bool cuts_free(const struct terms *terms, Term t) {
    switch (kind_of(terms, t)) {
    case KIND_CONST:
    case KIND_CONCAT:
    case KIND_SEXT:
    case KIND_EXTRACT: return true;
    default: return false;
    }
}

// The low bits of arithmetic depend on low bits only: removes C's promotions to int.
static Term extract_arithmetic(struct terms *terms, Term a, unsigned width) {
    const struct node *node = node_of(terms, a);
    unsigned arity = kind_infos[node->kind].arity;
    Term args[3] = {0};
    for (unsigned i = 0; i < arity; i++)
        if (!cuts_free(terms, node->args[i])) return 0;
    enum kind kind = (enum kind)node->kind;
    for (unsigned i = 0; i < arity; i++) args[i] = term_extract(terms, arg_of(terms, a, i), 0, width);
    return term_apply(terms, kind, args[0], args[1], 0);
}

// An extract of x & c, x | c, x ^ c where the extracted part of c is all zeros or all ones.
static Term extract_masked(struct terms *terms, Term a, unsigned low, unsigned width) {
    if (!is_const(terms, arg_of(terms, a, 1))) return 0;
    enum kind kind = kind_of(terms, a);
    Term cut = term_extract(terms, arg_of(terms, a, 1), low, width);
    if (!term_is_zero(terms, cut) && !term_is_ones(terms, cut)) return 0;
    return term_apply(terms, kind, term_extract(terms, arg_of(terms, a, 0), low, width), cut, 0);
}

static Term extract_step(struct terms *terms, Term a, unsigned low, unsigned width) {
    const struct node *node = node_of(terms, a);
    switch (node->kind) {
    case KIND_CONCAT: return extract_concat(terms, a, low, width);
    case KIND_SEXT: {
        Term x = node->args[0];
        unsigned inner = width_of(terms, x);
        if (low >= inner) return term_sext(terms, term_extract(terms, x, inner - 1, 1), width);
        return term_sext(terms, term_extract(terms, x, low, inner - low), width);
    }
    case KIND_ITE: {
        if (!is_const_ite(terms, a)) return 0;
        Term c = node->args[0], y = node->args[2];
        Term x = term_extract(terms, node->args[1], low, width);
        return term_ite(terms, c, x, term_extract(terms, y, low, width));
    }
    case KIND_ADD:
    case KIND_MUL:
    case KIND_NEG: return low == 0 ? extract_arithmetic(terms, a, width) : 0;
    case KIND_AND:
    case KIND_OR:
    case KIND_XOR: return extract_masked(terms, a, low, width);
    default: return 0;
    }
}

Term simplify_extract(struct terms *terms, Term a, unsigned low, unsigned width) {
    Term start = a;
    for (;;) {
        const struct node *node = node_of(terms, a);
        if (node->kind == KIND_EXTRACT) {
            low += node->aux;
            a = node->args[0];
            continue;
        }
        if (node->kind == KIND_SEXT && low + width <= width_of(terms, node->args[0])) {
            a = node->args[0];
            continue;
        }
        if (node->kind != KIND_CONCAT) break;
        unsigned split = width_of(terms, node->args[1]);
        if (low < split && low + width > split) break;
        a = low >= split ? node->args[0] : node->args[1];
        if (low >= split) low -= split;
    }
    Term t = width == width_of(terms, a) ? a : extract_step(terms, a, low, width);
    if (t || a == start) return t;
    return term_extract(terms, a, low, width); // no further rule: only interns
}

Term simplify_sext(struct terms *terms, Term a, unsigned width) {
    unsigned inner = width_of(terms, a);
    if (is_kind(terms, a, KIND_SEXT)) return term_sext(terms, arg_of(terms, a, 0), width);
    uint64_t sign;
    if (term_known_bits(terms, a, inner - 1, 1, &sign)) {
        Term zero = term_const(terms, width - inner, 0);
        return term_concat(terms, sign ? term_not(terms, zero) : zero, a);
    }
    if (is_const_ite(terms, a)) {
        Term c = arg_of(terms, a, 0), y = arg_of(terms, a, 2);
        Term x = term_sext(terms, arg_of(terms, a, 1), width);
        return term_ite(terms, c, x, term_sext(terms, y, width));
    }
    return 0;
}
