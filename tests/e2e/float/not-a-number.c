// Comparisons with a NaN are unordered: a maximum that depends on the order of its operands is found.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --emit all --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: assert: {{.*}}not-a-number.c:22
// REPLAY: as predicted
#include <tamar.h>

static float largest(float a, float b) {
    if (a > b) return a;
    return b;
}

int main(void) {
    float a, b;
    tamar_symbolic(&a, sizeof a, "a");
    tamar_symbolic(&b, sizeof b, "b");
    tamar_assume(b == b);
    float c = largest(a, b);
    tamar_assert(largest(b, a) == c); // not if a is a NaN
    return 0;
}
