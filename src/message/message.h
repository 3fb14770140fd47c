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
    X(T, REAL, seconds, "of the run")                                                                        \
    X(T, REAL, work_seconds, "of all its processes, spent exploring")                                        \
    X(T, REAL, solver_seconds, "of these, spent in the solver")                                              \
    X(T, REAL, search_seconds, "of these, spent in the search strategy")                                     \
    X(T, REAL, infeasible_seconds, "of the solver's, spent on pending states that were infeasible")          \
    X(T, TEXT, end, "why the run ended; NULL: it goes on")                                                   \
    X(T, FLAG, explored, "no state is left, and none was dropped")                                           \
    X(T, FLAG, complete, "besides, nothing was lost on any path")                                            \
    X(T, LONG, peak_memory, "of the process, in bytes")                                                      \
    X(T, ONE, counts, run_counters, "")                                                                      \
    X(T, ONE, symbolic, symbolic_counters, "")                                                               \
    X(T, ONE, solver, solver_counters, "")

LAYOUT_STRUCT(run_status, RUN_STATUS_FIELDS)

// ---- coverage

// Changes of coverage. All sets only grow, except `deferred`. Numbers are those of the program.
#define COVERAGE_DELTA_FIELDS(X, T)                                                                          \
    X(T, SET, edges, edge_count, "taken for the first time since the last message")                          \
    X(T, SET, symbolic, symbolic_count, "edges first taken where the choice depended on an input")           \
    X(T, SET, functions, function_count, "entered for the first time")                                       \
    X(T, SET, positions, position_count,                                                                     \
      "instructions (from 1, of the program's own source) of executed returns and of paths' frames")         \
    X(T, SET, tested, tested_count,                                                                          \
      "edges, functions and positions (numbered in this order, cover/cover.h) first covered by a test; "     \
      "only in checkpoints: tests say it themselves")                                                        \
    X(T, SET, unfound, unfound_count,                                                                        \
      "tests that an interrupted run wrote and that were not found again yet; only in checkpoints")          \
    X(T, SET, deferred, deferred_count,                                                                      \
      "all blocks whose branch has an undecided side: its state is pending or was dropped")                  \
    X(T, NUMBERS, waiting, waiting_count, "for each of these: how many states")

LAYOUT_STRUCT(coverage_delta, COVERAGE_DELTA_FIELDS)

// ---- incompleteness

// Some behaviour of the program was not explored exactly. A later message with the same number replaces this one.
#define INCOMPLETENESS_FIELDS(X, T)                                                                          \
    X(T, NUMBER, number, "from 1")                                                                           \
    X(T, TEXT, what, "was given up")                                                                         \
    X(T, ONE, place, finding_frame, "innermost frame in the program's own source")                           \
    X(T, ONE, stack, finding_stack, "where")                                                                 \
    X(T, NUMBERS, site, site_count, "the stack as function and instruction in turn, innermost first")        \
    X(T, NUMBER, choice, "the block that ends with the choice concerned, plus 1; 0: another operation")      \
    X(T, LONG, count, "how often")                                                                           \
    X(T, FLAG, lost, "paths or values were skipped, so that the run is not complete")

LAYOUT_STRUCT(incompleteness, INCOMPLETENESS_FIELDS)

// ---- bugs as the engine distinguishes them

// A bug; the finding with the same number describes it. A later message with the same number replaces this one.
#define KNOWN_BUG_FIELDS(X, T)                                                                               \
    X(T, NUMBER, number, "from 1")                                                                           \
    X(T, TEXT, kind, "")                                                                                     \
    X(T, TEXT, fault, "the way in which the operation fails (base/bug_kinds.h)")                             \
    X(T, NUMBERS, site, site_count,                                                                          \
      "the stack of its test, as function and instruction in turn, innermost first")                         \
    X(T, ONE, place, finding_frame, "innermost frame in the program's own source; line 0: none")             \
    X(T, NUMBER, test, "that shows it, with this stack")                                                     \
    X(T, NUMBER, tests, "that were made to show it")                                                         \
    X(T, LONG, paths, "that end with it, so far")                                                            \
    X(T, NUMBERS, stacks, stack_words, "hashes of the different call stacks, lower and upper half in turn")  \
    X(T, NUMBERS, callers, caller_words, "hashes of the calls of the function that fails, likewise")

LAYOUT_STRUCT(known_bug, KNOWN_BUG_FIELDS)

