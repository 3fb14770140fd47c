#include "solver/solver_int.h"

#include "base/error.h"

#include <stdlib.h>

// Groups

struct group *path_group_keep(struct group *group) {
    assert(group->references > 0);
    group->references++;
    return group;
}

void path_group_release(struct group *group) {
    assert(group->references > 0);
    if (--group->references) return;
    assert(group->solver->group_count > 0);
    rope_free(&group->solver->conditions, &group->conditions);
    group->solver->group_count--;
    DELETE(group);
}

struct group *path_group_new(struct solver *solver) {
    struct group *group = NEW(struct group);
    group->references = 1;
    group->solver = solver;
    solver->group_count++;
    return group;
}

static void share_group(uint64_t value) { path_group_keep((struct group *)(uintptr_t)value); }
static void drop_group(uint64_t value) { path_group_release((struct group *)(uintptr_t)value); }
static void share_array(uint64_t value) { model_array_keep((struct shared_array *)(uintptr_t)value); }
static void drop_array(uint64_t value) { model_array_release((struct shared_array *)(uintptr_t)value); }
static void share_domain(uint64_t value) { ((struct domain *)(uintptr_t)value)->references++; }
static void drop_domain(uint64_t value) {
    struct domain *domain = (struct domain *)(uintptr_t)value;
    assert(domain->references > 0);
    if (--domain->references == 0) DELETE(domain);
}

// Path conditions: a var's entry is its slot plus one, then eight bits of value.

static struct group *slot_group(const struct path_condition *path, uint32_t slot) {
    return (struct group *)(uintptr_t)tree_get(&path->groups, slot);
}

struct group *path_group(const struct path_condition *path, uint32_t var) {
    uint32_t slot = entry_slot(tree_get(&path->vars, var));
    struct group *group = slot ? slot_group(path, slot - 1) : NULL;
    assert(slot <= path->slots);
    assert(!slot || group); // joining groups moves their vars to the slot that stays
    return group;
}

struct path_condition path_copy(const struct path_condition *path) {
    struct path_condition copy = *path;
    copy.vars = tree_copy(&path->vars);
    copy.arrays = tree_copy(&path->arrays);
    copy.domains = tree_copy(&path->domains);
    copy.groups = tree_copy(&path->groups);
    return copy;
}

void path_free(struct path_condition *path) {
    assert(path->without_model <= path->group_count && path->group_count <= path->slots);
    tree_free(&path->vars, NULL);
    tree_free(&path->arrays, drop_array);
    tree_free(&path->domains, drop_domain);
    tree_free(&path->groups, drop_group);
    *path = (struct path_condition){0};
}

// The assignment

// Numbers of assignments are unique; 0 is the assignment in which all inputs are 0.
static void note_change(struct path_condition *path) {
    static _Thread_local uint64_t last;
    path->assignment = ++last;
}

void path_assign_byte(struct path_condition *path, uint32_t var, uint8_t value) {
    uint64_t entry = tree_get(&path->vars, var);
    if ((uint8_t)entry == value) return;
    tree_put(&path->vars, var, (entry & ~(uint64_t)0xff) | value, NULL);
    note_change(path);
}

static void path_assign_array(struct path_condition *path, uint32_t var, struct shared_array *array) {
    uint64_t old = tree_get(&path->arrays, var);
    if (old == (uint64_t)(uintptr_t)array) return;
    tree_put(&path->arrays, var, (uint64_t)(uintptr_t)model_array_keep(array), share_array);
    if (old) drop_array(old);
    note_change(path);
}

struct shared_array *path_shared_array(const struct path_condition *path, uint32_t var) {
    return (struct shared_array *)(uintptr_t)tree_get(&path->arrays, var);
}

void path_set_default(struct path_condition *path, uint32_t var, uint8_t value) {
    path_assign_byte(path, var, value);
}

uint8_t path_byte(const struct path_condition *path, uint32_t var) {
    return (uint8_t)tree_get(&path->vars, var);
}

const struct array_value *path_array(const struct path_condition *path, uint32_t var) {
    const struct shared_array *array = path_shared_array(path, var);
    return array ? array->value : NULL;
}

const struct set *path_domain(const struct path_condition *path, uint32_t var) {
    const struct domain *domain = (const struct domain *)(uintptr_t)tree_get(&path->domains, var);
    return domain ? &domain->values : NULL;
}

bool path_allows(const struct path_condition *path, uint32_t var) {
    const struct set *domain = path_domain(path, var);
    return !domain || set_has(domain, path_byte(path, var));
}

