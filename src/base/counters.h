// Every counter of a run. To add one: a row here, and the code that increments it.
//
// Each part of the engine has its own structure of counters, generated from its table. Checkpoint, summary, database
// and statistics are generated from the same tables. Counters are not part of a state: dropping a state does not
// reduce them.
#ifndef TAMAR_BASE_COUNTERS_H
#define TAMAR_BASE_COUNTERS_H

#include "base/layers.h"

// explore: PATHS(field, name in "paths" of summary.json, meaning), in its order, and COUNTER(field, meaning).
#define RUN_COUNTERS(PATHS, COUNTER)                                                                         \
    PATHS(completed, "completed", "paths that ended by themselves")                                          \
    PATHS(errors, "errors", "paths that ended in a bug")                                                     \
    PATHS(states, "pending", "states left: with and without an unchecked condition (the name is older)")     \
    PATHS(killed, "killed", "paths ended by a limit")                                                        \
    PATHS(incomplete, "incomplete", "paths on which something was given up")                                 \
    PATHS(stopped, "stopped", "paths ended by an assumption, or because the program asked for it")           \
    PATHS(revived, "revived", "pending states that turned out to be feasible")                               \
    PATHS(infeasible, "infeasible", "pending states that turned out to be infeasible")                       \
    PATHS(partial, "partial", "partial paths that the backward search has found")                            \
    PATHS(joined, "joined", "paths that were joined with a partial one")                                     \
    COUNTER(pruned, "paths ended because no target is reachable from them")                                  \
    COUNTER(of_seeds, "paths of seeds")                                                                      \
    COUNTER(by_new, "paths that were forked at a choice in changed code")                                    \
    COUNTER(by_dangerous, "paths that were forked at a check")                                               \
    COUNTER(forks, "states forked")                                                                          \
    COUNTER(given, "states given to another exploration")                                                    \
    COUNTER(taken, "states taken from another exploration")                                                  \
    COUNTER(instructions, "instructions executed")                                                           \
    COUNTER(tests, "tests written")                                                                          \
    COUNTER(most_states, "largest number of states alive at the same time")

// vm, and "symbolic" of summary.json: COUNTER(field, meaning). Rebuilding a state counts its checks again, but
// neither its instructions nor its decisions.
#define SYMBOLIC_COUNTERS(COUNTER)                                                                           \
    COUNTER(instructions, "instructions with a symbolic operand")                                            \
    COUNTER(branches, "branches and switches on a symbolic value")                                           \
    COUNTER(forks, "those branches that forked: more than one side was feasible or deferred")                \
    COUNTER(checks, "checks that depend on a symbolic value")                                                \
    COUNTER(values,                                                                                          \
            "symbolic values that were enumerated, one path each: pointers, lengths, system call arguments") \
    COUNTER(left_out, "sides not taken by a seed's path that were dropped: too many states are pending")

// solver, and the table "solver" of run.db: COUNTER(field, meaning).
#define SOLVER_COUNTERS(COUNTER)                                                                             \
    COUNTER(queries, "queries asked")                                                                        \
    COUNTER(yes, "answers yes")                                                                              \
    COUNTER(no, "answers no")                                                                                \
    COUNTER(unknown, "answers unknown")                                                                      \
    COUNTER(known, "lookups of models, domains and earlier answers, answered or not")                        \
    COUNTER(cores, "refutations with fewer conditions than the query has")                                   \
    COUNTER(checked, "refutations proved again by Z3")                                                       \
    COUNTER(unchecked, "refutations about which Z3 answered unknown")                                        \
    COUNTER(groups, "independent groups in the path conditions of all queries")                              \
    COUNTER(conditions, "conditions of the queries that reached SAT")                                        \
    COUNTER(nodes, "terms of these queries")                                                                 \
    COUNTER(products, "multiplications, divisions and remainders among these terms")                         \
    COUNTER(reads, "reads of arrays at symbolic indices among these terms")                                  \
    COUNTER(writes, "writes to arrays among these terms")                                                    \
    COUNTER(instances, "SAT instances made")                                                                 \
    COUNTER(evaluations, "models evaluated")

#define COUNTER_FIELD(name, meaning)            uint64_t name;
#define COUNTER_PATHS_FIELD(name, key, meaning) uint64_t name;

struct run_counters {
    RUN_COUNTERS(COUNTER_PATHS_FIELD, COUNTER_FIELD)
};

struct symbolic_counters {
    SYMBOLIC_COUNTERS(COUNTER_FIELD)
};

struct layer_counters {
    uint64_t asked, answered, nanoseconds;
};

struct solver_counters {
    SOLVER_COUNTERS(COUNTER_FIELD)
    struct layer_counters layers[LAYER_COUNT];
    uint64_t nanoseconds; // time spent in all queries
};

// The number of queries that the layers of the group answered.
uint64_t counters_answered(const struct solver_counters *counters, enum layer_group group);

#endif
