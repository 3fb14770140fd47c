// pow of a symbolic base: the one number between 3 and 5 whose square is 16.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --solver-timeout 3 --max-tests 1 --emit errors --out %t.out %s -lm >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: assert: {{.*}}power.c:16
// REPLAY: 1 test, 1 as predicted
#include <math.h>
#include <tamar.h>

int main(void) {
    double x;
    tamar_symbolic(&x, sizeof x, "x");
    tamar_assume(x >= 3 && x <= 5);
    tamar_assert(pow(x, 2.0) != 16);
    return 0;
}
