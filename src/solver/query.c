// Builds a query from a path condition and new conditions, and a checked model from the values that a layer found.
#include "base/clock.h"
#include "solver/solver_int.h"

#include <stdlib.h>

#define COLLECTED UINT32_MAX // a var's position while the query is being collected

static void collect_var(struct query *query, uint32_t var) {
    assert(var < query->solver->position.count);
    uint32_t *position = &query->solver->position.at[var];
    if (*position) return;
    *position = COLLECTED;
    vec_push(&query->vars, var);
    query->has_arrays |= terms_var_is_array(query->solver->terms, var);
}

static void collect_group(struct query *query, struct group *group) {
    struct terms *terms = query->solver->terms;
    vec_push(&query->groups, group);
    for (uint32_t var = varset_next(terms, group->vars, 0); var != VAR_NONE;
         var = varset_next(terms, group->vars, var + 1))
        collect_var(query, var);
}

static void collect_any(void *context, uint32_t key, uint64_t value) {
    collect_group(context, (struct group *)(uintptr_t)value);
}

static void collect_support(struct query *query, const struct path_condition *path, Term condition) {
    struct terms *terms = query->solver->terms;
    VarSet support = term_support(terms, condition);
    for (uint32_t var = varset_next(terms, support, 0); var != VAR_NONE;
         var = varset_next(terms, support, var + 1)) {
        if (query->solver->position.at[var]) continue;
        struct group *group = path_group(path, var);
        if (group)
            collect_group(query, group);
        else
            collect_var(query, var);
    }
}

