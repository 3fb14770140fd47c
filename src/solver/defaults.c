// A path condition under other values of its inputs: how a state that is rebuilt gets its own model back.
#include "solver/solver_int.h"

struct groups {
    vec(struct group *) at;
};

static void collect(void *context, uint32_t key, uint64_t value) {
    struct groups *groups = context;
    vec_push(&groups->at, group_keep((struct group *)(uintptr_t)value));
}

static uint8_t default_of(void *context, uint32_t var) {
    const struct path_condition *path = context;
    return (uint8_t)tree_get(&path->vars, var);
}

static const struct array_value *array_of(void *context, uint32_t var) { return path_array(context, var); }

static bool holds(struct solver *solver, const struct group *group) {
    for (uint32_t i = 0; i < group->count; i++)
        if (!evaluate(solver->evaluator, group->conditions[i])) return false;
    return true;
}

void path_use_defaults(struct solver *solver, struct path_condition *path) {
    struct groups groups = {0};
    struct assignment assignment = {.byte = default_of, .array = array_of, .context = path};
    tree_each(&path->groups, collect, &groups);
    evaluator_assign(solver->evaluator, &assignment);
    vec_each (struct group *, place, &groups.at) {
        const struct group *old = *place;
        struct group *group = group_new(solver, old->count);
        memcpy(group->conditions, old->conditions, old->count * sizeof(Term));
        group->model = model_new(old->model->count, old->model->arrays != NULL);
        for (uint32_t i = 0; i < old->model->count; i++) {
            uint32_t var = group->model->vars[i] = old->model->vars[i];
            group->model->values[i] = default_of(path, var);
            if (group->model->arrays) group->model->arrays[i] = array_keep(old->model->arrays[i]);
        }
        group->tabulated = old->tabulated;
        group->domains = old->domains;
        if (group->domains) group->domains->references++;
        group->has_model = holds(solver, group);
        path->without_model += old->has_model;
        path->without_model -= group->has_model;
        place_group(path, entry_slot(tree_get(&path->vars, group->model->vars[0])) - 1, group);
    }
    vec_each (struct group *, group, &groups.at) group_release(*group);
    vec_free(&groups.at);
}
