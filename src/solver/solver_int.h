// The solver's inside.
//
// A group is immutable once a path condition refers to it: conditions that share inputs (directly or through
// others), and the inputs they mention. Groups of one path condition have disjoint inputs. The values of the inputs
// are the path condition's (its assignment), and so are the domains: for each byte the set of values that conditions about
// it alone leave.
//
// A query is made of groups and new conditions. `struct query` is its unfolded form: all conditions, all
// inputs in increasing order, the domains narrowed by the new single-byte conditions, and a starting point
// (the groups' models joined). A layer looks at it and returns an answer; on YES it has written a value for
// each input to `found`. The chain (chain.c) asks them in order, and evaluates what they found before anyone
// sees it. Questions about a byte that nothing else constrains take a shorter way (byte.c).
//
// Invariants: domains are exact over single-byte conditions, so a group of one var whose conditions
// are all tabulated is decided by its domain alone. A domain is never empty in a group with a model.
#ifndef TAMAR_SOLVER_INT_H
#define TAMAR_SOLVER_INT_H

#include "base/hash.h"
#include "base/run_limits.h"
#include "base/vec.h"
#include "sat/sat.h"
#include "solver/lanes.h"
#include "solver/parity.h"
#include "solver/query_log.h"
#include "solver/ranges.h"
#include "solver/rope.h"
#include "solver/scan.h"
#include "solver/solver.h"

struct shared_array {
    uint32_t references;
    struct array_value *value;
};

// A set of byte values.
struct set {
    uint64_t word[4];
};
struct domain {
    uint32_t references;
    struct set values;
};

struct group {
    uint32_t references;
    bool has_model; // the path condition's assignment satisfies it
    bool tabulated; // every condition is about one byte and was tabulated
    VarSet vars;
    struct rope conditions;
    struct solver *solver;
};

// Evaluators of assignments of path conditions that were used last: their values are kept.
#define PATH_EVALUATORS 4
struct path_evaluator {
    struct evaluator *evaluator;
    uint64_t assignment; // of the path conditions
    uint64_t used;       // the last time, in a count of uses
};

// What answering takes, in units of about ten nanoseconds, an instruction of the program: counted, not measured, so
// that what is decided by it is decided in the same way in every run. Name, units, of what.
#define WORK_TABLE(X)                                                                                        \
    X(VISIT, 1, "a node that is evaluated")                                                                  \
    X(NAME, 8, "a node of a condition that gets its canonical name")                                         \
    X(LANES, 40, "a node that is computed for all values of a byte")                                         \
    X(OP, 1, "an operation of a condition that was laid out flat")                                           \
    X(GATE, 20, "a gate that is built")                                                                      \
    X(FORM, 1, "a word of an equation between parities")                                                     \
    X(LITERAL, 8, "a literal of a clause")                                                                   \
    X(SOLVE, 2000, "a call of the SAT solver")                                                               \
    X(ASKED, 3000, "a question of the SAT solver whether to stop")                                           \
    X(Z3, 2000000, "a call of Z3")
enum {
#define X(name, units, what) WORK_##name = (units),
    WORK_TABLE(X)
#undef X
};

struct cache;
struct disk;
struct z3;

// Conditions of a query that is looked up in the cache where that has to be cheap: its name costs time for each of them.
#define MOST_NAMED 64u

struct query {
    struct solver *solver;
    Term condition;       // the new one when it is one, else 0
    term_list conditions; // new ones first
    uint32_t new_conditions;
    vec(uint32_t) vars; // increasing
    vec(uint8_t) start; // by position in vars: the joined models
    bool has_start;     // `start` satisfies the groups (not the new conditions)
    bool has_arrays;    // some var is a declared array
    bool too_large;     // for SAT, and so for what would make the same circuits again
    vec(struct set) domains;
    vec(uint8_t) found;
    vec(struct shared_array *) found_arrays; // by position; empty when there are none
    vec(uint32_t) equal_to; // by position: that of an earlier byte that must be equal, or its own
    term_list equated;      // the conditions with equal bytes put in for each other; empty: as they are
    vec(struct group *) groups;
    uint32_t all_groups; // of the path condition
    uint64_t deadline;
    const uint8_t *assigned; // what the evaluator sees, by position
    struct assignment assignment;
};

