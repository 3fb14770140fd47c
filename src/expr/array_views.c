// Views: splices, shifts and narrowed arrays. A read goes through them when it is built, so that everything below
// it is a select from a plain array. Stores above a view become ites for the same reason.
#include "expr/expr_int.h"

static Term intern_view(struct terms *terms, enum kind kind, unsigned width, unsigned leaves,
                        const Term args[3]) {
    struct node node = {.kind = (uint8_t)kind,
                        .rounding = (uint8_t)MIN(leaves, ARRAY_MAX_LEAVES),
                        .width = (uint16_t)width,
                        .aux = term_index_width(terms, args[0]),
                        .args = {args[0], args[1], args[2]}};
    assert(node.rounding);
    return node_intern(terms, &node);
}

unsigned term_array_leaves(const struct terms *terms, Term array) {
    unsigned leaves = array_leaves(terms, array);
    return leaves ? leaves : 1;
}

Term term_array_splice(struct terms *terms, Term below, Term above, Term at, Term count) {
    unsigned index_width = term_index_width(terms, below), width = width_of(terms, below);
    assert(width_of(terms, above) == width && term_index_width(terms, above) == index_width);
    assert(width_of(terms, at) == index_width && width_of(terms, count) == index_width);
    if (term_is_zero(terms, count) || above == below) return below;
    return intern_view(terms, KIND_ARRAY_SPLICE, width,
                       term_array_leaves(terms, below) + term_array_leaves(terms, above),
                       (Term[3]){below, above, term_concat(terms, at, count)});
}

Term term_array_shift(struct terms *terms, Term array, Term distance) {
    assert(width_of(terms, distance) == term_index_width(terms, array));
    if (term_is_zero(terms, distance) || is_kind(terms, array, KIND_ARRAY_CONST)) return array;
    if (is_kind(terms, array, KIND_ARRAY_SHIFT)) {
        Term both = term_add(terms, distance, arg_of(terms, array, 1));
        return term_array_shift(terms, arg_of(terms, array, 0), both);
    }
    return intern_view(terms, KIND_ARRAY_SHIFT, width_of(terms, array), term_array_leaves(terms, array),
                       (Term[3]){array, distance});
}

Term term_array_narrow(struct terms *terms, Term array, unsigned width) {
    unsigned whole = width_of(terms, array);
    assert(width && whole % width == 0);
    if (width == whole) return array;
    if (is_kind(terms, array, KIND_ARRAY_CONST) && term_is_zero(terms, arg_of(terms, array, 0)))
        return term_array_const(terms, term_index_width(terms, array), term_const(terms, width, 0));
    return intern_view(terms, KIND_ARRAY_NARROW, width, term_array_leaves(terms, array), (Term[3]){array});
}

static Term select_splice(struct terms *terms, Term array, Term index) {
    Term below = arg_of(terms, array, 0), above = arg_of(terms, array, 1), range = arg_of(terms, array, 2);
    unsigned width = width_of(terms, index);
    Term at = term_extract(terms, range, width, width), count = term_extract(terms, range, 0, width);
    Term inside = term_ult(terms, term_sub(terms, index, at), count);
    if (inside == terms->true_term) return term_select(terms, above, index);
    if (inside == terms->false_term) return term_select(terms, below, index);
    Term upper = term_select(terms, above, index);
    return term_ite(terms, inside, upper, term_select(terms, below, index));
}

static Term select_narrow(struct terms *terms, Term array, Term index) {
    Term whole = arg_of(terms, array, 0);
    unsigned width = width_of(terms, array), wide = width_of(terms, whole),
             index_width = width_of(terms, index);
    Term parts = term_const(terms, index_width, wide / width);
    Term element = term_select(terms, whole, term_udiv(terms, index, parts));
    Term part = term_urem(terms, index, parts);
    if (is_const(terms, part))
        return term_extract(terms, element, (unsigned)term_const_words(terms, part)[0] * width, width);
    Term shift = term_mul(terms, term_resize(terms, part, wide), term_const(terms, wide, width));
    return term_extract(terms, term_lshr(terms, element, shift), 0, width);
}

// Reads the view itself; stores above it were crossed.
static Term select_below(struct terms *terms, Term array, Term index) {
    switch (kind_of(terms, array)) {
    case KIND_ARRAY_SPLICE: return select_splice(terms, array, index);
    case KIND_ARRAY_SHIFT: {
        Term moved = term_add(terms, index, arg_of(terms, array, 1));
        return term_select(terms, arg_of(terms, array, 0), moved);
    }
    case KIND_ARRAY_NARROW: return select_narrow(terms, array, index);
    default: assert(!array_leaves(terms, array)); return term_select(terms, array, index);
    }
}

Term array_views_select(struct terms *terms, Term array, Term index) {
    vec(Term)
        stores = {0}; // stores that may decide the read, the last one first: pairs of condition and value
    Term result = 0;
    for (; !result && is_kind(terms, array, KIND_STORE); array = arg_of(terms, array, 0)) {
        Term hit = term_eq(terms, arg_of(terms, array, 1), index);
        if (hit == terms->true_term) {
            result = arg_of(terms, array, 2);
        } else if (hit != terms->false_term) {
            vec_push(&stores, hit);
            vec_push(&stores, arg_of(terms, array, 2));
        }
    }
    if (!result) result = select_below(terms, array, index);
    while (stores.count) {
        Term value = vec_pop(&stores), hit = vec_pop(&stores);
        result = term_ite(terms, hit, value, result);
    }
    vec_free(&stores);
    return result;
}
