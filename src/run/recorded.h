// Program inputs from a recorded test: its arguments, files, variables and connections are what is symbolic, each with the
// size that it has there. So a test of one command line can be run beside one of another.
#ifndef TAMAR_RUN_RECORDED_H
#define TAMAR_RUN_RECORDED_H

#include "message/test_case.h"
#include "run/program_inputs.h"

// The part of a recorded input that is symbolic; the rest is as it was recorded. The order is that of the option's words.
enum { RECORDED_ARGS, RECORDED_STDIN, RECORDED_FILES, RECORDED_ENV };
#define RECORDED_OPTIONS(X, T)                                                                               \
    X(T, SET, symbolic, "args|stdin|files|env", "all",                                                       \
      "of recorded inputs, what is symbolic; the rest is as it was recorded")

// One environment for each way to be surrounded that the tests have; each test names its own afterwards. The tests must
// outlive them.
void recorded_program_inputs(struct program_inputs *program_inputs, struct test_case *tests, uint32_t count,
                             uint64_t symbolic);

#endif
