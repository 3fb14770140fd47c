// In a program with __VERIFIER_ names, abort ends a path without an error. Reaching __VERIFIER_error or reach_error is
// an error, whatever the program's own definition does. The counts of assertions agree with the bugs.
// RUN: rm -rf %t.* && %tamar run %s --out %t.0 | FileCheck --check-prefix=NONE %s
// RUN: %tamar replay %t.0 | grep '2 tests, 2 as predicted'
// RUN: status 1 %tamar run -DBUG %s --out %t.1 | FileCheck --check-prefix=BUG %s
// RUN: status 1 %tamar run -DBUG -DOWN='abort()' %s --out %t.2 | FileCheck --check-prefix=BUG %s
// RUN: %tamar replay %t.2 | grep '1 of 1 that show a bug confirmed'
// RUN: status 1 %tamar run -DBUG -DOWN='exit(1)' %s --out %t.3 | FileCheck --check-prefix=BUG %s
// RUN: status 1 %tamar run -DBUG -DOWN= %s --out %t.4 | FileCheck --check-prefix=BUG %s
// RUN: status 1 %tamar run -DPLAIN %s --out %t.5 | FileCheck --check-prefix=PLAIN %s
// REQUIRES: run, replay
// NONE: no bug found
// NONE: 2 paths
// NONE-NOT: assertions
// BUG: tamar: assert: {{.*}}verification-task.c:{{[0-9]+}}:{{.*}}__VERIFIER_error was reached
// BUG: 1 bug
// BUG: assertions: 0 proved, 1 failed
// PLAIN: tamar: abort:
extern void abort(void);
extern void exit(int);
#ifdef PLAIN
#include <tamar.h>
#define INPUT() tamar_int("x")
#else
extern int __VERIFIER_nondet_int(void);
#define INPUT() __VERIFIER_nondet_int()
#endif
#ifdef OWN
void __VERIFIER_error(void) { OWN; }
#else
extern void __VERIFIER_error(void);
#endif

void assume_abort_if_not(int cond) {
    if (!cond) abort();
}

int main(void) {
    int x = INPUT();
    assume_abort_if_not(x > 3);
#ifdef BUG
    if (x == 17) __VERIFIER_error();
#endif
    return 0;
}
