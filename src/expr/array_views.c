// Views: splices, shifts and narrowed arrays. The builder of a read resolves views, so that the result has only selects
// from plain arrays. It also resolves the stores into a view: each store that may decide the read becomes an ite in the
// term of the read.
//
// Copies of copies share views: n blocks that were copied back and forth are n views, which as a tree have
// exponentially many leaves. So each pair of view and index is read once.
#include "expr/expr_int.h"

#include "base/hash.h"

static Term intern_view(struct terms *terms, enum kind kind, unsigned width, const Term args[3]) {
    struct node node = {.kind = (uint8_t)kind,
                        .rounding = true, // array_is_view
                        .width = (uint16_t)width,
                        .aux = term_index_width(terms, args[0]),
                        .args = {args[0], args[1], args[2]}};
    return node_intern(terms, &node);
}

bool term_array_is_view(const struct terms *terms, Term array) { return array_is_view(terms, array); }

static uint64_t pair_key(Term array, Term index) { return (uint64_t)array << 32 | index; }

// An array that a read visits, and the sum of the shifts on the way to it.
struct shifted_array {
    Term array, shift;
};

unsigned term_array_reads(struct terms *terms, Term array, unsigned most) {
    struct map seen = {0};
    vec(struct shifted_array) open = {0};
    vec_push(&open, ((struct shifted_array){array, term_const(terms, term_index_width(terms, array), 0)}));
    while (open.count && seen.count < most) {
        struct shifted_array one = vec_pop(&open);
        while (is_kind(terms, one.array, KIND_STORE)) one.array = arg_of(terms, one.array, 0);
        uint64_t *known = map_put(&seen, pair_key(one.array, one.shift));
        if (*known) continue;
        *known = true;
        if (!array_is_view(terms, one.array)) continue;
        enum kind kind = kind_of(terms, one.array);
        Term shift = one.shift;
        if (kind == KIND_ARRAY_SHIFT) shift = term_add(terms, shift, arg_of(terms, one.array, 1));
        vec_push(&open, ((struct shifted_array){arg_of(terms, one.array, 0), shift}));
        if (kind == KIND_ARRAY_SPLICE)
            vec_push(&open, ((struct shifted_array){arg_of(terms, one.array, 1), shift}));
    }
    unsigned count = seen.count;
    vec_free(&open);
    map_free(&seen);
    return count;
}

Term term_array_splice(struct terms *terms, Term below, Term above, Term at, Term count) {
    unsigned index_width = term_index_width(terms, below), width = width_of(terms, below);
    assert(width_of(terms, above) == width && term_index_width(terms, above) == index_width);
    assert(width_of(terms, at) == index_width && width_of(terms, count) == index_width);
    if (term_is_zero(terms, count) || above == below) return below;
    return intern_view(terms, KIND_ARRAY_SPLICE, width,
                       (Term[3]){below, above, term_concat(terms, at, count)});
}

Term term_array_shift(struct terms *terms, Term array, Term distance) {
    assert(width_of(terms, distance) == term_index_width(terms, array));
    if (term_is_zero(terms, distance) || is_kind(terms, array, KIND_ARRAY_CONST)) return array;
    if (is_kind(terms, array, KIND_ARRAY_SHIFT)) {
        Term both = term_add(terms, distance, arg_of(terms, array, 1));
        return term_array_shift(terms, arg_of(terms, array, 0), both);
    }
    return intern_view(terms, KIND_ARRAY_SHIFT, width_of(terms, array), (Term[3]){array, distance});
}

Term term_array_narrow(struct terms *terms, Term array, unsigned width) {
    unsigned whole = width_of(terms, array);
    assert(width && whole % width == 0);
    if (width == whole) return array;
    if (is_kind(terms, array, KIND_ARRAY_CONST) && term_is_zero(terms, arg_of(terms, array, 0)))
        return term_array_const(terms, term_index_width(terms, array), term_const(terms, width, 0));
    return intern_view(terms, KIND_ARRAY_NARROW, width, (Term[3]){array});
}

// Reads of views that have been built: (array, index) -> term.
struct view_reads {
    struct terms *terms;
    struct map known;
};
static Term select_through(struct view_reads *reads, Term array, Term index);

static Term select_splice(struct view_reads *reads, Term array, Term index) {
    struct terms *terms = reads->terms;
    Term below = arg_of(terms, array, 0), above = arg_of(terms, array, 1), range = arg_of(terms, array, 2);
    unsigned width = width_of(terms, index);
    Term at = term_extract(terms, range, width, width), count = term_extract(terms, range, 0, width);
    Term inside = term_ult(terms, term_sub(terms, index, at), count);
    if (inside == terms->true_term) return select_through(reads, above, index);
    if (inside == terms->false_term) return select_through(reads, below, index);
    Term upper = select_through(reads, above, index);
    return term_ite(terms, inside, upper, select_through(reads, below, index));
}

static Term select_narrow(struct view_reads *reads, Term array, Term index) {
    struct terms *terms = reads->terms;
    Term whole = arg_of(terms, array, 0);
    unsigned width = width_of(terms, array), wide = width_of(terms, whole),
             index_width = width_of(terms, index);
    Term parts = term_const(terms, index_width, wide / width);
    Term element = select_through(reads, whole, term_udiv(terms, index, parts));
    Term part = term_urem(terms, index, parts);
    if (is_const(terms, part))
        return term_extract(terms, element, (unsigned)term_const_words(terms, part)[0] * width, width);
    Term shift = term_mul(terms, term_resize(terms, part, wide), term_const(terms, wide, width));
    return term_extract(terms, term_lshr(terms, element, shift), 0, width);
}

// Reads the view itself; the stores into it have been resolved.
static Term select_below(struct view_reads *reads, Term array, Term index) {
    struct terms *terms = reads->terms;
    switch (kind_of(terms, array)) {
    case KIND_ARRAY_SPLICE: return select_splice(reads, array, index);
    case KIND_ARRAY_SHIFT: {
        Term moved = term_add(terms, index, arg_of(terms, array, 1));
        return select_through(reads, arg_of(terms, array, 0), moved);
    }
    case KIND_ARRAY_NARROW: return select_narrow(reads, array, index);
    default: assert(!array_is_view(terms, array)); return term_select(terms, array, index);
    }
}

static Term select_over_stores(struct view_reads *reads, Term array, Term index) {
    struct terms *terms = reads->terms;
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
    if (!result) result = select_below(reads, array, index);
    while (stores.count) {
        Term value = vec_pop(&stores), hit = vec_pop(&stores);
        result = term_ite(terms, hit, value, result);
    }
    vec_free(&stores);
    return result;
}

static Term select_through(struct view_reads *reads, Term array, Term index) {
    if (!array_is_view(reads->terms, array)) return term_select(reads->terms, array, index);
    const uint64_t *known = map_get(&reads->known, pair_key(array, index));
    if (known) return (Term)*known;
    Term result = select_over_stores(reads, array, index);
    *map_put(&reads->known, pair_key(array, index)) = result;
    return result;
}

Term array_views_select(struct terms *terms, Term array, Term index) {
    struct view_reads reads = {.terms = terms};
    Term result = select_through(&reads, array, index);
    map_free(&reads.known);
    return result;
}
