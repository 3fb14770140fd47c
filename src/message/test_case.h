// The test of a finished path: inputs that take the path, the decisions that replay it, and its outcome.
#ifndef TAMAR_MESSAGE_TEST_CASE_H
#define TAMAR_MESSAGE_TEST_CASE_H

#include "base/input_id.h"
#include "message/layout.h"

#define TEST_INPUT_FIELDS(X, T)                                                                              \
    X(T, ENUM, kind, input_kind, INPUT_KIND_COUNT, "")                                                       \
    X(T, TEXT, name, "name as in test files; input_parse returns the identity")                              \
    X(T, BYTES, bytes, size, "a NUL follows the last byte")

LAYOUT_STRUCT(test_input, TEST_INPUT_FIELDS)

enum test_outcome {
    TEST_EXITED,       // the program exited with exit_status
    TEST_SIGNALLED,    // a signal ended the program; exit_status is 128 + signal
    TEST_BUG,          // the path ends with a bug, described by `finding`
    TEST_NOT_MODELLED, // the program used a feature that is not modelled
    TEST_STOPPED,      // a recorded input that the engine did not follow to its end (run/record_follow.c)
    TEST_REACHED,      // the path reached a target; the outcome after that is not known
};
#define TEST_OUTCOMES (TEST_REACHED + 1)

#define TEST_CASE_FIELDS(X, T)                                                                               \
    X(T, NUMBER, number, "from 1")                                                                           \
    X(T, ENUM, outcome, test_outcome, TEST_OUTCOMES, "")                                                     \
    X(T, INTEGER, exit_status, "")                                                                           \
    X(T, TEXT, bug, "the kind of the bug that the path ends with; NULL: none")                               \
    X(T, NUMBER, finding, "number of the finding that it shows; 0: none, or findings are not described")     \
    X(T, LONG, stack, "hash of the bug's call stack; the same in every exploration of the program")          \
    X(T, LONG, caller, "hash of the call that entered the failing function, likewise")                       \
    X(T, NUMBER, frames, "number of frames of the bug's call stack, from the innermost in user code on")     \
    X(T, TEXTS, arguments, argument_count, "the whole command line, concrete and symbolic; argv[0] first")   \
    X(T, MANY, inputs, input_count, test_input, "")                                                          \
    X(T, NUMBERS, decisions, decision_count, "decisions of the path, in order")                              \
    X(T, TEXTS, events, event_count,                                                                         \
      "kernel choices other than the first alternative: calls that failed, short reads")                     \
    X(T, NUMBER, environment, "index of the command line among those that the options allow")                \
    X(T, LONG, instructions, "number of instructions executed on the path")                                  \
    X(T, REAL, seconds, "time from the start of the run until the test was found")                           \
    X(T, NUMBERS, fresh, fresh_count,                                                                        \
      "edges, functions and positions of user code that no earlier test covered (cover/cover.h)")            \
    X(T, NUMBER, survived, "number of bugs after which the path continued")                                  \
    X(T, NUMBER, seed, "number of the first seed that takes the path, from 1; 0: none")                      \
    X(T, FLAG, late, "the path follows a seed that was added during the run")                                \
    X(T, BYTES, standard_output, standard_output_size, "the path's output, for the inputs of this test")     \
    X(T, BYTES, standard_error, standard_error_size, "likewise")                                             \
    X(T, FLAG, output_cut, "only the first bytes of the path's output are here")                             \
    X(T, NUMBER, forked_by, "class of the choice at which the path was forked (enum choice_class)")          \
    X(T, NUMBER, forked_line, "line of that choice; 0: none, or no line has changed")

LAYOUT_STRUCT(test_case, TEST_CASE_FIELDS)

// Returns a hash of environment, outcome, kind of bug and decisions: equal for tests of the same path with the same
// end.
uint64_t test_case_path(const struct test_case *test);

#endif