struct solver {
    struct terms *terms;
    struct solver_options options;
    struct solver_counters statistics;
    struct evaluator *evaluator;
    struct tabulator *tabulator;
    struct blaster *blaster; // NULL: made when needed
    struct cache *cache;
    struct disk *disk;
    struct z3 *z3;
    struct query_log *log; // NULL: nobody wants one
    struct lanes *lanes;
    struct scan *scan;     // NULL: made when needed
    struct parity *parity; // the same
    struct ranges *ranges;
    struct rope_chunks conditions; // of all groups
    uint32_t group_count;          // all
    struct path_evaluator path_evaluators[PATH_EVALUATORS];
    uint64_t evaluator_uses;
    vec(uint32_t) position; // by var: its position in the current query, plus 1
    struct query query;     // buffers, reused
    bool busy;
    unsigned effort;         // enum solver_effort
    bool is_quick;           // nothing is searched for: the layers after `disk` are not asked
    uint32_t byte_questions; // asked of byte.c
    uint64_t work;           // see WORK_TABLE; but for the evaluator's, which counts itself
    uint64_t unmoved[1024];  // queries that moving one byte did not satisfy, by their hash
};

// Sets
static inline struct set set_full(void) { return (struct set){{~0ull, ~0ull, ~0ull, ~0ull}}; }
static inline bool set_has(const struct set *set, unsigned value) {
    return set->word[value / 64] >> value % 64 & 1;
}
static inline bool set_is_empty(const struct set *set) {
    return !(set->word[0] | set->word[1] | set->word[2] | set->word[3]);
}
static inline bool set_within(const struct set *set, const struct set *other) {
    for (unsigned i = 0; i < 4; i++)
        if (set->word[i] & ~other->word[i]) return false;
    return true;
}
static inline void set_meet(struct set *set, const uint64_t *other) {
    for (unsigned i = 0; i < 4; i++) set->word[i] &= other[i];
}
static inline unsigned set_count(const struct set *set) {
    unsigned count = 0;
    for (unsigned i = 0; i < 4; i++) count += (unsigned)__builtin_popcountll(set->word[i]);
    return count;
}
// The smallest value not below `from`, or 256.
unsigned set_next(const struct set *set, unsigned from);

// Models
struct model *model_new(uint32_t count, bool arrays);
struct shared_array *array_keep(struct shared_array *array);
void array_release(struct shared_array *array);
struct shared_array *model_shared_array(const struct model *model, uint32_t var);

// Groups
struct group *group_keep(struct group *group);
void group_release(struct group *group);
struct group *group_new(struct solver *solver);
// The group (a reference that is handed over) of this var alone, in place of the one that it has, if any.
void path_replace(struct path_condition *path, uint32_t var, struct group *group);
// Sets values of the assignment.
void path_assign_byte(struct path_condition *path, uint32_t var, uint8_t value);
void path_assign_array(struct path_condition *path, uint32_t var, struct shared_array *array);
struct shared_array *path_shared_array(const struct path_condition *path, uint32_t var);
// The values that conditions about this byte alone leave; NULL: all.
const struct set *path_domain(const struct path_condition *path, uint32_t var);
// Whether the byte's value in the assignment is one of them.
bool path_allows(const struct path_condition *path, uint32_t var);
void path_set_domain(struct path_condition *path, uint32_t var, const struct set *values);
// Gives the group of `var`, which has none, a model.
void path_set_model(struct path_condition *path, uint32_t var, const struct model *model);
// A var's entry is its slot plus one, then eight bits of value.
static inline uint32_t entry_slot(uint64_t entry) { return (uint32_t)(entry >> 8); }
void place_group(struct path_condition *path, uint32_t slot, struct group *group);
struct group *path_group(const struct path_condition *path, uint32_t var);
// Conditions of the groups that share inputs with this one.
uint32_t path_size(struct solver *solver, const struct path_condition *path, Term condition);

