// The counts of assertions agree with the bugs: one fails where its failing call is executed, wherever that call is.
// RUN: rm -rf %t.a %t.b
// RUN: status 1 %tamar run --sym-stdin 1..1 --out %t.a %s | FileCheck %s
// RUN: status 3 %tamar run --sym-stdin 1..1 --max-forks 1 --search dfs --out %t.b %s | FileCheck --check-prefix=EARLY %s
// REQUIRES: run
// CHECK: 2 bugs
// CHECK: assertions: 1 proved, 2 failed
// A state just before an assertion that will fail does not count yet.
// EARLY: no bug found
// EARLY-NOT: failed
#include <stdio.h>
#include <stdlib.h>
#include <tamar.h>

static int fails(void) {
    tamar_assert(0); // in the first block of its function
    return 1;
}

static int (*volatile indirect)(void) = fails;

int main(void) {
    int c = getchar();
    if (c == 'f') return indirect();
    if (c == 'e') {
        exit(2);
        tamar_assert(0); // never executed
    }
    tamar_assert(c != 'e'); // proved
    tamar_assert(c != 'g'); // fails
    return 0;
}
