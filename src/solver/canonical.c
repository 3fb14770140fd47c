#include "solver/canonical.h"

#include "base/hash.h"
#include "base/run_limits.h"

#include <stdlib.h>

// A shape is the hash of a condition's nodes in the order of a depth-first walk. Operands are named by their index in
// that order, vars by the order of their first occurrence. It is computed once for each condition. The name of a
// query is the hash of its conditions' shapes, sorted, each followed by its vars, renamed over the whole query.
#define LARGEST_CONDITION 20000u // nodes
#define MOST_CONDITIONS   4096u

struct shape_of {
    Term condition;
    struct digest digest;
    uint32_t first, count; // range of its vars in `vars`
    bool usable;
};

struct canonical {
    struct terms *terms;
    struct map shapes; // Term -> number in `shape`, plus 1
    vec(struct shape_of) shape;
    var_list vars;    // vars of all shapes
    struct map local; // Term -> index in the walk, plus 1; var with the high bit -> its number
    vec(Term) stack;
    vec(uint32_t) sorted; // numbers of shapes
    struct map renamed;
    struct digest digest; // being computed
    uint32_t places, numbers;
    bool usable;
    uint64_t visits;
};

static void add(struct digest *digest, uint64_t x) {
    digest->a = hash_combine(digest->a, x);
    unsigned __int128 product = (unsigned __int128)(digest->b ^ x ^ 0xa0761d6478bd642fu) *
                                (0xe7037ed1a0b428dbu ^ (x << 32 | x >> 32));
    digest->b = (uint64_t)product ^ (uint64_t)(product >> 64) ^ digest->b * 0x8ebc6af09c88c6e3u;
}

static void forget_shapes(struct terms *terms, void *context) {
    struct canonical *canonical = context;
    map_clear(&canonical->shapes);
    vec_clear(&canonical->shape);
    vec_clear(&canonical->vars);
}

struct canonical *canonical_new(struct terms *terms) {
    struct canonical *canonical = NEW(struct canonical);
    canonical->terms = terms;
    terms_on_collect(terms, forget_shapes, canonical);
    return canonical;
}

void canonical_free(struct canonical *canonical) {
    if (!canonical) return;
    terms_off_collect(canonical->terms, forget_shapes, canonical);
    map_free(&canonical->shapes);
    vec_free(&canonical->shape);
    vec_free(&canonical->vars);
    map_free(&canonical->local);
    vec_free(&canonical->stack);
    vec_free(&canonical->sorted);
    map_free(&canonical->renamed);
    DELETE(canonical);
}

uint64_t canonical_visits(const struct canonical *canonical) { return canonical->visits; }

#define VAR_KEY (1ull << 40)

static uint32_t number_of(struct canonical *canonical, uint32_t var) {
    uint64_t *number = map_put(&canonical->local, VAR_KEY | var);
    if (!*number) {
        vec_push(&canonical->vars, var);
        *number = ++canonical->numbers;
    }
    return (uint32_t)*number;
}

static void add_leaf_data(struct canonical *canonical, Term t) {
    struct terms *terms = canonical->terms;
    struct digest *digest = &canonical->digest;
    unsigned bytes;
    uint32_t count;
    switch (term_kind(terms, t)) {
    case KIND_CONST:
        for (unsigned i = 0; i < (term_width(terms, t) + 63) / 64; i++) add(digest, term_limbs(terms, t)[i]);
        break;
    case KIND_BYTE: add(digest, number_of(canonical, term_var(terms, t))); break;
    case KIND_ARRAY_INPUT:
        count = term_array_input_size(terms, t);
        add(digest, count);
        for (uint32_t i = 0; i < count; i++)
            add(digest, number_of(canonical, terms_input_var(terms, term_array_input(terms, t), i)));
        break;
    case KIND_ARRAY_LITERAL:
        count = term_arity(terms, t);
        add(digest, count);
        if (term_literal_packed(terms, t, &bytes))
            for (uint32_t i = 0; i < count; i++) add(digest, term_literal_value(terms, t, i));
        break;
    case KIND_ARRAY_VAR: canonical->usable = false; break;
    default: break;
    }
}

