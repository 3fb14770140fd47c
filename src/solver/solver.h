// Queries over path conditions, answered by a chain of layers, the cheapest first.
//
// clang-format off
//     struct solver *solver = solver_new(terms, &solver_defaults);
//     struct path_condition pc = {0};                 // true; a value: path_copy, path_free
//     struct branch branch;
//     solver_branch(solver, &pc, condition, &branch); // which sides are possible, with a model of each
//     if (branch.yes.answer == ANSWER_YES) path_add(solver, &pc, condition, branch.yes.model);
//     solver_branch_free(&branch);
//     uint8_t byte = path_byte(&pc, var);             // its value in the assignment that satisfies the path condition
// clang-format on
//
// A group of a path condition has no model only after path_add without a model, path_add_all or path_use_defaults, if
// the current assignment violates its conditions. solver_check then finds a model. Before a model is returned, the
// evaluator of src/expr evaluates the query under it. (A query about a single byte is evaluated later, when path_add
// uses its model: byte.c. Wrong models are internal errors.) If a limit ends a query (the query's own limit, or one of
// base/run_limits.h), the answer is ANSWER_UNKNOWN; the solver stays usable. The solver keeps the terms of path
// conditions alive through its root callback. A solver belongs to one thread.
#ifndef TAMAR_SOLVER_H
#define TAMAR_SOLVER_H

#include "base/counters.h"
#include "blast/blast.h"
#include "expr/eval.h"
#include "solver/path.h"

#include <stdio.h>

struct solver;
struct shared_answers;

enum answer { ANSWER_UNKNOWN, ANSWER_YES, ANSWER_NO };

// Switches besides those of the layers (base/layers.h).
#define SOLVER_FEATURES(X)                                                                                   \
    X(independence, "a query concerns only the groups that share inputs with it")                            \
    X(check, "refutations are proved again by Z3")

struct solver_options {
#define LAYER(number, name, ...) bool name;
    LAYER_TABLE(LAYER)
#undef LAYER
#define X(name, what) bool name;
    SOLVER_FEATURES(X)
#undef X
    struct blast_options blast;
    double timeout;         // seconds for one query, 0: none
    uint64_t conflicts;     // limit of SAT conflicts before Z3 is asked; 0, or without the layer z3: no limit
    const char *cache_file; // file of the disk layer, NULL: none
    size_t cache_size;      // largest size of cache_file in bytes
    struct shared_answers *shared; // answers of other processes, for the disk layer (shared.h); NULL: none
    FILE *log;                     // receives the queries as SMT-LIB, NULL: no log; the caller closes it
};
extern const struct solver_options solver_defaults; // all layers; no check, no cache file

struct solver *solver_new(struct terms *terms, const struct solver_options *options);
void solver_free(struct solver *solver);
// Writes and closes the log of queries and the cache on disk. The solver answers no query afterwards.
void solver_close_files(struct solver *solver);

// The work done so far, in units of about one instruction of the program. It is a deterministic cost, not a time: the
// same queries cost the same on any machine.
uint64_t solver_work(const struct solver *solver);

// Sets the effort for each query from now on. The effort is a limit on layers, terms and SAT conflicts, not on time:
// it is the same on every machine.
enum solver_effort { EFFORT_QUICK, EFFORT_LONGER, EFFORT_FULL };
void solver_set_effort(struct solver *solver, unsigned effort);

// Sets the time limit for each query from now on, in seconds; 0: no limit.
void solver_set_timeout(struct solver *solver, double seconds);

// Whether the condition (width 1) is satisfiable under the path condition. On YES, `*model` (when `model` is not
// NULL) is a model for path_add, which the caller releases. A NULL `*model`: the path condition's assignment
// satisfies the condition.
enum answer solver_may_be_true(struct solver *solver, const struct path_condition *path, Term condition,
                               struct model **model);

// Like solver_may_be_true, but without search: uses the path condition's model, the domains of single bytes, and
// earlier answers. UNKNOWN: a query is needed.
enum answer solver_lookup(struct solver *solver, const struct path_condition *path, Term condition,
                          struct model **model);

// Whether the term (at most 64 bits) is built from conditions and constants alone, as an ite over constants is.
bool solver_is_choice(struct terms *terms, Term t);
// Whether the path condition implies a single value of the term, as far as this is known without a query: from
// conditions that occur in the term, and from the domains of single bytes.
bool solver_implied_value(struct solver *solver, const struct path_condition *path, Term t, uint64_t *value);

struct side {
    enum answer answer;
    struct model *model; // when the answer is YES
};
struct branch {
    struct side yes, no;
};
// Queries both sides of a branch. At least one is YES when the path condition has a model; that side costs one
// evaluation, and counts as a query that the layer `model` answered.
void solver_branch(struct solver *solver, const struct path_condition *path, Term condition,
                   struct branch *branch);
void solver_branch_free(struct branch *branch);

// Gives every group of the path condition a model. NO: the path condition is unsatisfiable.
enum answer solver_check(struct solver *solver, struct path_condition *path);

// Computes the smallest and the largest unsigned value of a term of at most 64 bits. NO: the path condition is
// unsatisfiable; UNKNOWN: sound bounds, perhaps not the tightest.
enum answer solver_bounds(struct solver *solver, const struct path_condition *path, Term t, uint64_t *low,
                          uint64_t *high);
// Bounds an input byte without search: every feasible value lies within the bounds. The bounds are exact where the
// layers up to `disk` decide; else they follow from the conditions about this byte alone.
void solver_byte_bounds(struct solver *solver, const struct path_condition *path, uint32_t var, Term byte,
                        uint64_t *low, uint64_t *high);
// Finds up to `most` different values of a term of at most 64 bits; `*count` is their number. YES: these are all; NO:
// there are more than `most`, some of which were found; UNKNOWN: there may be more.
enum answer solver_values(struct solver *solver, const struct path_condition *path, Term t, uint64_t *values,
                          unsigned most, unsigned *count);
// The value of a term (at most 64 bits) under the path condition's model.
uint64_t solver_evaluate(struct solver *solver, const struct path_condition *path, Term t);

const struct solver_counters *solver_statistics(const struct solver *solver);
// Sets the counters to those of the run that is resumed.
void solver_restore_statistics(struct solver *solver, const struct solver_counters *counters);
// Prints counters and timers, one line each: `:name value` pairs as in (get-info :all-statistics).
void solver_print_statistics(const struct solver *solver, FILE *out);

#endif
