// Finds the input bytes that decide the value of a term under an assignment: of an ite only the branch taken, of an
// array only the element read. A symbolic read mentions every byte of its array, but only the byte read decides its
// value.
#include "solver/solver_int.h"

#define MOST_NODES 2000u

struct relevant_walk {
    struct query *query;
    struct map seen;
    vec(Term) stack;
    uint32_t *vars;
    unsigned count, most;
};

static void add_var(struct relevant_walk *walk, uint32_t var) {
    for (unsigned i = 0; i < walk->count; i++)
        if (walk->vars[i] == var) return;
    if (walk->count < walk->most) walk->vars[walk->count++] = var;
}

static void add_term(struct relevant_walk *walk, Term t) {
    struct terms *terms = walk->query->solver->terms;
    if (!term_support(terms, t) || walk->seen.count >= MOST_NODES) return;
    uint64_t *seen = map_put(&walk->seen, t);
    if (!*seen) vec_push(&walk->stack, t);
    *seen = 1;
}

// Follows a read through stores and ites to the element.
static void add_read(struct relevant_walk *walk, Term array, Term index) {
    struct solver *solver = walk->query->solver;
    struct terms *terms = solver->terms;
    add_term(walk, index);
    if (term_width(terms, index) > 64) return;
    uint64_t at = evaluate(solver->evaluator, index);
    for (;;) {
        switch (term_kind(terms, array)) {
        case KIND_STORE:
            add_term(walk, term_arg(terms, array, 1));
            if (evaluate(solver->evaluator, term_arg(terms, array, 1)) == at) {
                add_term(walk, term_arg(terms, array, 2));
                return;
            }
            array = term_arg(terms, array, 0);
            continue;
        case KIND_ARRAY_ITE:
            add_term(walk, term_arg(terms, array, 0));
            array = term_arg(terms, array, evaluate(solver->evaluator, term_arg(terms, array, 0)) ? 1 : 2);
            continue;
        case KIND_ARRAY_CONST: add_term(walk, term_arg(terms, array, 0)); return;
        case KIND_ARRAY_LITERAL:
            if (term_support(terms, array) && at < term_arity(terms, array))
                add_term(walk, term_arg(terms, array, (uint32_t)at));
            return;
        case KIND_ARRAY_INPUT:
            if (at < term_array_input_size(terms, array))
                add_var(walk, terms_input_var(terms, term_array_input(terms, array), (uint32_t)at));
            return;
        default: return;
        }
    }
}

static void visit(struct relevant_walk *walk, Term t) {
    struct solver *solver = walk->query->solver;
    struct terms *terms = solver->terms;
    limits_poll();
    switch (term_kind(terms, t)) {
    case KIND_BYTE: add_var(walk, term_var(terms, t)); break;
    case KIND_SELECT: add_read(walk, term_arg(terms, t, 0), term_arg(terms, t, 1)); break;
    case KIND_ITE:
        add_term(walk, term_arg(terms, t, 0));
        add_term(walk, term_arg(terms, t, evaluate(solver->evaluator, term_arg(terms, t, 0)) ? 1 : 2));
        break;
    default:
        for (uint32_t i = 0; i < term_arity(terms, t); i++)
            if (!term_is_array(terms, term_arg(terms, t, i))) add_term(walk, term_arg(terms, t, i));
    }
}

unsigned query_relevant(struct query *query, Term t, uint32_t *vars, unsigned most) {
    struct relevant_walk walk = {.query = query, .vars = vars, .most = most};
    add_term(&walk, t);
    while (walk.stack.count && walk.count < most) visit(&walk, vec_pop(&walk.stack));
    map_free(&walk.seen);
    vec_free(&walk.stack);
    return walk.count;
}
