// sin of a symbolic argument is executed as code of the C library: finds an argument near its maximum.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --solver-timeout 3 --max-tests 1 --emit errors --out %t.out %s -lm >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: assert: {{.*}}sine.c:16
// REPLAY: 1 test, 1 as predicted
#include <math.h>
#include <tamar.h>

int main(void) {
    double x;
    tamar_symbolic(&x, sizeof x, "x");
    tamar_assume(x >= 1 && x <= 2);
    tamar_assert(!(sin(x) > 0.999));
    return 0;
}
