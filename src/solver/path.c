#include "solver/solver_int.h"

#include <stdlib.h>

// Groups

struct group *group_keep(struct group *group) {
    group->references++;
    return group;
}

void group_release(struct group *group) {
    assert(group->references > 0);
    if (--group->references) return;
    if (group->previous)
        group->previous->next = group->next;
    else
        group->solver->groups = group->next;
    if (group->next) group->next->previous = group->previous;
    model_release(group->model);
    if (group->domains && --group->domains->references == 0)
        mem_free(group->domains, sizeof *group->domains + group->domains->count * sizeof(struct set));
    mem_free(group, sizeof *group + group->count * sizeof(Term));
}

struct group *group_new(struct solver *solver, uint32_t conditions) {
    struct group *group = mem_alloc_zeroed(sizeof *group + conditions * sizeof(Term));
    group->references = 1;
    group->count = conditions;
    group->solver = solver;
    group->next = solver->groups;
    if (group->next) group->next->previous = group;
    solver->groups = group;
    return group;
}

static void share_group(uint64_t value) { group_keep((struct group *)(uintptr_t)value); }
static void drop_group(uint64_t value) { group_release((struct group *)(uintptr_t)value); }

// Path conditions: a var's entry is its slot plus one, then eight bits of default value.

static struct group *slot_group(const struct path_condition *path, uint32_t slot) {
    return (struct group *)(uintptr_t)tree_get(&path->groups, slot);
}

struct group *path_group(const struct path_condition *path, uint32_t var) {
    uint32_t slot = entry_slot(tree_get(&path->vars, var));
    return slot ? slot_group(path, slot - 1) : NULL;
}

struct path_condition path_copy(const struct path_condition *path) {
    struct path_condition copy = *path;
    copy.vars = tree_copy(&path->vars);
    copy.groups = tree_copy(&path->groups);
    return copy;
}

void path_free(struct path_condition *path) {
    tree_free(&path->vars, NULL);
    tree_free(&path->groups, drop_group);
    *path = (struct path_condition){0};
}

void path_set_default(struct path_condition *path, uint32_t var, uint8_t value) {
    uint64_t entry = tree_get(&path->vars, var);
    tree_put(&path->vars, var, (entry & ~(uint64_t)0xff) | value, NULL);
}

uint8_t path_byte(const struct path_condition *path, uint32_t var) {
    uint64_t entry = tree_get(&path->vars, var);
    uint32_t slot = entry_slot(entry);
    return slot ? model_byte(slot_group(path, slot - 1)->model, var, (uint8_t)entry) : (uint8_t)entry;
}

const struct array_value *path_array(const struct path_condition *path, uint32_t var) {
    struct group *group = path_group(path, var);
    return group ? model_array(group->model, var) : NULL;
}

struct each {
    void (*visit)(void *, Term);
    void *context;
};

static void visit_group(void *context, uint32_t key, uint64_t value) {
    struct each *each = context;
    const struct group *group = (const struct group *)(uintptr_t)value;
    for (uint32_t i = 0; i < group->count; i++) each->visit(each->context, group->conditions[i]);
}

void path_each(const struct path_condition *path, void (*visit)(void *, Term), void *context) {
    tree_each(&path->groups, visit_group, &(struct each){visit, context});
}

void path_each_of(struct terms *terms, const struct path_condition *path, VarSet vars,
                  void (*visit)(void *, Term), void *context) {
    vec(const struct group *) seen = {0};
    for (uint32_t var = varset_next(terms, vars, 0); var != VAR_NONE;
         var = varset_next(terms, vars, var + 1)) {
        const struct group *group = path_group(path, var);
        bool known = !group;
        for (uint32_t i = 0; i < seen.count && !known; i++) known = seen.at[i] == group;
        if (known) continue;
        vec_push(&seen, group);
        for (uint32_t i = 0; i < group->count; i++) visit(context, group->conditions[i]);
    }
    vec_free(&seen);
}

