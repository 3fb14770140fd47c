// Internals of the solver.
//
// A group is an independent set of constraints: conditions that share inputs, directly or through others, and those
// inputs. A group is immutable once a path condition refers to it. Groups of one path condition have disjoint inputs.
// The values of the inputs belong to the path condition (its assignment). So do the domains: for each byte, the set of
// values that the conditions about it alone allow.
//
// A query consists of groups and new conditions. `struct query` lists all conditions, new ones first, and all inputs in
// increasing order. It also has the domains, narrowed by the new single-byte conditions, and a starting point: the
// union of the groups' models. A layer reads it and returns an answer; on YES it has written a value for each input to
// `found`. The chain (chain.c) asks the layers in order and evaluates each model before it is used. Queries about a
// byte that nothing else constrains bypass the chain (byte.c).
//
// Invariants: a byte's domain is exactly the set of values that satisfy all conditions about this byte alone. So a
// group of a single byte is decided by its domain (`tabulated`). A domain is never empty in a group with a model.
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
    bool has_model; // the path condition's assignment satisfies the group
    bool tabulated; // the group has a single byte, and every condition was tabulated
    VarSet vars;
    struct rope conditions;
    struct solver *solver;
};

// The evaluators of the most recently used assignments are kept, with the values they have computed.
#define PATH_EVALUATORS 4
struct path_evaluator {
    struct evaluator *evaluator;
    uint64_t assignment; // assignment number of the path conditions it evaluates
    uint64_t used;       // value of evaluator_uses at its last use
};

// Deterministic cost of answering. A unit is about ten nanoseconds, the time of one instruction of the program. The
// cost is counted, not measured, so that decisions based on it are the same in every run. Name, units, what costs them.
#define WORK_TABLE(X)                                                                                        \
    X(VISIT, 1, "a node that is evaluated")                                                                  \
    X(NAME, 8, "a node of a condition that gets its canonical name")                                         \
    X(LANES, 40, "a node that is computed for all values of a byte")                                         \
    X(OP, 1, "an operation of a compiled condition (flat.h)")                                                \
    X(GATE, 20, "a gate that is built")                                                                      \
    X(FORM, 1, "a word of an equation between parities")                                                     \
    X(LITERAL, 8, "a literal of a clause")                                                                   \
    X(SOLVE, 2000, "a call of the SAT solver")                                                               \
    X(ASKED, 3000, "a call of the SAT solver's terminator")                                                  \
    X(Z3, 2000000, "a call of Z3")
enum {
#define X(name, units, what) WORK_##name = (units),
    WORK_TABLE(X)
#undef X
};

struct query_cache;
struct disk;
struct z3;

// A query with more than this many conditions gets no name below full effort, and is not looked up in the cache by
// solver_lookup: computing a name takes time for each condition.
#define MOST_NAMED 64u

struct query {
    struct solver *solver;
    Term condition;       // the new condition if there is exactly one, else 0
    term_list conditions; // new ones first
    uint32_t new_conditions;
    vec(uint32_t) vars; // increasing
    vec(uint8_t) start; // by position in vars: the values in the models of the groups
    bool has_start;     // `start` satisfies the groups (not the new conditions)
    bool has_arrays;    // some var is a declared array
    bool too_large;     // too large for SAT, and for every layer that would build the same circuits
    vec(struct set) domains;
    vec(uint8_t) found;
    vec(struct shared_array *) found_arrays; // by position; empty when there are none
    vec(uint32_t) equal_to; // by position: position of an earlier byte that must be equal, else itself
    term_list equated;      // the conditions with equal bytes substituted for each other; empty: unchanged
    vec(struct group *) groups;
    uint32_t all_groups; // number of groups of the path condition
    uint64_t deadline;
    const uint8_t *assigned; // the values that the evaluator reads, by position
    struct assignment assignment;
};

