// Finds an argument, about 2, whose exp lies between two numbers.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --solver-timeout 3 --max-tests 1 --emit errors --out %t.out %s -lm >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: assert: {{.*}}exponential.c:17
// REPLAY: 1 test, 1 as predicted
#include <math.h>
#include <tamar.h>

int main(void) {
    double x;
    tamar_symbolic(&x, sizeof x, "x");
    tamar_assume(x >= 1 && x <= 3);
    double y = exp(x);
    tamar_assert(!(y > 7.38 && y < 7.39));
    return 0;
}