// Adding

void place_group(struct path_condition *path, uint32_t slot, struct group *group) {
    uint64_t old = tree_get(&path->groups, slot);
    tree_put(&path->groups, slot, (uint64_t)(uintptr_t)group, share_group);
    path->group_count += (group != NULL);
    path->group_count -= (old != 0);
    if (old) drop_group(old);
}

void path_replace(struct path_condition *path, uint32_t var, struct group *group) {
    uint64_t entry = tree_get(&path->vars, var);
    uint32_t slot = entry_slot(entry) ? entry_slot(entry) - 1 : path->slots++;
    if (!entry_slot(entry)) tree_put(&path->vars, var, (uint64_t)(slot + 1) << 8 | (entry & 0xff), NULL);
    path->conditions++;
    place_group(path, slot, group);
}

// Takes the groups of the query out of the path condition; returns the slot of the largest, for their
// successor.
static uint32_t take_out(struct path_condition *path, const struct query *query) {
    uint32_t slot = UINT32_MAX;
    const struct group *largest = NULL;
    vec_each (struct group *, group, &query->groups) {
        uint32_t its = entry_slot(tree_get(&path->vars, (*group)->model->vars[0])) - 1;
        path->without_model -= !(*group)->has_model;
        if (!largest || (*group)->model->count > largest->model->count) {
            slot = its;
            largest = *group;
        }
    }
    vec_each (struct group *, group, &query->groups) {
        uint32_t its = entry_slot(tree_get(&path->vars, (*group)->model->vars[0])) - 1;
        if (its != slot) place_group(path, its, NULL);
    }
    return slot == UINT32_MAX ? path->slots++ : slot;
}

static struct domains *joined_domains(const struct query *query) {
    bool full = true;
    vec_each (struct set, set, &query->domains) full &= set_count(set) == 256;
    if (full) return NULL;
    size_t size = sizeof(struct domains) + query->domains.count * sizeof(struct set);
    struct domains *domains = mem_alloc(size);
    *domains = (struct domains){.references = 1, .count = query->domains.count};
    memcpy(domains->at, query->domains.at, query->domains.count * sizeof(struct set));
    return domains;
}

// The query's conditions and vars as one group. `found` is its model if it holds.
static struct group *joined_group(struct query *query) {
    struct solver *solver = query->solver;
    struct group *group = group_new(solver, query->conditions.count);
    uint32_t last = 0;
    // New ones come last, so that a group lists its conditions in the order in which they were added.
    for (uint32_t i = query->new_conditions; i < query->conditions.count; i++)
        group->conditions[last++] = query->conditions.at[i];
    for (uint32_t i = 0; i < query->new_conditions; i++) group->conditions[last++] = query->conditions.at[i];
    group->has_model = query_holds(query);
    group->model = query_model(query);
    group->domains = joined_domains(query);
    group->tabulated = query->vars.count == 1 && !query->has_arrays;
    for (uint32_t i = 0; i < group->count && group->tabulated; i++)
        group->tabulated = tabulate_set(solver->tabulator, group->conditions[i]) != NULL;
    return group;
}

// Puts conditions with inputs, which all hang together, into the path condition as one group.
static void add_group(struct solver *solver, struct path_condition *path, const Term *conditions,
                      uint32_t count, const struct model *model) {
    path->conditions += count;
    for (uint32_t i = 0; i < count; i++) log_condition(solver, path, conditions[i]);
    struct query *query = query_start(solver, path, conditions, count);
    query_take_model(query, model);
    uint32_t slot = take_out(path, query);
    struct group *group = joined_group(query);
    path->without_model += !group->has_model;
    for (uint32_t i = 0; i < query->vars.count; i++) {
        uint32_t var = query->vars.at[i];
        uint64_t entry = tree_get(&path->vars, var);
        if (entry_slot(entry) == slot + 1) continue;
        tree_put(&path->vars, var, (uint64_t)(slot + 1) << 8 | (entry & 0xff), NULL);
    }
    place_group(path, slot, group);
    query_done(query);
}

