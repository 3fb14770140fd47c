// What a finished path amounts to: inputs that take it, the decisions that rebuild it, and how it ends. Plain
// data, so that whoever writes tests needs nothing of the engine.
#ifndef TAMAR_STATE_TEST_CASE_H
#define TAMAR_STATE_TEST_CASE_H

#include "base/input_id.h"

struct test_input {
    enum input_kind kind;
    const char *name; // as test files have it: input_parse gives the identity
    const uint8_t *bytes;
    uint32_t size;
};

enum test_outcome {
    TEST_EXITED,       // exit_status
    TEST_SIGNALLED,    // exit_status is 128 + signal
    TEST_BUG,          // bug
    TEST_NOT_MODELLED, // gave up: bug says what
    TEST_STOPPED,      // the program asked for the end of the path
    TEST_REACHED,      // a target was reached: what comes after is not said
};

struct bug;            // vm/vm.h
struct path_condition; // solver/path.h
struct state;          // state/state.h

struct test_case {
    uint32_t number; // from 1
    enum test_outcome outcome;
    int exit_status;
    const struct bug *bug; // NULL: none
    const char *const
        *arguments; // the whole command line, concrete and symbolic, NULL-terminated; argv[0] first
    uint32_t argument_count;
    const struct test_input *inputs;
    uint32_t input_count;
    const uint32_t *decisions;
    uint32_t decision_count;
    const char *const
        *events; // what the kernel did that it need not have done: calls that failed, short reads
    uint32_t event_count;
    uint32_t environment; // which of the command lines that the user's options allow
    uint64_t instructions;
    // What no earlier test took: edges, and functions that were entered (their index behind the edges). Only of
    // the program's own source.
    const uint32_t *fresh;
    uint32_t fresh_count;
    // For whoever wants to say more about the inputs; NULL in a test that was read back.
    const struct path_condition *path;
    const struct state *state;
};

#endif