// Adds a node whose operands have an index.
static void add_node(struct canonical *canonical, Term t) {
    struct terms *terms = canonical->terms;
    struct shape shape = term_shape(terms, t);
    add(&canonical->digest, (uint64_t)shape.kind << 56 | (uint64_t)shape.rounding << 48 |
                                (uint64_t)shape.width << 32 | (uint64_t)shape.index_width << 16 | shape.low);
    if (shape.format | shape.source) add(&canonical->digest, (uint64_t)shape.format << 16 | shape.source);
    add_leaf_data(canonical, t);
    for (uint32_t i = 0; !term_is_table(terms, t) && i < term_arity(terms, t); i++)
        add(&canonical->digest, *map_get(&canonical->local, term_arg(terms, t, i)));
    *map_put(&canonical->local, t) = ++canonical->places;
    canonical->visits++;
    canonical->usable &= canonical->places <= LARGEST_CONDITION;
}

static void walk(struct canonical *canonical, Term root) {
    struct terms *terms = canonical->terms;
    assert(!canonical->stack.count && !canonical->places);
    vec_push(&canonical->stack, root);
    while (canonical->stack.count && canonical->usable) {
        limits_poll();
        Term t = *vec_last(&canonical->stack);
        uint32_t before = canonical->stack.count;
        if (map_get(&canonical->local, t)) {
            canonical->stack.count--;
            continue;
        }
        for (uint32_t i = term_is_table(terms, t) ? 0 : term_arity(terms, t); i-- > 0;)
            if (!map_get(&canonical->local, term_arg(terms, t, i)))
                vec_push(&canonical->stack, term_arg(terms, t, i));
        if (canonical->stack.count > before) continue;
        add_node(canonical, t);
        canonical->stack.count--;
    }
    vec_clear(&canonical->stack);
}

static uint32_t shape_number(struct canonical *canonical, Term condition) {
    uint64_t *known = map_get(&canonical->shapes, condition);
    if (known) return (uint32_t)*known - 1;
    struct shape_of shape = {.condition = condition, .first = canonical->vars.count};
    map_clear(&canonical->local);
    canonical->digest = (struct digest){1, 2};
    canonical->places = canonical->numbers = 0;
    canonical->usable = true;
    walk(canonical, condition);
    shape.digest = canonical->digest;
    shape.usable = canonical->usable;
    shape.count = canonical->vars.count - shape.first;
    assert(shape.count == canonical->numbers);
    vec_push(&canonical->shape, shape);
    *map_put(&canonical->shapes, condition) = canonical->shape.count;
    return canonical->shape.count - 1;
}

// Orders shapes by digest, then by vars, so that equal shapes keep their order when all inputs are shifted.
static int compare_shapes(const void *a, const void *b, void *context) {
    struct canonical *canonical = context;
    const struct shape_of *x = &canonical->shape.at[*(const uint32_t *)a],
                          *y = &canonical->shape.at[*(const uint32_t *)b];
    if (x->digest.a != y->digest.a) return x->digest.a < y->digest.a ? -1 : 1;
    if (x->digest.b != y->digest.b) return x->digest.b < y->digest.b ? -1 : 1;
    for (uint32_t i = 0; i < x->count && i < y->count; i++) {
        uint32_t v = canonical->vars.at[x->first + i], w = canonical->vars.at[y->first + i];
        if (v != w) return v < w ? -1 : 1;
    }
    return 0;
}

bool canonical_name(struct canonical *canonical, const Term *conditions, uint32_t count, struct digest *name,
                    var_list *order) {
    assert(count > 0);
    if (count > MOST_CONDITIONS) return false;
    vec_clear(&canonical->sorted);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = shape_number(canonical, conditions[i]);
        if (!canonical->shape.at[number].usable) return false;
        vec_push(&canonical->sorted, number);
    }
    qsort_r(canonical->sorted.at, canonical->sorted.count, sizeof(uint32_t), compare_shapes, canonical);
    map_clear(&canonical->renamed);
    vec_clear(order);
    *name = (struct digest){3, 4};
    uint32_t last = UINT32_MAX;
    vec_each (uint32_t, number, &canonical->sorted) {
        if (*number == last) continue; // the same condition twice
        last = *number;
        const struct shape_of *shape = &canonical->shape.at[*number];
        add(name, shape->digest.a);
        add(name, shape->digest.b);
        for (uint32_t i = 0; i < shape->count; i++) {
            uint32_t var = canonical->vars.at[shape->first + i];
            uint64_t *renamed = map_put(&canonical->renamed, var);
            if (!*renamed) {
                vec_push(order, var);
                *renamed = order->count;
            }
            add(name, *renamed);
        }
    }
    return true;
}
