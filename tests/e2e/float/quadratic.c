// Roots of a quadratic equation: none, one, two, and two of which one is 3.
// RUN: rm -rf %t.out
// RUN: %tamar run --solver-timeout 0 --emit all --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: 4 paths, 4 tests; every path was explored
// REPLAY: 4 tests, 4 as predicted
#include <math.h>
#include <stdio.h>
#include <tamar.h>

int main(void) {
    signed char bytes[3];
    tamar_symbolic(bytes, sizeof bytes, "coefficients");
    tamar_assume(bytes[0] > 0);
    double a = bytes[0], b = bytes[1], c = bytes[2], d = b * b - 4 * a * c;
    if (d < 0)
        puts("none");
    else if (d == 0)
        puts("one");
    else if ((-b + sqrt(d)) / (2 * a) == 3)
        puts("three");
    else
        puts("two");
    return 0;
}