// ---- targets

#define TARGET_STATUS_FIELDS(X, T)                                                                           \
    X(T, NUMBER, number, "its mark")                                                                         \
    X(T, TEXT, outcome, "reached, unreachable, not found")                                                   \
    X(T, FLAG, reached, "")                                                                                  \
    X(T, NUMBER, test, "that reaches it; 0: none")                                                           \
    X(T, NUMBER, bug, "a test that shows the bug that is wanted there; 0: none")                             \
    X(T, REAL, seconds, "until then")                                                                        \
    X(T, LONG, instructions, "of all paths, until then")                                                     \
    X(T, FLAG, no_way, "unreachable since no path of the program's graph leads there")                       \
    X(T, FLAG, near, "paths came near it")                                                                   \
    X(T, NUMBER, distance, "the least of any path, in instructions")                                         \
    X(T, TEXT, obstacle, "NULL: not known")

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
    X(T, NUMBER, environment, "which of the command lines")                                                  \
    X(T, NUMBER, depth, "forks on the way")                                                                  \
    X(T, NUMBER, progress, "ordered targets that the path has visited")                                      \
    X(T, LONG, instructions, "executed on the path")                                                         \
    X(T, FLAG, incomplete, "something was given up on the path")                                             \
    X(T, FLAG, pending, "the model does not satisfy the last condition")                                     \
    X(T, FLAG, follows, "takes the side of its model at each choice, without queries")                       \
    X(T, NUMBER, pending_edge, "of a pending state: the edge it takes, plus 1; 0: none")                     \
    X(T, NUMBER, pending_choice, "the block that ends with the choice it waits for, plus 1; 0: another")     \
    X(T, SHARED_NUMBERS, decisions, decision_count, "of the path, in their order")                           \
    X(T, SHARED_NUMBERS, fresh, fresh_count, "edges and functions that the path was the first to take")      \
    X(T, SHARED_MANY, inputs, input_count, frontier_input, "in the order in which they were made symbolic")  \
    X(T, SHARED_BYTES, model, model_size, "the bytes of all inputs, one input after the other")

LAYOUT_STRUCT(frontier_entry, FRONTIER_ENTRY_FIELDS)

// ---- sharing a run (docs/messages.md)

// The first message of a stream from the coordinator to a worker. The frontier entries that follow are states to
// explore. Messages of coverage and targets tell what other workers have covered and reached.
#define WORK_ORDER_FIELDS(X, T)                                                                              \
    X(T, LONG, number, "of the orders to this worker, from 1")                                               \
    X(T, FLAG, start, "begin with the first states of the program")                                          \
    X(T, FLAG, give, "give half of the work away, as soon as half of the states is `least`")                 \
    X(T, NUMBER, least, "with `give`: fewer states are not worth their rebuilding; 0: one is")               \
    X(T, NUMBER, wanted, "with `give`: workers that wait for states, each for `least`; 0: one")              \
    X(T, FLAG, end, "report for the last time")

LAYOUT_STRUCT(work_order, WORK_ORDER_FIELDS)

// The first message of a stream from a worker to the coordinator, which accepts a stream completely or not at all. Then
// follow: tests since the last report with their findings; current status, coverage, bugs, incompleteness and targets;
// the frontier.
#define WORK_REPORT_FIELDS(X, T)                                                                             \
    X(T, LONG, number, "of the reports of this worker, from 1")                                              \
    X(T, LONG, orders, "number of orders carried out")                                                       \
    X(T, LONG, held, "states of the worker, including those that are not listed")                            \
    X(T, NUMBER, given, "entries of the frontier that the worker gives away; they come first")               \
    X(T, NUMBER, kept, "entries that it keeps")                                                              \
    X(T, REAL, busy, "seconds in which it explored")                                                         \
    X(T, REAL, rebuilding, "the part of them in which it rebuilt states of other workers")                   \
    X(T, REAL, present, "seconds since it began")                                                            \
    X(T, FLAG, last, "it ends now")

LAYOUT_STRUCT(work_report, WORK_REPORT_FIELDS)

// ---- all of them

// The kinds: MESSAGE(NAME, struct tag). Their numbers are part of the encoding.
#define MESSAGES(MESSAGE)                                                                                    \
    MESSAGE(TEST, test_case)                                                                                 \
    MESSAGE(FINDING, finding)                                                                                \
    MESSAGE(KNOWN_BUG, known_bug)                                                                            \
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
