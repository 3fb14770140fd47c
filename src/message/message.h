// The messages that a run emits, as plain data. The results folder, the live view, checkpoints and other processes read
// them without depending on the engine.
#ifndef TAMAR_MESSAGE_H
#define TAMAR_MESSAGE_H

#include "base/counters.h"
#include "message/finding.h"
#include "message/shared_run.h"
#include "message/test_case.h"

// ---- counters

extern const struct layout layout_run_counters, layout_symbolic_counters, layout_solver_counters;

// The current status of the run. Each message replaces the previous one.
#define RUN_STATUS_FIELDS(X, T)                                                                              \
    X(T, REAL, seconds, "elapsed time of the run")                                                           \
    X(T, REAL, work_seconds, "time that all processes of the run spent exploring")                           \
    X(T, REAL, solver_seconds, "part of work_seconds spent in the solver")                                   \
    X(T, REAL, search_seconds, "part of work_seconds spent in the search strategy")                          \
    X(T, REAL, infeasible_seconds, "part of solver_seconds spent on pending states found infeasible")        \
    X(T, TEXT, end, "why the run ended; NULL: it is still running")                                          \
    X(T, FLAG, explored, "no state is left, and none was dropped")                                           \
    X(T, FLAG, complete, "explored, and no path or value was skipped")                                       \
    X(T, LONG, peak_memory, "peak memory of all processes, in bytes")                                        \
    X(T, ONE, counts, run_counters, "")                                                                      \
    X(T, ONE, symbolic, symbolic_counters, "")                                                               \
    X(T, ONE, solver, solver_counters, "")

LAYOUT_STRUCT(run_status, RUN_STATUS_FIELDS)

// ---- coverage

// Changes of coverage since the last message; `deferred` is the whole current set. Numbers are those of the program.
#define COVERAGE_DELTA_FIELDS(X, T)                                                                          \
    X(T, SET, edges, edge_count, "edges newly taken")                                                        \
    X(T, SET, symbolic, symbolic_count, "edges first taken at a branch that depended on an input")           \
    X(T, SET, functions, function_count, "functions newly entered")                                          \
    X(T, SET, positions, position_count,                                                                     \
      "positions (from 1, of user code) at which a return was executed, or a frame stood when its path "     \
      "ended")                                                                                               \
    X(T, SET, tested, tested_count,                                                                          \
      "edges, functions and positions (numbered in this order, cover/cover.h) covered by a test; "           \
      "only in checkpoints: otherwise each test lists its own")                                              \
    X(T, SET, unfound, unfound_count,                                                                        \
      "tests that an interrupted run wrote and that were not found again yet; only in checkpoints")          \
    X(T, SET, deferred, deferred_count,                                                                      \
      "all blocks whose branch has an undecided side: its state is pending or was dropped")                  \
    X(T, NUMBERS, waiting, waiting_count, "number of undecided states, for each block of `deferred`")

LAYOUT_STRUCT(coverage_delta, COVERAGE_DELTA_FIELDS)

// ---- incompleteness

// Some behaviour of the program was not explored exactly. A later message with the same number replaces this one.
#define INCOMPLETENESS_FIELDS(X, T)                                                                          \
    X(T, NUMBER, number, "from 1")                                                                           \
    X(T, TEXT, what, "description for the user")                                                             \
    X(T, ONE, place, finding_frame, "innermost frame in user code")                                          \
    X(T, ONE, stack, finding_stack, "call stack of the operation")                                           \
    X(T, NUMBERS, site, site_count, "the stack as pairs of function and instruction, innermost first")       \
    X(T, NUMBER, block, "block that ends with the branch concerned, plus 1; 0: another operation")           \
    X(T, LONG, count, "number of times that it happened")                                                    \
    X(T, FLAG, lost, "paths or values were skipped, so that the run is not complete")

LAYOUT_STRUCT(incompleteness, INCOMPLETENESS_FIELDS)

// ---- bugs as the engine distinguishes them

