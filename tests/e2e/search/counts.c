// The counters of symbolic execution are exact: checked on a program whose branches can be counted by hand.
// RUN: rm -rf %t.* && status 1 %tamar run -q --out %t.1 %s
// RUN: python3 %S/Inputs/summary %t.1 'paths.completed == 6 and paths.errors == 1' 'symbolic.branches == 5' 'symbolic.forks == 4' 'symbolic.checks == 1' 'symbolic["values"] == 0' 'instructions > symbolic.instructions >= 7' 'complete'
// RUN: sqlite3 %t.1/run.db "SELECT count(*) FROM solver WHERE name = 'groups' AND value > 0 OR name = 'queries' AND value >= 7" | grep -qx 2
// RUN: %tamar stats %t.1 | FileCheck %s
// REQUIRES: run
#include <tamar.h>

static int twice(int n) { return 2 * n; }
static volatile int seen;

int main(void) {
    unsigned char a, b;
    tamar_symbolic(&a, 1, "a");
    tamar_symbolic(&b, 1, "b");
    switch (a) { // one branch, three ways
    case 1: seen = twice(1); break;
    case 2: seen = 100 / b; break; // a check that may fail
    default:                       // one branch, of which one side cannot be
        if (a == 2) seen = 3;
    }
    if (b > 7) seen = 4; // three branches, both sides each
    return 0;
}
// CHECK: symbolic
// CHECK-NEXT: instructions
// CHECK-NEXT: branches
// CHECK-NEXT: forks
// CHECK-NEXT: checks
// CHECK-NEXT: values
