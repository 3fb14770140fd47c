// A chain of x87 operations: 64 bits of significand, of which a double keeps 53.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --out %t.out %s | FileCheck %s
// RUN: %tamar replay --exact %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: 3 paths, 3 tests; every path was explored
// REPLAY: 3 tests, 3 as predicted
#include <stdio.h>
#include <tamar.h>

int main(void) {
    short n;
    tamar_symbolic(&n, sizeof n, "n");
    long double x = n;
    long double y = (x / 4 + 0.25L) * 3 - 0.5L;
    if (y == 250.0L)
        puts("exactly");
    else if ((double)(y + 0x1p-42L) == (double)y)
        puts("a double does not see it");
    else
        puts("it does");
    return 0;
}