// A bug that was found (not an ignored one, run/known.h); the finding with the same number describes it. A later
// message with the same number replaces this one.
#define ENGINE_BUG_FIELDS(X, T)                                                                              \
    X(T, NUMBER, number, "from 1")                                                                           \
    X(T, TEXT, kind, "")                                                                                     \
    X(T, TEXT, fault, "the way in which the operation fails (base/bug_kinds.h)")                             \
    X(T, NUMBERS, site, site_count,                                                                          \
      "call stack in its test, as pairs of function and instruction, innermost first")                       \
    X(T, ONE, place, finding_frame, "innermost frame in user code; line 0: none")                            \
    X(T, NUMBER, test, "number of the test that shows the bug with this stack")                              \
    X(T, NUMBER, tests, "number of tests made to show the bug")                                              \
    X(T, LONG, paths, "number of paths that end with the bug, so far")                                       \
    X(T, NUMBERS, stacks, stack_words, "hashes of the different call stacks: lower half, upper half, ...")   \
    X(T, NUMBERS, callers, caller_words, "hashes of the calls of the failing function, as in `stacks`")

LAYOUT_STRUCT(engine_bug, ENGINE_BUG_FIELDS)

// ---- targets

#define TARGET_STATUS_FIELDS(X, T)                                                                           \
    X(T, NUMBER, number, "mark of the target")                                                               \
    X(T, TEXT, outcome, "reached, unreachable, not found")                                                   \
    X(T, FLAG, reached, "")                                                                                  \
    X(T, NUMBER, test, "number of the test that reaches the target; 0: none")                                \
    X(T, NUMBER, bug, "number of a test that shows the bug wanted there; 0: none")                           \
    X(T, REAL, seconds, "time until the target was reached")                                                 \
    X(T, LONG, instructions, "instructions of all paths until the target was reached")                       \
    X(T, FLAG, no_way, "unreachable: no path of the control-flow graph leads there")                         \
    X(T, FLAG, near, "`distance` is known")                                                                  \
    X(T, NUMBER, distance, "least distance of any path to the target, in words of the IR (ir/distance.h)")   \
    X(T, TEXT, obstacle, "branch that no path left towards the target; NULL: not known")

LAYOUT_STRUCT(target_status, TARGET_STATUS_FIELDS)

// ---- the frontier

// An input: its identity (base/input_id.h) and its size.
#define FRONTIER_INPUT_FIELDS(X, T)                                                                          \
    X(T, ENUM, kind, input_kind, INPUT_KIND_COUNT, "")                                                       \
    X(T, FLAG, is_length, "the length of the file, not its bytes")                                           \
    X(T, NUMBER, index, "")                                                                                  \
    X(T, TEXT, name, "")                                                                                     \
    X(T, NUMBER, size, "bytes that the path uses")

LAYOUT_STRUCT(frontier_input, FRONTIER_INPUT_FIELDS)

// A live state, represented by the decisions that lead to it.
#define FRONTIER_ENTRY_FIELDS(X, T)                                                                          \
    X(T, LONG, number, "in creation order")                                                                  \
    X(T, NUMBER, environment, "index of the command line")                                                   \
    X(T, NUMBER, depth, "number of forks on the path")                                                       \
    X(T, NUMBER, progress, "number of ordered targets that the path has visited")                            \
    X(T, LONG, instructions, "number of instructions executed on the path")                                  \
    X(T, NUMBER, reports, "incompleteness and survived bugs that the path reported since its last decision") \
    X(T, FLAG, incomplete, "alternatives or values were skipped on the path")                                \
    X(T, FLAG, pending, "the feasibility of the last condition has not been checked")                        \
    X(T, FLAG, follows, "takes the side of its model at each choice, without queries")                       \
    X(T, NUMBER, pending_edge, "edge that a pending state takes if feasible, plus 1; 0: none")               \
    X(T, NUMBER, pending_block, "block that ends with the deferred branch, plus 1; 0: another operation")    \
    X(T, SHARED_NUMBERS, decisions, decision_count, "decisions of the path, in order")                       \
    X(T, SHARED_NUMBERS, fresh, fresh_count, "items (cover/cover.h) that the path was the first to cover")   \
    X(T, SHARED_MANY, inputs, input_count, frontier_input, "in the order in which they were made symbolic")  \
    X(T, SHARED_BYTES, model, model_size, "values of all input bytes, one input after the other")