// Conditions without inputs: true or false already. Not always constants, when terms are not simplified.
static bool is_ground(struct solver *solver, struct path_condition *path, Term condition) {
    assert(term_width(solver->terms, condition) == 1);
    if (term_support(solver->terms, condition)) return false;
    path->contradiction |= !solver_evaluate(solver, path, condition);
    return true;
}

void path_add(struct solver *solver, struct path_condition *path, Term condition, struct model *model) {
    if (is_ground(solver, path, condition) || byte_add(solver, path, condition, model)) return;
    if (term_kind(solver->terms, condition) == KIND_AND) { // parts that share no input stay apart
        path_add(solver, path, term_arg(solver->terms, condition, 0), model);
        path_add(solver, path, term_arg(solver->terms, condition, 1), model);
        return;
    }
    add_group(solver, path, &condition, 1, model);
}

// Union-find over vars, in a map: absent is its own parent.
static uint32_t root_of(struct map *parents, uint32_t var) {
    for (;;) {
        uint64_t *parent = map_get(parents, var);
        if (!parent) return var;
        uint64_t *grandparent = map_get(parents, *parent);
        if (grandparent) *parent = *grandparent; // halves the way for the next one
        var = (uint32_t)*parent;
    }
}

struct member {
    uint32_t root;
    uint32_t order;
    Term condition;
};

static int compare_members(const void *a, const void *b) {
    const struct member *x = a, *y = b;
    if (x->root != y->root) return x->root < y->root ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void path_add_all(struct solver *solver, struct path_condition *path, const Term *conditions,
                  uint32_t count) {
    struct terms *terms = solver->terms;
    struct map parents = {0};
    vec(struct member) members = {0};
    vec(Term) together = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (is_ground(solver, path, conditions[i])) continue;
        VarSet support = term_support(terms, conditions[i]);
        uint32_t first = varset_next(terms, support, 0);
        vec_push(&members, ((struct member){first, i, conditions[i]}));
        for (uint32_t var = first; var != VAR_NONE; var = varset_next(terms, support, var + 1)) {
            uint32_t a = root_of(&parents, first), b = root_of(&parents, var);
            if (a != b) *map_put(&parents, MAX(a, b)) = MIN(a, b);
        }
    }
    vec_each (struct member, member, &members) member->root = root_of(&parents, member->root);
    if (members.count) qsort(members.at, members.count, sizeof *members.at, compare_members);
    for (uint32_t i = 0; i < members.count; i++) {
        vec_push(&together, members.at[i].condition);
        if (i + 1 < members.count && members.at[i + 1].root == members.at[i].root) continue;
        add_group(solver, path, together.at, together.count, NULL);
        vec_clear(&together);
    }
    map_free(&parents);
    vec_free(&members);
    vec_free(&together);
}

void path_set_model(struct path_condition *path, uint32_t var, const struct model *model) {
    uint32_t slot = entry_slot(tree_get(&path->vars, var)) - 1;
    const struct group *old = slot_group(path, slot);
    assert(!old->has_model);
    struct group *group = group_new(old->solver, old->count);
    memcpy(group->conditions, old->conditions, old->count * sizeof(Term));
    group->model = model_new(old->model->count, old->model->arrays != NULL);
    for (uint32_t i = 0; i < old->model->count; i++) {
        uint32_t its = group->model->vars[i] = old->model->vars[i];
        group->model->values[i] = model_byte(model, its, old->model->values[i]);
        if (group->model->arrays) group->model->arrays[i] = array_keep(model_shared_array(model, its));
    }
    group->has_model = true;
    group->tabulated = old->tabulated;
    group->domains = old->domains;
    if (group->domains) group->domains->references++;
    place_group(path, slot, group);
    path->without_model--;
}
