// Conversion to int at its limits: the largest int is reached; values beyond become the processor's indefinite
// value.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --out %t.out %s | FileCheck %s
// RUN: %tamar replay --exact %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: 6 paths, 6 tests; every path was explored
// REPLAY: 6 tests, 6 as predicted
#include <stdio.h>
#include <tamar.h>

int main(void) {
    double x;
    tamar_symbolic(&x, sizeof x, "x");
    tamar_assume(x > 0);
    int i = (int)x;
    if (i == 2147483647)
        puts("largest");
    else if (i < 0)
        puts("does not fit");
    else if (i == 12345)
        puts("12345");
    else if ((float)i == 16777216.0f && i != 16777216)
        puts("rounded");
    else
        puts("other");
    return 0;
}