LAYOUT_STRUCT(frontier_entry, FRONTIER_ENTRY_FIELDS)

// ---- sharing a run (docs/messages.md)

// The first message of a stream from the coordinator to a worker. The frontier entries that follow are states to
// explore. Messages of coverage and targets have the coverage and the reached targets of other workers.
#define WORK_ORDER_FIELDS(X, T)                                                                              \
    X(T, LONG, number, "number among the orders to this worker, from 1")                                     \
    X(T, FLAG, start, "begin with the initial states of the program")                                        \
    X(T, FLAG, give, "give away an equal share for each idle worker, once that is `least` states")           \
    X(T, NUMBER, least, "with `give`: least number of states that is worth rebuilding; 0 means 1")           \
    X(T, NUMBER, wanted,                                                                                     \
      "with `give`: number of idle workers that this one should give states to; 0 means 1")                  \
    X(T, FLAG, end, "send the last report")

LAYOUT_STRUCT(work_order, WORK_ORDER_FIELDS)

// The first message of a stream from a worker to the coordinator, which accepts a stream completely or not at all. Then
// follow: tests since the last report with their findings; current status, bugs, incompleteness, targets, and coverage
// (with a coordinator only what no earlier report has; for Redis all, see cluster/delta.h); the frontier.
#define WORK_REPORT_FIELDS(X, T)                                                                             \
    X(T, LONG, number, "number among the reports of this worker, from 1")                                    \
    X(T, LONG, orders, "number of orders carried out")                                                       \
    X(T, LONG, held, "states of the worker, including those that are not listed")                            \
    X(T, NUMBER, given, "number of frontier entries that the worker gives away; they come first")            \
    X(T, NUMBER, kept, "number of frontier entries that the worker keeps")                                   \
    X(T, REAL, busy, "seconds in which the worker explored")                                                 \
    X(T, REAL, processor, "processor time that it used for that, in seconds")                                \
    X(T, REAL, rebuilding, "part of `processor` in which it rebuilt states of other workers")                \
    X(T, REAL, present, "seconds since the worker began")                                                    \
    X(T, FLAG, last, "the worker ends after this report")

LAYOUT_STRUCT(work_report, WORK_REPORT_FIELDS)

// ---- all of them

// The kinds: MESSAGE(NAME, struct tag). Their numbers are part of the encoding.
#define MESSAGES(MESSAGE)                                                                                    \
    MESSAGE(TEST, test_case)                                                                                 \
    MESSAGE(FINDING, finding)                                                                                \
    MESSAGE(ENGINE_BUG, engine_bug)                                                                          \
    MESSAGE(COVERAGE, coverage_delta)                                                                        \
    MESSAGE(STATUS, run_status)                                                                              \
    MESSAGE(INCOMPLETE, incompleteness)                                                                      \
    MESSAGE(TARGET, target_status)                                                                           \
    MESSAGE(FRONTIER, frontier_entry)                                                                        \
    MESSAGE(ORDER, work_order)                                                                               \
    MESSAGE(REPORT, work_report)                                                                             \
    MESSAGE(RUN, shared_run)                                                                                 \
    MESSAGE(POSITION, shared_position)                                                                       \
    MESSAGE(ANSWER, solver_answer)

enum message_kind {
#define MESSAGE(name, tag) MESSAGE_##name,
    MESSAGES(MESSAGE)
#undef MESSAGE
        MESSAGE_KINDS
};

extern const struct layout *const message_layouts[MESSAGE_KINDS];

// A message passed to a receiver, which must copy it (layout_copy) to keep it.
struct message {
    enum message_kind kind;
    union {
        const void *body;
#define MESSAGE(name, tag) const struct tag *tag;
        MESSAGES(MESSAGE)
#undef MESSAGE
    };
};

#endif
