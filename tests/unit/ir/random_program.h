// Small random programs for the tests of graphs and distances: functions of a few blocks that branch, call
// each other, and now and then call through a pointer, jump between frames or end the program.
#ifndef TAMAR_TEST_RANDOM_PROGRAM_H
#define TAMAR_TEST_RANDOM_PROGRAM_H

#include "base/random.h"
#include "ir/ir.h"

// Functions 0.. have bodies, the first one is `main`; these follow.
enum { BUILTIN_EXIT, BUILTIN_SETJMP, BUILTIN_LONGJMP, BUILTIN_PLAIN, BUILTINS };

// The caller owns it: ir_program_free.
struct ir_program *random_program(struct random *random, uint32_t functions, bool jumps);

#endif
