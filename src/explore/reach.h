// The targets of an exploration: which were reached, which cannot be, and how near the search came to the others.
#ifndef TAMAR_REACH_H
#define TAMAR_REACH_H

#include "cover/targets.h"
#include "vm/vm.h"

// How a target ended: OUTCOME(NAME, as results say it).
#define TARGET_OUTCOMES(OUTCOME)                                                                             \
    OUTCOME(NOT_FOUND, "not found")                                                                          \
    OUTCOME(REACHED, "reached")                                                                              \
    OUTCOME(UNREACHABLE, "unreachable")

enum target_outcome {
#define OUTCOME(name, text) TARGET_##name,
    TARGET_OUTCOMES(OUTCOME)
#undef OUTCOME
};
extern const char *const target_outcome_names[];

// What is known of one target. Where it was not found, `nearest` and what follows say what stood in the way.
struct target_result {
    enum target_outcome outcome;
    bool no_way;             // unreachable since no path of the program's graph leads there
    uint32_t test;           // that reaches it
    uint32_t bug;            // a test that shows the bug that is wanted there, 0: none was found
    double seconds;          // until then
    uint64_t instructions;   // of all paths, until then
    uint32_t nearest;        // instructions from where paths came to; DISTANCE_NONE: they came nowhere near
    struct ir_place blocked; // the choice that no path left towards the target; instruction UINT32_MAX: none
    uint32_t blocked_edge;   // the side that leads on
    const char
        *condition; // what that side needed and was never possible; NULL: the choice never depended on input
};

struct reach;

// NULL without targets. `kinds` may be NULL: per target the kind of bug that is wanted, or -1.
struct reach *reach_new(struct targets *targets, const struct ir_program *program, bool only,
                        const int *kinds);
void reach_free(struct reach *reach);
// A first state; when all are there, the targets that no way from any of them leads to are settled.
void reach_first(struct reach *reach, const struct state *state);
void reach_start(struct reach *reach);
// A state stands at a mark. True: it reaches a target that no state had reached, and a test is wanted of it;
// reach_found tells its number.
bool reach_marked(struct reach *reach, struct state *state, uint32_t mark);
void reach_found(struct reach *reach, uint32_t mark, uint32_t test, double seconds, uint64_t instructions);
// Another exploration has reached the target, has found the bug that is wanted there, or knows that no way leads there.
void reach_learn(struct reach *reach, uint32_t mark, bool reached, bool bug, bool no_way);
// Test i, from 1, is test numbers[i] from now on.
void reach_renumber(struct reach *reach, const uint32_t *numbers, uint32_t count);
// A bug was found at this place.
void reach_bug(struct reach *reach, enum bug_kind kind, struct ir_place place, uint32_t test);
bool reach_trace_done(const struct reach *reach);
// One side of a choice on symbolic values turned out to be impossible; `condition` is what it needs.
void reach_refused(struct reach *reach, struct terms *terms, uint32_t edge, Term condition);
// Is there no way from this state to any open target, and nothing else that it is wanted for?
bool reach_hopeless(struct reach *reach, const struct state *state);
// Is there nothing left to look for?
bool reach_done(const struct reach *reach);
// At the end: `decided` when every path that could lead to a target was explored, so that what was not reached cannot be.
void reach_end(struct reach *reach, const uint8_t *edges_seen, bool decided);
// FILE:LINE:COLUMN of the choice that no path left towards the target, and what it needed; nothing where none is known.
void reach_add_obstacle(struct text *to, const struct ir_program *program,
                        const struct target_result *result);
const struct target_result *reach_results(const struct reach *reach, uint32_t *count);

#endif
