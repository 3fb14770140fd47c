// The order layer: comparisons between terms as edges of a graph. a < b and b <= c and c <= a cannot all hold,
// whatever the terms are: a cycle with a strict edge refutes the query. Sorting yields many such queries; SAT would
// reason about chains of comparators.
//
// Signed and unsigned comparisons are two graphs; an equality is an edge both ways in both.
#include "solver/solver_int.h"

#define MOST_EDGES 512u

struct order_edge {
    Term from, to;
    bool strict, is_signed, both; // `both`: an equality, an edge of either graph
};

typedef vec(struct order_edge) edges;

// Adds the edges of a condition that is a comparison.
static void add_edges(struct terms *terms, edges *list, Term condition) {
    bool negated = term_kind(terms, condition) == KIND_NOT;
    if (negated) condition = term_arg(terms, condition, 0);
    enum kind kind = term_kind(terms, condition);
    if (kind != KIND_ULT && kind != KIND_SLT && !(kind == KIND_EQ && !negated)) return;
    Term a = term_arg(terms, condition, 0), b = term_arg(terms, condition, 1);
    if (kind == KIND_EQ) {
        vec_push(list, ((struct order_edge){a, b, false, false, true}));
        vec_push(list, ((struct order_edge){b, a, false, false, true}));
    } else if (negated) {
        vec_push(list, ((struct order_edge){b, a, false, kind == KIND_SLT, false}));
    } else {
        vec_push(list, ((struct order_edge){a, b, true, kind == KIND_SLT, false}));
    }
}

// Whether there is a path from one term to another; *strict: one with a strict edge. The search visits a term at most
// twice, without and with a strict edge before it.
static bool find_way(const edges *list, Term from, Term to, bool is_signed, bool *strict) {
    struct map seen = {0}; // term -> 1 reached, 2 reached strictly
    vec(Term) open = {0};
    *map_put(&seen, from) = 1;
    vec_push(&open, from);
    while (open.count) {
        Term at = vec_pop(&open);
        uint64_t how = *map_get(&seen, at);
        vec_each (struct order_edge, edge, list) {
            if (edge->from != at || (!edge->both && edge->is_signed != is_signed)) continue;
            uint64_t *there = map_put(&seen, edge->to), now = edge->strict || how == 2 ? 2 : 1;
            if (now <= *there) continue;
            *there = now;
            vec_push(&open, edge->to);
        }
    }
    uint64_t *reached = map_get(&seen, to);
    uint64_t how = reached ? *reached : 0;
    *strict = how == 2;
    map_free(&seen);
    vec_free(&open);
    return how != 0;
}

// Two terms that are <= each other in one graph are equal: their inequality is refuted.
static bool refutes_inequality(struct terms *terms, const edges *list, Term condition) {
    if (term_kind(terms, condition) != KIND_NOT) return false;
    Term equality = term_arg(terms, condition, 0);
    if (term_kind(terms, equality) != KIND_EQ) return false;
    Term a = term_arg(terms, equality, 0), b = term_arg(terms, equality, 1);
    bool strict;
    for (unsigned is_signed = 0; is_signed < 2; is_signed++)
        if (find_way(list, a, b, is_signed, &strict) && find_way(list, b, a, is_signed, &strict)) return true;
    return false;
}

enum answer solver_layer_order(struct query *query) {
    struct terms *terms = query->solver->terms;
    edges list = {0};
    for (uint32_t i = 0; i < query->conditions.count && list.count < MOST_EDGES; i++)
        add_edges(terms, &list, query->conditions.at[i]);
    bool refuted = false;
    for (uint32_t i = 0; i < query->new_conditions && !refuted; i++) {
        edges own = {0};
        add_edges(terms, &own, query->conditions.at[i]);
        refuted = list.count && refutes_inequality(terms, &list, query->conditions.at[i]);
        vec_each (struct order_edge, edge, &own) { // a cycle through the new edge
            bool strict;
            if (!refuted && find_way(&list, edge->to, edge->from, edge->is_signed, &strict))
                refuted = strict || edge->strict;
        }
        vec_free(&own);
    }
    vec_free(&list);
    return refuted ? ANSWER_NO : ANSWER_UNKNOWN;
}
