// Small random programs for the tests of graphs and distances: functions of a few blocks that branch, call
// each other, and now and then call through a pointer, jump between frames or end the program.
#ifndef TAMAR_TEST_RANDOM_PROGRAM_H
#define TAMAR_TEST_RANDOM_PROGRAM_H

#include "base/random.h"
#include "ir/ir.h"

// Functions without a body. They follow the functions with one, of which function 0 is `main`.
enum { BUILTIN_EXIT, BUILTIN_SETJMP, BUILTIN_LONGJMP, BUILTIN_PLAIN, BUILTINS };

// Returns a program, which the caller frees (ir_program_free).
struct ir_program *random_program(struct random *random, uint32_t functions, bool jumps);

#endif
