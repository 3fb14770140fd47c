// The targets of an exploration: which were reached, which are unreachable, and how near the search came
// to the others.
#ifndef TAMAR_REACH_H
#define TAMAR_REACH_H

#include "cover/targets.h"
#include "vm/vm.h"

// Outcomes of a target: OUTCOME(NAME, text in results).
#define TARGET_OUTCOMES(OUTCOME)                                                                             \
    OUTCOME(NOT_FOUND, "not found")                                                                          \
    OUTCOME(REACHED, "reached")                                                                              \
    OUTCOME(UNREACHABLE, "unreachable")

enum target_outcome {
#define OUTCOME(name, text) TARGET_##name,
    TARGET_OUTCOMES(OUTCOME)
#undef OUTCOME
};
extern const char *const reach_outcome_names[];

// Result of one target. If it was not reached, `nearest` and the fields after it describe the obstacle.
struct target_result {
    enum target_outcome outcome;
    bool no_way;             // unreachable: no path of the control-flow graph leads there
    uint32_t test;           // number of the test that reaches it
    uint32_t bug;            // test that shows the bug wanted there; 0: none
    double seconds;          // time until it was reached
    uint64_t instructions;   // instructions of all paths until it was reached
    uint32_t nearest;        // least distance of any path, in words of the IR; DISTANCE_NONE: none came near
    struct ir_point blocked; // branch whose side to the target no path took; instruction UINT32_MAX: none
    uint32_t blocked_edge;   // edge of the branch `blocked` that leads to the target
    // Condition of `blocked_edge`, which was never satisfiable. NULL: the branch never depended on input.
    const char *condition;
};

struct reach;

// Returns NULL without targets. `kinds`: per target the kind of bug wanted, or -1; may be NULL.
struct reach *reach_new(struct targets *targets, const struct ir_program *program, bool only,
                        const int *kinds);
void reach_free(struct reach *reach);
// reach_add_initial adds an initial state. reach_start is called when all are added; it closes the targets without
// a path in the graph.
void reach_add_initial(struct reach *reach, const struct state *state);
void reach_start(struct reach *reach);
// Handles a state at a mark. Returns true if it is the first to reach a target: the caller then makes a test
// of the state and passes the test's number to reach_found.
bool reach_marked(struct reach *reach, struct state *state, uint32_t mark);
void reach_found(struct reach *reach, uint32_t mark, uint32_t test, double seconds, uint64_t instructions);
// Records that another exploration has reached the target, found the bug wanted there, or knows that no
// path leads there.
void reach_learn(struct reach *reach, uint32_t mark, bool reached, bool bug, bool no_way);
// Renumbers the tests: test i (from 1) becomes numbers[i].
void reach_renumber(struct reach *reach, const uint32_t *numbers, uint32_t count);
// Records a bug at this program point.
void reach_bug(struct reach *reach, enum bug_kind kind, struct ir_point point, uint32_t test);
bool reach_trace_done(const struct reach *reach);
// Records that no state takes this edge of a symbolic branch; `condition` as in vm_sink.
void reach_note_infeasible(struct reach *reach, struct terms *terms, uint32_t edge, Term condition);
// Whether the state can reach no open target, and the run searches for nothing but targets.
bool reach_is_dead_end(struct reach *reach, const struct state *state);
// Whether nothing is left to search for.
bool reach_done(const struct reach *reach);
// Called at the end. `deferred`: per block, the number of undecided states at its branch. `decided`: every path
// that could lead to a target was explored, so targets not reached are unreachable.
void reach_end(struct reach *reach, const uint8_t *edges_seen, const uint32_t *deferred, bool decided);
// Adds FILE:LINE:COLUMN of the branch whose side to the target no path took, and the condition of that side;
// nothing if unknown.
void reach_add_obstacle(struct text *to, const struct ir_program *program,
                        const struct target_result *result);
const struct target_result *reach_results(const struct reach *reach, uint32_t *count);

#endif
