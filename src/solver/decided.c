// Values implied by the path condition, as far as this is known without a query. Known are: conditions that the path
// condition contains, perhaps negated; conditions with the same value for all values in a byte's domain; and terms
// computed from these.
#include "solver/solver_int.h"

#define MOST_NODES 256u // nodes visited for one value

bool solver_is_choice(struct terms *terms, Term t) {
    Term left[32];
    unsigned count = 0, budget = MOST_NODES;
    bool any = false;
    left[count++] = t;
    while (count) {
        Term node = left[--count];
        uint32_t arity = term_arity(terms, node);
        if (term_is_const(terms, node)) continue;
        if (term_width(terms, node) == 1 && !term_is_array(terms, node)) {
            any = true;
            continue;
        }
        if (!arity || term_is_array(terms, node) || count + arity > COUNT(left) || !--budget) return false;
        for (uint32_t i = 0; i < arity; i++) left[count++] = term_arg(terms, node, i);
    }
    return any;
}

struct look {
    struct solver *solver;
    const struct path_condition *path;
    unsigned budget;
};

static bool by_domain(struct look *look, Term condition) {
    uint32_t var = term_single_var(look->solver->terms, condition);
    const struct set *domain = var == VAR_NONE ? NULL : path_domain(look->path, var);
    const uint64_t *set = domain ? tabulate_set(look->solver->tabulator, condition) : NULL;
    if (!set) return false;
    struct set holds = *domain, fails = holds;
    for (unsigned i = 0; i < 4; i++) {
        holds.word[i] &= set[i];
        fails.word[i] &= ~set[i];
    }
    return set_is_empty(&holds) || set_is_empty(&fails);
}

static bool by_condition(struct look *look, Term condition) {
    struct terms *terms = look->solver->terms;
    uint32_t var = varset_next(terms, term_support(terms, condition), 0);
    const struct group *group = var == VAR_NONE ? NULL : path_group(look->path, var);
    if (!group) return false;
    Term opposite = term_not(terms, condition);
    term_list conditions = {0};
    rope_list(group->conditions, &conditions);
    bool found = false;
    for (uint32_t i = 0; i < conditions.count && !found; i++)
        found = conditions.at[i] == condition || conditions.at[i] == opposite;
    vec_free(&conditions);
    return found;
}

static bool is_decided(struct look *look, Term t);

// One operand that is 0 (of `and`) or 1 (of `or`) suffices.
static bool by_one(struct look *look, Term condition, bool value) {
    struct terms *terms = look->solver->terms;
    for (uint32_t i = 0; i < 2; i++) {
        Term operand = term_arg(terms, condition, i);
        if (solver_evaluate(look->solver, look->path, operand) == value && is_decided(look, operand))
            return true;
    }
    return false;
}

static bool by_operands(struct look *look, Term t) {
    struct terms *terms = look->solver->terms;
    uint32_t arity = term_arity(terms, t);
    for (uint32_t i = 0; i < arity; i++)
        if (!is_decided(look, term_arg(terms, t, i))) return false;
    return arity > 0;
}

static bool is_decided(struct look *look, Term t) {
    struct terms *terms = look->solver->terms;
    enum kind kind = term_kind(terms, t);
    if (term_is_const(terms, t)) return true;
    if (term_is_array(terms, t) || !look->budget) return false;
    look->budget--;
    bool condition = term_width(terms, t) == 1;
    if (condition && (by_domain(look, t) || by_condition(look, t))) return true;
    if (condition && kind == KIND_AND && by_one(look, t, false)) return true;
    if (condition && kind == KIND_OR && by_one(look, t, true)) return true;
    if (kind != KIND_ITE) return by_operands(look, t);
    Term chooser = term_arg(terms, t, 0);
    return is_decided(look, chooser) &&
           is_decided(look, term_arg(terms, t, solver_evaluate(look->solver, look->path, chooser) ? 1 : 2));
}

bool solver_implied_value(struct solver *solver, const struct path_condition *path, Term t, uint64_t *value) {
    assert(!term_is_array(solver->terms, t) && term_width(solver->terms, t) <= 64);
    struct look look = {solver, path, MOST_NODES};
    if (path->contradiction || path->without_model || !is_decided(&look, t)) return false;
    *value = solver_evaluate(solver, path, t);
    if (solver->options.check) {
        Term other =
            term_ne(solver->terms, t, term_const(solver->terms, term_width(solver->terms, t), *value));
        solver_check_refutation(solver, path, other, "decided");
    }
    return true;
}
