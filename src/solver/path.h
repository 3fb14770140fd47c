// A path condition as a value: an assignment of all inputs, and groups of conditions that share inputs, shared between all
// copies. Copying is O(1). Adding a condition that the assignment satisfies costs what the condition costs, however long
// the path is; adding one with another model costs what the groups that it touches cost.
#ifndef TAMAR_PATH_H
#define TAMAR_PATH_H

#include "base/tree.h"
#include "expr/expr.h"

struct solver;
struct array_value;

// Values for some inputs. Counted references: model_keep, model_release.
struct shared_array;
struct model {
    uint32_t references;
    uint32_t count;
    uint32_t *vars;               // increasing
    uint8_t *values;              // of byte vars
    struct shared_array **arrays; // of array vars (NULL: any); NULL when there are none
};
struct model *model_keep(struct model *model);
void model_release(struct model *model);
// The model's value, or `otherwise` when it says nothing of that var.
uint8_t model_byte(const struct model *model, uint32_t var, uint8_t otherwise);
const struct array_value *model_array(const struct model *model, uint32_t var);

struct path_condition {
    struct tree vars;    // var -> slot of its group + 1 in the high bits, its value in the low eight
    struct tree arrays;  // var of a declared array -> struct shared_array *
    struct tree domains; // var -> struct domain *: the values that conditions about this byte alone leave
    struct tree groups;  // slot -> struct group *
    uint64_t assignment; // a number that changes with any value of `vars` or `arrays`; equal in copies
    uint32_t slots;      // used so far
    uint32_t conditions; // added so far
    uint32_t group_count;
    uint32_t without_model; // groups whose model is not known
    bool contradiction;     // a condition was the constant false
    uint32_t logged;        // its number in the log of queries, where there is one
};

struct path_condition path_copy(const struct path_condition *path);
void path_free(struct path_condition *path);

// Adds a condition (width 1). `model` is what a query for this condition gave, or NULL: then the current
// model stays when it satisfies the condition, else the group has no model until solver_check.
void path_add(struct solver *solver, struct path_condition *path, Term condition, struct model *model);

// Adds many conditions, without models: one group for each set that hangs together.
void path_add_all(struct solver *solver, struct path_condition *path, const Term *conditions, uint32_t count);

// Sets the value of an input byte in the assignment (a seed's); 0 unless set. Where conditions mention the byte,
// path_use_defaults must follow.
void path_set_default(struct path_condition *path, uint32_t var, uint8_t value);
// Values were set: groups that they do not satisfy have no model from now on, the others do.
void path_use_defaults(struct solver *solver, struct path_condition *path);
uint8_t path_byte(const struct path_condition *path, uint32_t var);
// The value of a declared array; NULL: 0 everywhere.
const struct array_value *path_array(const struct path_condition *path, uint32_t var);

// All conditions, group by group.
void path_each(const struct path_condition *path, void (*visit)(void *context, Term condition),
               void *context);
// The conditions of the groups that these vars belong to: what a value of theirs depends on.
void path_each_of(struct terms *terms, const struct path_condition *path, VarSet vars,
                  void (*visit)(void *context, Term condition), void *context);

#endif
