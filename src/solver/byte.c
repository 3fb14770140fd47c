// Queries about one byte that nothing else constrains. The byte's domain and the condition's table answer both sides
// at once, without a struct query. Most branches of scanners and parsers are of this kind.
//
// These queries are counted as answers of the layers `model` and `domain`. Time is measured for one in SAMPLE of these
// queries, and multiplied by SAMPLE.
#include "base/clock.h"
#include "base/error.h"
#include "solver/solver_int.h"

#define SAMPLE  16u
#define LONGEST 20000u // nanoseconds: a longer query was interrupted, and its time is not multiplied

struct byte_query {
    uint32_t var;
    struct group *group; // NULL: the byte is not constrained
    struct set domain;
    const uint64_t *set; // values for which the condition holds
    uint8_t value;       // its value in the path's model
};

static bool prepare(struct solver *solver, const struct path_condition *path, Term condition,
                    struct byte_query *query) {
    const struct solver_options *options = &solver->options;
    if (!options->domain || !options->model || !options->independence) return false;
    if (path->contradiction || limits_over()) return false;
    uint32_t var = query->var = term_single_var(solver->terms, condition);
    if (var == VAR_NONE) return false;
    struct group *group = query->group = path_group(path, var);
    if (group && (!group->tabulated || !group->has_model)) return false;
    query->set = tabulate_set(solver->tabulator, condition);
    const struct set *domain = path_domain(path, var);
    query->domain = domain ? *domain : set_full();
    query->value = path_byte(path, var);
    assert(group ? set_has(&query->domain, query->value) : !domain);
    return query->set != NULL;
}

// With the option `check`: asks Z3 to confirm that the path condition refutes the condition (or its negation).
static void check_refutation(struct solver *solver, const struct path_condition *path, Term condition,
                             bool negated) {
    if (!solver->options.check) return;
    if (negated) condition = term_not(solver->terms, condition);
    solver_check_refutation(solver, path, condition, "domain");
}

static struct side answer_side(const struct byte_query *query, const struct set *values) {
    if (set_is_empty(values)) return (struct side){ANSWER_NO, NULL};
    struct model *model = model_new(1, false);
    model->vars[0] = query->var;
    model->values[0] = set_has(values, query->value) ? query->value : (uint8_t)model_set_next(values, 0);
    return (struct side){ANSWER_YES, model};
}

static void count(struct solver *solver, const struct path_condition *path, const struct side *side,
                  bool by_model) {
    struct solver_counters *all = &solver->statistics;
    all->queries++;
    all->groups += path->group_count;
    all->yes += side->answer == ANSWER_YES;
    all->no += side->answer == ANSWER_NO;
    all->layers[LAYER_MODEL].asked++;
    all->layers[LAYER_MODEL].answered += by_model;
    all->layers[LAYER_DOMAIN].asked += !by_model;
    all->layers[LAYER_DOMAIN].answered += !by_model;
}

static void count_time(struct solver *solver, uint64_t start) {
    if (!start) return;
    uint64_t own = clock_nanoseconds() - start, all = own > LONGEST ? own : own * SAMPLE;
    solver->statistics.layers[LAYER_DOMAIN].nanoseconds += all;
    solver->statistics.nanoseconds += all;
}

static uint64_t start_time(struct solver *solver) {
    return solver->byte_queries++ % SAMPLE ? 0 : clock_nanoseconds();
}

bool byte_branch(struct solver *solver, const struct path_condition *path, Term condition,
                 struct branch *branch) {
    struct byte_query query;
    uint64_t start = start_time(solver);
    if (!prepare(solver, path, condition, &query)) return false;
    struct set yes = query.domain, no = query.domain;
    for (unsigned i = 0; i < 4; i++) {
        yes.word[i] &= query.set[i];
        no.word[i] &= ~query.set[i];
    }
    branch->yes = answer_side(&query, &yes);
    branch->no = answer_side(&query, &no);
    assert(branch->yes.answer == ANSWER_YES || branch->no.answer == ANSWER_YES);
    if (branch->yes.answer == ANSWER_NO) check_refutation(solver, path, condition, false);
    if (branch->no.answer == ANSWER_NO) check_refutation(solver, path, condition, true);
    bool holds = set_has(&yes, query.value);
    count(solver, path, &branch->yes, holds);
    count(solver, path, &branch->no, !holds);
    count_time(solver, start);
    return true;
}

bool byte_may_be_true(struct solver *solver, const struct path_condition *path, Term condition,
                      struct side *side) {
    struct byte_query query;
    uint64_t start = start_time(solver);
    if (!prepare(solver, path, condition, &query)) return false;
    set_meet(&query.domain, query.set);
    *side = answer_side(&query, &query.domain);
    if (side->answer == ANSWER_NO) check_refutation(solver, path, condition, false);
    count(solver, path, side, set_has(&query.domain, query.value));
    count_time(solver, start);
    return true;
}

static uint8_t its_value(void *context, uint32_t var) { return *(const uint8_t *)context; }

// Evaluates the group's conditions and the new one, so that an error in the table is found.
static bool holds(struct solver *solver, const struct byte_query *query, Term condition, uint8_t value) {
    struct assignment assignment = {.byte = its_value, .context = &value};
    solver->statistics.evaluations++;
    evaluator_assign(solver->evaluator, &assignment);
    if (!evaluate(solver->evaluator, condition)) return false;
    if (!query->group || value == query->value) return true;
    term_list conditions = {0};
    rope_list(query->group->conditions, &conditions);
    bool all = true;
    for (uint32_t i = 0; i < conditions.count && all; i++)
        all = evaluate(solver->evaluator, conditions.at[i]);
    vec_free(&conditions);
    return all;
}

// Adds a condition about one byte, unless the byte's domain implies it. False also if the condition needs another value
// and there is no model.
bool byte_add(struct solver *solver, struct path_condition *path, Term condition, const struct model *model) {
    struct byte_query query;
    if (!prepare(solver, path, condition, &query)) return false;
    struct set domain = query.domain;
    set_meet(&domain, query.set);
    if (!memcmp(&domain, &query.domain, sizeof domain)) {
        check_refutation(solver, path, condition, true);
        return true;
    }
    uint8_t value = model ? model_byte(model, query.var, query.value) : query.value;
    if (!set_has(&domain, value) && !model) return false;
    if (!set_has(&domain, value) || !holds(solver, &query, condition, value))
        error_internal("the model of a query about one byte does not satisfy it");
    struct group *old = query.group;
    struct group *group = path_group_new(solver);
    group->has_model = group->tabulated = true;
    group->vars = term_support(solver->terms, condition);
    if (old) group->conditions = rope_copy(old->conditions);
    rope_add(&solver->conditions, &group->conditions, condition);
    path_set_domain(path, query.var, &domain);
    path_assign_byte(path, query.var, value);
    path_replace(path, query.var, group);
    assert(path_group(path, query.var) == group && path_allows(path, query.var));
    log_condition(solver, path, condition);
    return true;
}
