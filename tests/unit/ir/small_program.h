// A valid program made by hand, which the tests break in one place at a time.
#ifndef TAMAR_TEST_SMALL_PROGRAM_H
#define TAMAR_TEST_SMALL_PROGRAM_H

#include "ir/ir.h"

// Function 0, `choose(x)`: x == 7 ? callee(x, 42) : switch over x; with an object in its frame, a wide constant and a
// computed goto. Function 1, `callee`, has no body. The caller frees the program (ir_program_free).
struct ir_program *small_program(void);

// Instructions of `choose`, by name.
enum {
    AT_FRAME,
    AT_WIDE,
    AT_CONVERT,
    AT_BRANCH,
    AT_CALL = AT_BRANCH + 2,
    AT_RETURN,
    AT_SWITCH,
    AT_GOTO,
    AT_MULTIPLY,
    AT_LAST = AT_MULTIPLY + 2,
    INSTRUCTIONS
};

#endif
