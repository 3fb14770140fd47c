// The equate layer: inputs that must be equal are substituted for each other.
//
// After a == b, a hash of a and a hash of b are the same term; for SAT they would be two circuits whose equality must
// be proved. The layer answers no if a condition becomes false by the substitution. Otherwise SAT gets the rewritten
// conditions.
#include "solver/solver_int.h"

// The representative of the byte at a position of the query: the first of its class.
static uint32_t class_of(const struct query *query, uint32_t position) {
    while (query->equal_to.at[position] != position) position = query->equal_to.at[position];
    return position;
}

static void join(struct query *query, uint32_t a, uint32_t b) {
    a = class_of(query, a);
    b = class_of(query, b);
    query->equal_to.at[MAX(a, b)] = MIN(a, b);
}

// Merges the classes of bytes that the condition, or a part of a conjunction, states to be equal. Returns true if
// there are any.
static bool join_equal(struct query *query, Term condition) {
    struct terms *terms = query->solver->terms;
    term_list open = {0};
    bool found = false;
    vec_push(&open, condition);
    while (open.count) {
        Term t = vec_pop(&open);
        if (term_kind(terms, t) == KIND_AND && term_width(terms, t) == 1) {
            vec_push(&open, term_arg(terms, t, 0));
            vec_push(&open, term_arg(terms, t, 1));
        } else if (term_kind(terms, t) == KIND_EQ) {
            Term a = term_arg(terms, t, 0), b = term_arg(terms, t, 1);
            if (term_kind(terms, a) != KIND_BYTE || term_kind(terms, b) != KIND_BYTE) continue;
            join(query, query_position(query, term_var(terms, a)), query_position(query, term_var(terms, b)));
            found = true;
        }
    }
    vec_free(&open);
    return found;
}

static bool find_classes(struct query *query) {
    assert(!query->equal_to.count && !query->equated.count);
    bool found = false;
    for (uint32_t i = 0; i < query->vars.count; i++) vec_push(&query->equal_to, i);
    vec_each (Term, condition, &query->conditions) {
        if (!join_equal(query, *condition)) continue;
        found = true;
        vec_push(&query->equated, *condition); // unchanged: reads of whole inputs are not rewritten
    }
    return found;
}

// Whether some class has no value that lies in the domains of all its bytes.
static bool has_empty_class(struct query *query) {
    vec(struct set) common = {0};
    bool empty = false;
    for (uint32_t i = 0; i < query->vars.count; i++) {
        vec_push(&common, query->domains.at[i]);
        uint32_t first = class_of(query, i);
        set_meet(&common.at[first], query->domains.at[i].word);
        empty |= set_is_empty(&common.at[first]);
    }
    vec_free(&common);
    return empty;
}

static Term byte_at(const struct query *query, uint32_t position) {
    uint32_t var = query->vars.at[position];
    struct terms *terms = query->solver->terms;
    return term_byte(terms, terms_var_input(terms, var), terms_var_index(terms, var));
}

// Rewrites the conditions into query->equated. False: one of them became false.
static bool rewrite(struct query *query) {
    struct terms *terms = query->solver->terms;
    struct map replaced = {0}, memo = {0};
    bool possible = true;
    for (uint32_t i = 0; i < query->vars.count; i++) {
        uint32_t first = class_of(query, i);
        if (first != i) *map_put(&replaced, byte_at(query, i)) = byte_at(query, first);
    }
    for (uint32_t i = 0; i < query->conditions.count && possible; i++) {
        Term t = term_substitute(terms, query->conditions.at[i], &replaced, &memo);
        possible = !term_is_zero(terms, t);
        if (!term_is_const(terms, t)) vec_push(&query->equated, t);
    }
    map_free(&replaced);
    map_free(&memo);
    return possible;
}

enum answer solver_layer_equate(struct query *query) {
    if (query->has_arrays || !find_classes(query)) return ANSWER_UNKNOWN;
    query->solver->work += query->conditions.count * WORK_NAME;
    if (has_empty_class(query) || !rewrite(query)) {
        cache_learn(query, ANSWER_NO, NULL, 0);
        return ANSWER_NO;
    }
    return ANSWER_UNKNOWN;
}