static int compare_vars(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void number_vars(struct query *query) {
    bool sorted = true;
    for (uint32_t i = 1; i < query->vars.count; i++) sorted &= query->vars.at[i - 1] < query->vars.at[i];
    if (!sorted) qsort(query->vars.at, query->vars.count, sizeof(uint32_t), compare_vars);
    for (uint32_t i = 0; i < query->vars.count; i++) {
        assert(query->solver->position.at[query->vars.at[i]] == COLLECTED); // no var twice
        query->solver->position.at[query->vars.at[i]] = i + 1;
    }
}

static void narrow(struct query *query, Term condition) {
    const uint64_t *set = tabulate_set(query->solver->tabulator, condition);
    if (!set) return;
    uint32_t var = term_single_var(query->solver->terms, condition);
    set_meet(&query->domains.at[query_position(query, var)], set);
}

// Adds domains, starting point and conditions of the groups.
static void unfold_groups(struct query *query, const struct path_condition *path) {
    uint32_t count = query->vars.count;
    vec_reserve(&query->domains, count);
    vec_reserve(&query->start, count);
    vec_reserve(&query->found, count);
    query->domains.count = query->start.count = query->found.count = count;
    for (uint32_t i = 0; i < count; i++) {
        const struct set *domain = path_domain(path, query->vars.at[i]);
        query->domains.at[i] = domain ? *domain : set_full();
        query->start.at[i] = path_byte(path, query->vars.at[i]);
    }
    for (uint32_t i = 0; query->has_arrays && i < count; i++)
        vec_push(&query->found_arrays, model_array_keep(path_shared_array(path, query->vars.at[i])));
    vec_each (struct group *, group, &query->groups) {
        query->has_start &= (*group)->has_model;
        rope_list((*group)->conditions, &query->conditions);
    }
    assert(query->found_arrays.count == (query->has_arrays ? count : 0));
    assert(query->conditions.count >= query->new_conditions + query->groups.count);
}

struct query *query_start(struct solver *solver, const struct path_condition *path, const Term *conditions,
                          uint32_t count) {
    assert(!solver->busy && count > 0);
    solver->busy = true;
    struct query *query = &solver->query;
    assert(!query->conditions.count && !query->vars.count && !query->groups.count);
    query->solver = solver;
    query->has_start = true;
    query->has_arrays = query->too_large = false;
    query->condition = count == 1 ? conditions[0] : 0;
    query->new_conditions = count;
    query->all_groups = path->group_count;
    query->deadline =
        solver->options.timeout > 0 ? clock_nanoseconds() + (uint64_t)(solver->options.timeout * 1e9) : 0;
    while (solver->position.count < terms_var_count(solver->terms)) vec_push(&solver->position, 0);
    for (uint32_t i = 0; i < count; i++) {
        vec_push(&query->conditions, conditions[i]);
        collect_support(query, path, conditions[i]);
    }
    if (!solver->options.independence) {
        vec_clear(&query->groups); // all groups are added
        tree_each(&path->groups, collect_any, query);
    }
    assert(query->vars.count > 0); // conditions without inputs were decided before
    number_vars(query);
    unfold_groups(query, path);
    for (uint32_t i = 0; i < count; i++) narrow(query, conditions[i]);
    return query;
}

void query_done(struct query *query) {
    struct solver *solver = query->solver;
    assert(solver->busy);
    vec_each (uint32_t, var, &query->vars) solver->position.at[*var] = 0;
    vec_each (struct shared_array *, array, &query->found_arrays) model_array_release(*array);
    vec_clear(&query->conditions);
    vec_clear(&query->vars);
    vec_clear(&query->start);
    vec_clear(&query->domains);
    vec_clear(&query->found);
    vec_clear(&query->found_arrays);
    vec_clear(&query->groups);
    vec_clear(&query->equal_to);
    vec_clear(&query->equated);
    solver->busy = false;
}

void query_take_model(struct query *query, const struct model *model) {
    assert(query->solver->busy && query->found.count == query->start.count);
    memcpy(query->found.at, query->start.at, query->start.count);
    if (!model) return;
    for (uint32_t i = 0; i < query->vars.count; i++) {
        query->found.at[i] = model_byte(model, query->vars.at[i], query->start.at[i]);
        struct shared_array *array = query->has_arrays ? model_shared_array(model, query->vars.at[i]) : NULL;
        if (!array) continue;
        model_array_release(query->found_arrays.at[i]);
        query->found_arrays.at[i] = model_array_keep(array);
    }
}

// Evaluation

static uint8_t value_of(void *context, uint32_t var) {
    struct query *query = context;
    uint32_t position = var < query->solver->position.count ? query->solver->position.at[var] : 0;
    return position ? query->assigned[position - 1] : 0;
}

static const struct array_value *array_of(void *context, uint32_t var) {
    struct query *query = context;
    uint32_t position = query->solver->position.at[var];
    if (!position || !query->found_arrays.count) return NULL;
    const struct shared_array *array = query->found_arrays.at[position - 1];
    return array ? array->value : NULL;
}

void query_assign(struct query *query, const uint8_t *values) {
    assert(query->solver->busy);
    query->assigned = values;
    query->assignment = (struct assignment){.byte = value_of, .array = array_of, .context = query};
    evaluator_assign(query->solver->evaluator, &query->assignment);
}

#define FEW_CHANGES 8

// Whether a condition mentions one of the changed vars: its value may have changed.
static bool mentions(struct terms *terms, Term condition, const uint32_t *changed, unsigned count) {
    VarSet support = term_support(terms, condition);
    for (unsigned i = 0; i < count; i++)
        if (varset_has(terms, support, changed[i])) return true;
    return false;
}

bool query_holds(struct query *query) {
    struct solver *solver = query->solver;
    uint32_t changed[FEW_CHANGES];
    unsigned changes = 0;
    for (uint32_t i = 0; i < query->vars.count && changes <= FEW_CHANGES; i++) {
        if (query->found.at[i] == query->start.at[i]) continue;
        if (changes < FEW_CHANGES) changed[changes] = query->vars.at[i];
        changes++;
    }
    bool all = !query->has_start || changes > FEW_CHANGES || query->has_arrays;
    solver->statistics.evaluations++;
    query_assign(query, query->found.at);
    for (uint32_t i = 0; i < query->conditions.count; i++) {
        Term condition = query->conditions.at[i];
        if (!all && i >= query->new_conditions && !mentions(solver->terms, condition, changed, changes))
            continue;
        if (!evaluate(solver->evaluator, condition)) return false;
    }
    return true;
}

struct model *query_model(struct query *query) {
    assert(query->solver->busy && query->found.count == query->vars.count);
    struct model *model = model_new(query->vars.count, query->has_arrays);
    memcpy(model->vars, query->vars.at, query->vars.count * sizeof(uint32_t));
    memcpy(model->values, query->found.at, query->found.count);
    for (uint32_t i = 0; i < query->found_arrays.count; i++)
        model->arrays[i] = model_array_keep(query->found_arrays.at[i]);
    return model;
}