void path_set_domain(struct path_condition *path, uint32_t var, const struct set *values) {
    const struct set *known = path_domain(path, var);
    assert(!known || set_within(values, known)); // conditions are added, never removed
    if (known ? !memcmp(known, values, sizeof *known) : set_count(values) == 256) return;
    struct domain *domain = NEW(struct domain);
    *domain = (struct domain){1, *values};
    uint64_t old = tree_get(&path->domains, var);
    tree_put(&path->domains, var, (uint64_t)(uintptr_t)domain, share_domain);
    if (old) drop_domain(old);
}

// Conditions

struct each {
    void (*visit)(void *, Term);
    void *context;
};

static void visit_conditions(const struct group *group, void (*visit)(void *, Term), void *context) {
    term_list conditions = {0};
    rope_list(group->conditions, &conditions);
    vec_each (Term, condition, &conditions) visit(context, *condition);
    vec_free(&conditions);
}

static void visit_group(void *context, uint32_t key, uint64_t value) {
    struct each *each = context;
    visit_conditions((const struct group *)(uintptr_t)value, each->visit, each->context);
}

void path_each(const struct path_condition *path, void (*visit)(void *, Term), void *context) {
    tree_each(&path->groups, visit_group, &(struct each){visit, context});
}

// The next group that contains vars of the set; removes the group's vars from the set. NULL: no var of the set is in
// a group, and the set is unchanged.
static struct group *next_group(struct terms *terms, const struct path_condition *path, VarSet *vars) {
    for (uint32_t var = varset_next(terms, *vars, 0); var != VAR_NONE;
         var = varset_next(terms, *vars, var + 1)) {
        struct group *group = path_group(path, var);
        if (!group) continue;
        assert(varset_has(terms, group->vars, var)); // or the loop would not terminate
        *vars = varset_minus(terms, *vars, group->vars);
        return group;
    }
    return NULL;
}

void path_each_of(struct terms *terms, const struct path_condition *path, VarSet vars,
                  void (*visit)(void *, Term), void *context) {
    const struct group *group;
    while ((group = next_group(terms, path, &vars))) visit_conditions(group, visit, context);
}

uint32_t path_size(struct solver *solver, const struct path_condition *path, Term condition) {
    VarSet vars = term_support(solver->terms, condition);
    const struct group *group;
    uint32_t count = 0;
    while ((group = next_group(solver->terms, path, &vars))) count += rope_count(group->conditions);
    return count;
}

// Adding

void path_place_group(struct path_condition *path, uint32_t slot, struct group *group) {
    assert(slot < path->slots && (!group || group->references == 1));
    uint64_t old = tree_get(&path->groups, slot);
    tree_put(&path->groups, slot, (uint64_t)(uintptr_t)group, share_group);
    path->group_count += (group != NULL);
    path->group_count -= (old != 0);
    assert(path->group_count <= path->slots);
    if (old) drop_group(old);
}

static uint32_t slot_of(const struct path_condition *path, uint32_t var) {
    assert(path_group(path, var));
    return entry_slot(tree_get(&path->vars, var)) - 1;
}

static void set_slot(struct path_condition *path, uint32_t var, uint32_t slot) {
    uint64_t entry = tree_get(&path->vars, var);
    if (entry_slot(entry) == slot + 1) return;
    tree_put(&path->vars, var, (uint64_t)(slot + 1) << 8 | (entry & 0xff), NULL);
}

void path_replace(struct path_condition *path, uint32_t var, struct group *group) {
    assert(group->has_model && group->tabulated); // like the old group, so `without_model` stays
    uint32_t slot = path_group(path, var) ? slot_of(path, var) : path->slots++;
    set_slot(path, var, slot);
    path->conditions++;
    path_place_group(path, slot, group);
}

typedef vec(struct group *) group_list;

static void set_slots(struct terms *terms, struct path_condition *path, VarSet vars, uint32_t slot) {
    for (uint32_t var = varset_next(terms, vars, 0); var != VAR_NONE; var = varset_next(terms, vars, var + 1))
        set_slot(path, var, slot);
}

