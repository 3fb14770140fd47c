// The names of CBMC and ESBMC, which programs call without a declaration.
#include "runtime/intrinsics.h"

#include <stddef.h>

void __CPROVER_assume(int condition);
void __CPROVER_assume(int condition) { __tamar_assume(condition != 0); }
void __ESBMC_assume(int condition);
void __ESBMC_assume(int condition) { __tamar_assume(condition != 0); }

static void must_hold(int condition, const char *what, const char *otherwise) {
    if (!condition) __tamar_report("assert", what && *what ? what : otherwise);
}
void __CPROVER_assert(int condition, const char *what);
void __CPROVER_assert(int condition, const char *what) {
    must_hold(condition, what, "__CPROVER_assert does not hold");
}
void __ESBMC_assert(int condition, const char *what);
void __ESBMC_assert(int condition, const char *what) {
    must_hold(condition, what, "__ESBMC_assert does not hold");
}
void __CPROVER_precondition(int condition, const char *what);
void __CPROVER_precondition(int condition, const char *what) {
    must_hold(condition, what, "a precondition does not hold");
}
void __CPROVER_postcondition(int condition, const char *what);
void __CPROVER_postcondition(int condition, const char *what) {
    must_hold(condition, what, "a postcondition does not hold");
}

// A coverage goal: both sides are explored, as for any condition.
void __CPROVER_cover(int condition, ...);
void __CPROVER_cover(int condition, ...) {
    volatile int covered = 0;
    if (condition) covered = 1;
    (void)covered;
}

void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_begin(void) {} // one thread runs at a time
void __CPROVER_atomic_end(void);
void __CPROVER_atomic_end(void) {}
void __CPROVER_input(const char *name, ...);
void __CPROVER_input(const char *name, ...) {} // a note for CBMC's trace
void __CPROVER_output(const char *name, ...);
void __CPROVER_output(const char *name, ...) {}

// Makes the content of the object around the pointer symbolic.
void __CPROVER_havoc_object(void *object);
void __CPROVER_havoc_object(void *object) { __tamar_symbolic(object, __tamar_extent(object), "havoc"); }
void __CPROVER_havoc_slice(void *at, size_t size);
void __CPROVER_havoc_slice(void *at, size_t size) { __tamar_symbolic(at, size, "havoc"); }
