// x + 1e-7 == x holds for numbers so large that the addend is lost, and for infinities; a NaN is equal to nothing.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --out %t.out %s | FileCheck %s
// RUN: %tamar replay --exact %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: 5 paths, 5 tests; every path was explored
// REPLAY: 5 tests, 5 as predicted
#include <stdio.h>
#include <tamar.h>

int main(void) {
    double x;
    tamar_symbolic(&x, sizeof x, "x");
    if (x + 1e-7 == x) {
        if (x > 0 && x < 1e10)
            puts("large");
        else
            puts("larger, negative or infinite");
    } else if (x != x) {
        puts("no number");
    } else {
        puts("other");
    }
    return 0;
}
