// Each function that a symbolic pointer may point to is a path.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --emit all --out %t.out %s | FileCheck %s
// REQUIRES: run
#include <tamar.h>

static int plus(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
// CHECK: tamar: div-by-zero: {{.*}}function-pointer.c:[[#@LINE+1]]
static int part(int x) { return 10 / x; }

int main(void) {
    int (*functions[3])(int) = {plus, twice, part}, x;
    unsigned i;
    tamar_symbolic(&i, sizeof i, "i");
    tamar_symbolic(&x, sizeof x, "x");
    if (i > 2) return 0;
    return functions[i](x) & 1;
}
// CHECK: 5 paths, 5 tests; every path was explored