// Replaces the `old` groups by `group`, which contains their vars. It takes the slot of the largest, so that a var
// changes its slot only when its group at least doubles.
static void put_group(struct solver *solver, struct path_condition *path, const group_list *old,
                      struct group *group) {
    struct terms *terms = solver->terms;
    const struct group *largest = NULL;
    vec_each (struct group *, one, old) {
        assert(varset_subset(terms, (*one)->vars, group->vars));
        path->without_model -= !(*one)->has_model;
        if (!largest || varset_count(terms, (*one)->vars) > varset_count(terms, largest->vars))
            largest = *one;
    }
    uint32_t slot = largest ? slot_of(path, varset_next(terms, largest->vars, 0)) : path->slots++;
    VarSet others = largest ? varset_minus(terms, group->vars, largest->vars) : group->vars;
    vec_each (struct group *, one, old) {
        uint32_t its = slot_of(path, varset_next(terms, (*one)->vars, 0));
        if (its != slot) path_place_group(path, its, NULL);
    }
    set_slots(terms, path, others, slot);
    path->without_model += !group->has_model;
    path_place_group(path, slot, group);
    assert(path->without_model <= path->group_count);
}

// Joins the groups and the new conditions to one group. A group lists its conditions in the order in which they were
// added.
static struct group *join_groups(struct solver *solver, const group_list *groups, const Term *conditions,
                                 uint32_t count) {
    struct group *group = path_group_new(solver);
    vec_each (struct group *, one, groups) {
        group->vars = varset_union(solver->terms, group->vars, (*one)->vars);
        group->conditions = rope_join(&solver->conditions, group->conditions, rope_copy((*one)->conditions));
    }
    for (uint32_t i = 0; i < count; i++) {
        group->vars = varset_union(solver->terms, group->vars, term_support(solver->terms, conditions[i]));
        rope_add(&solver->conditions, &group->conditions, conditions[i]);
    }
    assert(group->vars && rope_count(group->conditions) >= groups->count + count);
    return group;
}

static bool is_tabulated(struct solver *solver, const group_list *groups, VarSet vars, const Term *conditions,
                         uint32_t count) {
    uint32_t var = varset_next(solver->terms, vars, 0);
    if (varset_count(solver->terms, vars) != 1 || terms_var_is_array(solver->terms, var)) return false;
    vec_each (struct group *, one, groups)
        if (!(*one)->tabulated) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!tabulate_set(solver->tabulator, conditions[i])) return false;
    return true;
}

// Narrows the domain of a condition's only byte.
static void narrow_domain(struct solver *solver, struct path_condition *path, Term condition) {
    uint32_t var = term_single_var(solver->terms, condition);
    const uint64_t *set = var == VAR_NONE ? NULL : tabulate_set(solver->tabulator, condition);
    if (!set) return;
    const struct set *known = path_domain(path, var);
    struct set values = known ? *known : set_full();
    set_meet(&values, set);
    path_set_domain(path, var, &values);
}

// Copies the values that the query found to the path condition's assignment.
static void assign_found(struct path_condition *path, const struct query *query) {
    for (uint32_t i = 0; i < query->vars.count; i++)
        path_assign_byte(path, query->vars.at[i], query->found.at[i]);
    for (uint32_t i = 0; i < query->found_arrays.count; i++)
        path_assign_array(path, query->vars.at[i], query->found_arrays.at[i]);
}

// Whether the model differs from the assignment.
static bool is_other(const struct path_condition *path, const struct model *model) {
    for (uint32_t i = 0; model && i < model->count; i++)
        if (model->values[i] != path_byte(path, model->vars[i])) return true;
    return model && model->arrays;
}

static bool have_models(const group_list *groups) {
    vec_each (struct group *, one, groups)
        if (!(*one)->has_model) return false;
    return true;
}

// Adds conditions that are connected through shared inputs as one group.
static void add_group(struct solver *solver, struct path_condition *path, const Term *conditions,
                      uint32_t count, const struct model *model) {
    group_list old = {0};
    path->conditions += count;
    for (uint32_t i = 0; i < count; i++) {
        log_condition(solver, path, conditions[i]);
        VarSet vars = term_support(solver->terms, conditions[i]);
        vec_each (struct group *, one, &old) vars = varset_minus(solver->terms, vars, (*one)->vars);
        struct group *group;
        while ((group = next_group(solver->terms, path, &vars))) vec_push(&old, group);
    }
    bool holds = have_models(&old) && !is_other(path, model);
    for (uint32_t i = 0; i < count && holds; i++) holds = solver_evaluate(solver, path, conditions[i]) != 0;
    struct query *query = holds ? NULL : query_start(solver, path, conditions, count);
    if (query) {
        query_take_model(query, model);
        holds = query_holds(query);
        if (model && !holds)
            error_internal("the model given with a condition does not satisfy the path condition");
    }
    for (uint32_t i = 0; i < count; i++) // the expensive part, before limits_hold
        if (term_single_var(solver->terms, conditions[i]) != VAR_NONE)
            tabulate_set(solver->tabulator, conditions[i]);
    limits_hold(); // the assignment must change as a whole
    if (query) {
        assign_found(path, query);
        query_done(query);
    }
    struct group *group = join_groups(solver, &old, conditions, count);
    group->has_model = holds;
    group->tabulated = is_tabulated(solver, &old, group->vars, conditions, count);
    for (uint32_t i = 0; i < count; i++) narrow_domain(solver, path, conditions[i]);
    assert(!holds || !group->tabulated || path_allows(path, varset_next(solver->terms, group->vars, 0)));
    put_group(solver, path, &old, group);
    limits_release();
    vec_free(&old);
}

