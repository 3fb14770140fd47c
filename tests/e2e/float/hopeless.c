// A condition that neither search nor SAT decides in time (sin² + cos² is at most 1) is given up, with its line.
// RUN: rm -rf %t.out
// RUN: %tamar run --solver-timeout 0.5 --max-time 60 --emit all --out %t.out %s -lm >%t.txt 2>&1 || true
// RUN: FileCheck %s <%t.txt
// REQUIRES: run
// CHECK: given up: the solver gave no answer{{.*}}hopeless.c:14
#include <math.h>
#include <tamar.h>

int main(void) {
    double x;
    tamar_symbolic(&x, sizeof x, "x");
    tamar_assume(x >= 1 && x <= 2);
    tamar_assert(sin(x) * sin(x) + cos(x) * cos(x) < 1.0000001);
    return 0;
}
