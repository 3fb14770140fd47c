// Queries over path conditions, answered by a chain of layers, the cheapest first.
//
// clang-format off
//     struct solver *solver = solver_new(terms, &solver_defaults);
//     struct path_condition pc = {0};                 // true; a value: path_copy, path_free
//     struct branch branch;
//     solver_branch(solver, &pc, condition, &branch); // which sides are possible, with a model of each
//     if (branch.yes.answer == ANSWER_YES) path_add(solver, &pc, condition, branch.yes.model);
//     branch_free(&branch);
//     uint8_t byte = path_byte(&pc, var);             // of the assignment that satisfies the path condition
// clang-format on
//
// A path condition always satisfies itself: every group of it has a model, unless a condition was added
// without one (path_add with NULL that the current model does not satisfy), which solver_check makes good.
// Every model that is handed out was evaluated against the whole query by the evaluator of src/expr.
// A query that a limit ends (its own, or one of base/run_limits.h) is ANSWER_UNKNOWN, and the solver can be used as before.
// The solver keeps the terms of path conditions alive through its root callback; one thread each.
#ifndef TAMAR_SOLVER_H
#define TAMAR_SOLVER_H

#include "base/counters.h"
#include "blast/blast.h"
#include "expr/eval.h"
#include "solver/path.h"

#include <stdio.h>

struct solver;

enum answer { ANSWER_UNKNOWN, ANSWER_YES, ANSWER_NO };

// What is switched besides layers (base/layers.h).
#define SOLVER_FEATURES(X)                                                                                   \
    X(independence, "a query concerns only the groups that share inputs with it")                            \
    X(check, "refutations are proved again by Z3")

// Answers that other explorations of the program have found, under the canonical names of their queries. A value is an answer and bytes of a
// model, which are evaluated before they count; a refutation is believed.
struct solver_exchange {
    void *context;
    // The value's size, at most `room`; 0: nobody has told it.
    uint32_t (*find)(void *context, const uint64_t name[2], uint8_t *value, uint32_t room);
    void (*tell)(void *context, const uint64_t name[2], const uint8_t *value, uint32_t size);
};

struct solver_options {
#define LAYER(number, name, ...) bool name;
    LAYER_TABLE(LAYER)
#undef LAYER
#define X(name, what) bool name;
    SOLVER_FEATURES(X)
#undef X
    struct blast_options blast;
    double timeout;                         // seconds for one query, 0: none
    uint64_t conflicts;                     // of SAT before Z3 is asked (when it is on), 0: no limit
    const char *cache_file;                 // of the disk layer, NULL: none
    size_t cache_size;                      // its largest size in bytes
    const struct solver_exchange *exchange; // NULL: none
    FILE *log; // where the queries are written as SMT-LIB, NULL: nowhere; the caller closes it
};
extern const struct solver_options solver_defaults; // everything but check, disk

struct solver *solver_new(struct terms *terms, const struct solver_options *options);
void solver_free(struct solver *solver);

// What has been done so far, in units of about an instruction of the program. Counted, not measured: the same queries take
// the same work on any machine.
uint64_t solver_work(const struct solver *solver);

// How much is done for a query from now on. Counted, not measured: what a query gets does not depend on the machine.
enum solver_effort { EFFORT_QUICK, EFFORT_LONGER, EFFORT_FULL };
void solver_set_effort(struct solver *solver, unsigned effort);

// Seconds for one query from now on, 0: no limit.
void solver_set_timeout(struct solver *solver, double seconds);

// Can the condition (width 1) be true under the path condition? On YES, `*model` (when `model` is not NULL) is a model for
// path_add, which the caller releases; NULL: the path condition's assignment satisfies the condition.
enum answer solver_may_be_true(struct solver *solver, const struct path_condition *path, Term condition,
                               struct model **model);

// The same without solving anything: by the path condition's model, the sets of values of single bytes, and earlier
// answers. UNKNOWN: a query would have to be asked.
enum answer solver_known(struct solver *solver, const struct path_condition *path, Term condition,
                         struct model **model);

// Is the term's value (at most 64 bits) computed from conditions and constants alone, whatever they may be?
bool solver_is_choice(struct terms *terms, Term t);
// Whether the path condition is seen to leave the term one value, without asking: by its conditions as they stand, and the sets of
// values of single bytes.
bool solver_decided(struct solver *solver, const struct path_condition *path, Term t, uint64_t *value);

struct side {
    enum answer answer;
    struct model *model; // when the answer is YES
};
struct branch {
    struct side yes, no;
};
// Both sides of a branch; at least one is YES when the path condition has a model (that one is free).
void solver_branch(struct solver *solver, const struct path_condition *path, Term condition,
                   struct branch *branch);
void branch_free(struct branch *branch);

// Gives every group of the path condition a model. NO: it contradicts itself.
enum answer solver_check(struct solver *solver, struct path_condition *path);

// The smallest and largest value, unsigned, of a term of at most 64 bits.
enum answer solver_bounds(struct solver *solver, const struct path_condition *path, Term t, uint64_t *low,
                          uint64_t *high);
// Bounds of an input byte without a search: the smallest and largest value where the quick layers decide it, else those of the
// conditions about this byte alone. Each value that the byte can have lies between them.
void solver_byte_bounds(struct solver *solver, const struct path_condition *path, uint32_t var, Term byte,
                        uint64_t *low, uint64_t *high);
// Up to `most` different values of a term of at most 64 bits, their number in `*count`. YES: these are all;
// NO: there are more; UNKNOWN: there may be more.
enum answer solver_values(struct solver *solver, const struct path_condition *path, Term t, uint64_t *values,
                          unsigned most, unsigned *count);
// The value of a term (at most 64 bits) under the path condition's model.
uint64_t solver_evaluate(struct solver *solver, const struct path_condition *path, Term t);

const struct solver_counters *solver_statistics(const struct solver *solver);
// Goes on counting from there.
void solver_restore_statistics(struct solver *solver, const struct solver_counters *counters);
// Counters and timers, one line each: `:name value` pairs as (get-info :all-statistics) prints them.
void solver_print_statistics(const struct solver *solver, FILE *out);

#endif