// Whether the condition has no inputs, so that its value is known. It may not be a constant if terms are not
// simplified.
static bool is_ground(struct solver *solver, struct path_condition *path, Term condition) {
    assert(term_width(solver->terms, condition) == 1);
    if (term_support(solver->terms, condition)) return false;
    path->contradiction |= !solver_evaluate(solver, path, condition);
    return true;
}

void path_add(struct solver *solver, struct path_condition *path, Term condition, struct model *model) {
    if (is_ground(solver, path, condition) || byte_add(solver, path, condition, model)) return;
    if (term_kind(solver->terms, condition) == KIND_AND) { // parts that share no input get separate groups
        path_add(solver, path, term_arg(solver->terms, condition, 0), model);
        path_add(solver, path, term_arg(solver->terms, condition, 1), model);
        return;
    }
    add_group(solver, path, &condition, 1, model);
}

// Union-find over vars, in a map: a var without an entry is its own parent.
static uint32_t root_of(struct map *parents, uint32_t var) {
    for (;;) {
        uint64_t *parent = map_get(parents, var);
        if (!parent) return var;
        assert(*parent < var); // the smallest var of a set is its root: no cycles
        uint64_t *grandparent = map_get(parents, *parent);
        if (grandparent) *parent = *grandparent; // path halving
        var = (uint32_t)*parent;
    }
}

struct group_member {
    uint32_t root;
    uint32_t order;
    Term condition;
};

static int compare_members(const void *a, const void *b) {
    const struct group_member *x = a, *y = b;
    if (x->root != y->root) return x->root < y->root ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void path_add_all(struct solver *solver, struct path_condition *path, const Term *conditions,
                  uint32_t count) {
    struct terms *terms = solver->terms;
    struct map parents = {0};
    vec(struct group_member) members = {0};
    vec(Term) together = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (is_ground(solver, path, conditions[i])) continue;
        VarSet support = term_support(terms, conditions[i]);
        uint32_t first = varset_next(terms, support, 0);
        vec_push(&members, ((struct group_member){first, i, conditions[i]}));
        for (uint32_t var = first; var != VAR_NONE; var = varset_next(terms, support, var + 1)) {
            uint32_t a = root_of(&parents, first), b = root_of(&parents, var);
            if (a != b) *map_put(&parents, MAX(a, b)) = MIN(a, b);
        }
    }
    vec_each (struct group_member, member, &members) member->root = root_of(&parents, member->root);
    if (members.count) qsort(members.at, members.count, sizeof *members.at, compare_members);
    for (uint32_t i = 0; i < members.count; i++) {
        vec_push(&together, members.at[i].condition);
        if (i + 1 < members.count && members.at[i + 1].root == members.at[i].root) continue;
        add_group(solver, path, together.at, together.count, NULL);
        vec_clear(&together);
    }
    assert(!together.count);
    map_free(&parents);
    vec_free(&members);
    vec_free(&together);
}

void path_set_model(struct path_condition *path, uint32_t var, const struct model *model) {
    const struct group *old = path_group(path, var);
    assert(old && !old->has_model && path->without_model > 0);
    struct group *group = path_group_new(old->solver);
    group->vars = old->vars;
    group->conditions = rope_copy(old->conditions);
    group->tabulated = old->tabulated;
    group->has_model = true;
    for (uint32_t i = 0; i < model->count; i++) {
        path_assign_byte(path, model->vars[i], model->values[i]);
        if (model->arrays) path_assign_array(path, model->vars[i], model->arrays[i]);
    }
    assert(!group->tabulated || path_allows(path, var));
    path_place_group(path, slot_of(path, var), group);
    path->without_model--;
}