// Queries (query.c): collects what concerns `conditions` under the path condition. The vars' groups, or all
// of them without independence. `query_done` gives the buffers back.
struct query *query_start(struct solver *solver, const struct path_condition *path, const Term *conditions,
                          uint32_t count);
void query_done(struct query *query);
// The position of a var of the query.
static inline uint32_t query_position(const struct query *query, uint32_t var) {
    assert(query->solver->position.at[var]);
    return query->solver->position.at[var] - 1;
}
// Whether the values in `found` satisfy every condition of the query, by the evaluator of src/expr.
bool query_holds(struct query *query);
// Sets `found` to the starting point, overridden by a model (or NULL).
void query_take_model(struct query *query, const struct model *model);
struct model *query_model(struct query *query);
// The evaluator set to `values` (by position), arrays from `found_arrays`.
void query_assign(struct query *query, const uint8_t *values);

// The vars, up to `most`, that decide the value of t under the evaluator's assignment; their number.
unsigned query_relevant(struct query *query, Term t, uint32_t *vars, unsigned most);

// What a group of the path condition holds from now on, and what is asked of it, for the log.
static inline void log_condition(struct solver *solver, struct path_condition *path, Term condition) {
    if (solver->log) path->logged = query_log_add(solver->log, path->logged, condition);
}
static inline void log_question(struct solver *solver, const struct path_condition *path, Term condition) {
    if (solver->log) query_log_ask(solver->log, path->logged, condition);
}

// Questions about one byte alone (byte.c). False: it is another question, and nothing was done.
bool byte_branch(struct solver *solver, const struct path_condition *path, Term condition,
                 struct branch *branch);
bool byte_may_be_true(struct solver *solver, const struct path_condition *path, Term condition,
                      struct side *side);
bool byte_add(struct solver *solver, struct path_condition *path, Term condition, const struct model *model);

// The chain: `found` is a model on YES. query_answer is the only way in.
enum answer query_answer(struct query *query);
// What needs no search: the model, sets of values that are empty, the cache.
enum answer query_known(struct query *query);
// With the option `check`: has Z3 prove that the query has no model; an internal error if Z3 finds one.
void query_check_refutation(struct query *query, const char *layer);
// The same for one condition under a path condition, for refutations that were found without a query.
void solver_check_refutation(struct solver *solver, const struct path_condition *path, Term condition,
                             const char *layer);

// The layers.
#define LAYER(number, name, ...) enum answer layer_##name(struct query *query);
LAYER_TABLE(LAYER)
#undef LAYER

// Some of the query's conditions, by SAT: on YES `found` satisfies these. NO is learned.
enum answer query_ask_sat(struct query *query, const Term *conditions, uint32_t count, uint64_t conflicts);

// The same for conditions that follow from the query's: first one for each of these, in their order, then others that always
// hold. On YES `found` may not satisfy the query.
enum answer query_ask_weaker(struct query *query, const Term *conditions, uint32_t count, uint64_t conflicts);

// What the domains say of a byte; `context` is the query.
struct facts query_byte_facts(void *context, uint32_t var);

// How many values the inputs have in all; tries all of them, by the evaluator, which computes only what a value needs.
double query_combinations(const struct query *query);
enum answer query_enumerate(struct query *query);

// search.c
bool query_has_floats(struct query *query);

// Caches learn from what SAT and Z3 found; on NO, `core` is what was needed (NULL: all conditions).
void cache_keep_model(struct query *query); // `found`, for later queries
void cache_learn(struct query *query, enum answer answer, const Term *core, uint32_t count);
struct cache *cache_new(struct solver *solver);
void cache_free(struct cache *cache);

struct z3 *z3_new(struct solver *solver);
void z3_free(struct z3 *z3);
enum answer z3_solve(struct z3 *z3, struct query *query, const Term *conditions, uint32_t count,
                     bool want_model);

#endif
