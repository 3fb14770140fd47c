// A path condition as a value: an assignment of all inputs, and groups (sets of conditions that are connected through
// shared inputs; different groups are independent). Copies share the assignment and the groups; copying is O(1). Adding
// a condition that the assignment satisfies is linear in the condition, however long the path is. Adding a condition
// with another model is linear in the groups that share inputs with it.
#ifndef TAMAR_PATH_H
#define TAMAR_PATH_H

#include "base/tree.h"
#include "expr/expr.h"

struct solver;
struct array_value;

struct shared_array;
// Values for some inputs; freed by model_release.
struct model {
    uint32_t count;
    uint32_t *vars;               // in increasing order
    uint8_t *values;              // values of byte vars
    struct shared_array **arrays; // values of array vars (an entry NULL: any value); NULL when there are none
};
void model_release(struct model *model);
// The model's value of the byte, or `otherwise` if it has none.
uint8_t model_byte(const struct model *model, uint32_t var, uint8_t otherwise);

struct path_condition {
    struct tree vars;    // var -> value of the byte (bits 0 to 7), number of its group + 1 (higher bits)
    struct tree arrays;  // var of a declared array -> struct shared_array *
    struct tree domains; // var -> struct domain *: the values that the conditions about this byte alone allow
    struct tree groups;  // number of a group in this path condition -> struct group *
    uint64_t assignment; // a number that changes with any value of `vars` or `arrays`; equal in copies
    uint32_t slots;      // numbers of groups used so far, free ones included
    uint32_t conditions; // conditions added so far
    uint32_t group_count;
    uint32_t without_model; // groups whose model is not known
    bool contradiction;     // a condition was the constant false
    uint32_t logged;        // number of this path condition in the query log, if there is a log
};

struct path_condition path_copy(const struct path_condition *path);
void path_free(struct path_condition *path);

// Adds a condition (width 1). `model` is the model that a query for this condition returned. NULL: the current model
// stays if it satisfies the condition, else the group has no model until solver_check.
void path_add(struct solver *solver, struct path_condition *path, Term condition, struct model *model);

// Adds many conditions, without models: one group for each connected set.
void path_add_all(struct solver *solver, struct path_condition *path, const Term *conditions, uint32_t count);

// Sets the value of an input byte in the assignment (from a seed); 0 unless set. If conditions mention the byte,
// path_use_defaults must follow.
void path_set_default(struct path_condition *path, uint32_t var, uint8_t value);
// Evaluates all groups under the values set by path_set_default. A group has a model from now on exactly if they
// satisfy it.
void path_use_defaults(struct solver *solver, struct path_condition *path);
uint8_t path_byte(const struct path_condition *path, uint32_t var);
// The value of a declared array; NULL: all zeros.
const struct array_value *path_array(const struct path_condition *path, uint32_t var);

// Visits all conditions, group by group.
void path_each(const struct path_condition *path, void (*visit)(void *context, Term condition),
               void *context);
// Visits the conditions of the groups that these vars belong to: the values of the vars depend on no others.
void path_each_of(struct terms *terms, const struct path_condition *path, VarSet vars,
                  void (*visit)(void *context, Term condition), void *context);

#endif
