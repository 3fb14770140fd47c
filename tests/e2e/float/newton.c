// Newton's iteration for a square root: finds a number up to 1000 for which five steps from 1 are not enough.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --emit all --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: assert: {{.*}}newton.c:21
// REPLAY: as predicted
#include <tamar.h>

int main(void) {
    float a;
    tamar_symbolic(&a, sizeof a, "a");
    tamar_assume(a >= 1.0f && a <= 1000.0f);
    float x = 1.0f;
    for (int i = 0; i < 5; i++) x = (x + a / x) * 0.5f;
    float error = x * x - a;
    if (error < 0) error = -error;
    // Five steps are enough for 1, but not for all.
    tamar_assume(a == 1.0f || a > 2.0f);
    tamar_assert(error <= 0.01f * a);
    return 0;
}