struct solver {
    struct terms *terms;
    struct solver_options options;
    struct solver_counters statistics;
    struct evaluator *evaluator;
    struct tabulator *tabulator;
    struct blaster *blaster; // NULL: made when needed
    struct query_cache *cache;
    struct disk *disk;
    struct z3 *z3;
    struct query_log *log; // NULL: no log
    struct lanes *lanes;
    struct scan *scan;     // NULL: made when needed
    struct parity *parity; // NULL: made when needed
    struct ranges *ranges;
    struct rope_chunks conditions; // conditions of all groups
    uint32_t group_count;          // groups of all path conditions
    struct path_evaluator path_evaluators[PATH_EVALUATORS];
    uint64_t evaluator_uses;
    vec(uint32_t) position; // by var: its position in the current query, plus 1
    struct query query;     // buffers, reused
    bool busy;
    unsigned effort;        // enum solver_effort
    bool is_quick;          // no search: the layers after `disk` are skipped
    uint32_t byte_queries;  // queries answered by byte.c
    uint64_t work;          // in the units of WORK_TABLE; the evaluators count their work themselves
    uint64_t unmoved[1024]; // hashes of queries that no change of one byte satisfied
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
unsigned model_set_next(const struct set *set, unsigned from);

// Models
struct model *model_new(uint32_t count, bool arrays);
struct shared_array *model_array_keep(struct shared_array *array);
void model_array_release(struct shared_array *array);
struct shared_array *model_shared_array(const struct model *model, uint32_t var);

// Groups
struct group *path_group_keep(struct group *group);
void path_group_release(struct group *group);
struct group *path_group_new(struct solver *solver);
// Makes `group` (whose reference is consumed) the group of this var alone, replacing its current one, if any.
void path_replace(struct path_condition *path, uint32_t var, struct group *group);
// Sets values of the assignment.
void path_assign_byte(struct path_condition *path, uint32_t var, uint8_t value);
struct shared_array *path_shared_array(const struct path_condition *path, uint32_t var);
// The values that the conditions about this byte alone allow; NULL: all.
const struct set *path_domain(const struct path_condition *path, uint32_t var);
// Whether the byte's value in the assignment is in its domain.
bool path_allows(const struct path_condition *path, uint32_t var);
void path_set_domain(struct path_condition *path, uint32_t var, const struct set *values);
// Sets the model of the group of `var`, which has no model yet.
void path_set_model(struct path_condition *path, uint32_t var, const struct model *model);
// The entry of a var in path_condition.vars: bits 0 to 7 are its value, the bits above the number (slot) of its group,
// plus one.
static inline uint32_t entry_slot(uint64_t entry) { return (uint32_t)(entry >> 8); }
void path_place_group(struct path_condition *path, uint32_t slot, struct group *group);
struct group *path_group(const struct path_condition *path, uint32_t var);
// The number of conditions in the groups that share inputs with this condition.
uint32_t path_size(struct solver *solver, const struct path_condition *path, Term condition);

// Queries (query.c). Collects the groups that share inputs with `conditions`, or all groups without independence.
// `query_done` ends the query.
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
// Sets the evaluator to `values` (by position), with arrays from `found_arrays`.
void query_assign(struct query *query, const uint8_t *values);

// Finds the vars, up to `most`, that decide the value of t under the evaluator's assignment. Returns their number.
unsigned query_relevant(struct query *query, Term t, uint32_t *vars, unsigned most);

// Log a condition that is added to a path condition; log a query about a condition.
static inline void log_condition(struct solver *solver, struct path_condition *path, Term condition) {
    if (solver->log) path->logged = query_log_add(solver->log, path->logged, condition);
}
static inline void log_query(struct solver *solver, const struct path_condition *path, Term condition) {
    if (solver->log) query_log_ask(solver->log, path->logged, condition);
}

// Queries about one byte alone (byte.c). False: the query is of another kind, and nothing was done.
bool byte_branch(struct solver *solver, const struct path_condition *path, Term condition,
                 struct branch *branch);
bool byte_may_be_true(struct solver *solver, const struct path_condition *path, Term condition,
                      struct side *side);
bool byte_add(struct solver *solver, struct path_condition *path, Term condition, const struct model *model);

// Runs the chain of layers; on YES `found` is a model. The only entry to the chain.
enum answer query_answer(struct query *query);
// Answers without search: by the model, by empty domains, by the cache.
enum answer query_known(struct query *query);
// With the option `check`: asks Z3 to confirm that the query has no model. If Z3 finds a model, this is an internal
// error; the answer unknown is counted as unchecked.
void query_check_refutation(struct query *query, const char *layer);
// Like query_check_refutation, for one condition under a path condition that was refuted without a query.
void solver_check_refutation(struct solver *solver, const struct path_condition *path, Term condition,
                             const char *layer);

// The layers.
#define LAYER(number, name, ...) enum answer solver_layer_##name(struct query *query);
LAYER_TABLE(LAYER)
#undef LAYER

// Decides some of the query's conditions by SAT. On YES `found` satisfies these; a NO is cached.
enum answer query_ask_sat(struct query *query, const Term *conditions, uint32_t count, uint64_t conflicts);

// Like query_ask_sat, for a relaxation: every model of the query extends to a model of these conditions. Condition i
// relaxes condition i of the query; further conditions are facts. On YES `found` may not satisfy the query.
enum answer query_ask_weaker(struct query *query, const Term *conditions, uint32_t count, uint64_t conflicts);

// Known bits and range of a byte with these values.
struct facts set_facts(const struct set *set);

// Known bits and range of a byte from its domain; `context` is the query.
struct facts query_byte_facts(void *context, uint32_t var);

// The number of assignments within the domains. query_enumerate evaluates the conditions under all of them; the
// evaluator skips branches not taken.
double query_combinations(const struct query *query);
enum answer query_enumerate(struct query *query);

// Whether t has at least this many values among the models of the query that differ from the path's in one byte.
// False: not known.
bool query_has_values(struct query *query, Term t, unsigned least);

// local_search.c
bool query_has_floats(struct query *query);

void cache_keep_model(struct query *query); // keeps `found` for later queries
// Caches an answer. On NO, `core` lists conditions that suffice for the refutation; NULL, 0: no core is known.
void cache_learn(struct query *query, enum answer answer, const Term *core, uint32_t count);
bool cache_is_empty(const struct query_cache *cache);
struct query_cache *cache_new(struct solver *solver);
void cache_free(struct query_cache *cache);

struct z3 *z3_new(struct solver *solver);
void z3_free(struct z3 *z3);
enum answer z3_solve(struct z3 *z3, struct query *query, const Term *conditions, uint32_t count,
                     bool want_model);

#endif
