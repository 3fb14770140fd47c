// Evaluates a path condition under given values of its inputs. A rebuilt state gets its earlier model back in this way.
#include "solver/solver_int.h"

struct groups {
    vec(struct group *) at;
};

static void collect(void *context, uint32_t key, uint64_t value) {
    struct groups *groups = context;
    vec_push(&groups->at, path_group_keep((struct group *)(uintptr_t)value));
}

static bool holds(struct solver *solver, const struct path_condition *path, const struct group *group) {
    term_list conditions = {0};
    rope_list(group->conditions, &conditions);
    bool all = true;
    for (uint32_t i = 0; i < conditions.count && all; i++)
        all = solver_evaluate(solver, path, conditions.at[i]);
    vec_free(&conditions);
    return all;
}

void path_use_defaults(struct solver *solver, struct path_condition *path) {
    struct groups groups = {0};
    tree_each(&path->groups, collect, &groups);
    vec_each (struct group *, place, &groups.at) {
        struct group *old = *place;
        bool has_model = holds(solver, path, old);
        if (has_model != old->has_model) {
            struct group *group = path_group_new(solver);
            group->vars = old->vars;
            group->conditions = rope_copy(old->conditions);
            group->tabulated = old->tabulated;
            group->has_model = has_model;
            path->without_model += old->has_model;
            path->without_model -= has_model;
            uint32_t var = varset_next(solver->terms, old->vars, 0);
            assert(path_group(path, var) == old);
            path_place_group(path, entry_slot(tree_get(&path->vars, var)) - 1, group);
            assert(path->without_model <= path->group_count);
        }
        path_group_release(old);
    }
    vec_free(&groups.at);
}
