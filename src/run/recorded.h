// Program inputs from recorded tests: the arguments, files, variables and connections of a test become symbolic, with
// their recorded sizes. So tests with different command lines can be seeds of one run.
#ifndef TAMAR_RUN_RECORDED_H
#define TAMAR_RUN_RECORDED_H

#include "message/test_case.h"
#include "run/program_inputs.h"

// The parts of a recorded input that can be symbolic, in the order of the option's words.
enum { RECORDED_ARGS, RECORDED_STDIN, RECORDED_FILES, RECORDED_ENV };
#define RECORDED_OPTIONS(X, T)                                                                               \
    X(T, SET, symbolic, "args|stdin|files|env", "all",                                                       \
      "the parts of recorded inputs that are symbolic, besides connections; the others keep their values")

// Makes the distinct environments of the tests, and sets each test's `environment` to the index of its own. The tests
// must outlive them.
void recorded_program_inputs(struct program_inputs *program_inputs, struct test_case *tests, uint32_t count,
                             uint64_t symbolic);

#endif
