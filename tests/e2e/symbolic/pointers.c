// A pointer to one of several objects is an ite over addresses, not a fork: a read keeps all of them.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --out %t.out %s | grep "4 paths, 4 tests; every path was explored"
// REQUIRES: run
#include <tamar.h>

int main(void) {
    int v0 = 10, v1 = 20, v2 = 30, v3 = 40, *p[4] = {&v0, &v1, &v2, &v3};
    unsigned i;
    tamar_symbolic(&i, sizeof i, "i");
    if (i > 3) return 0; // 1
    int r = *p[i];
    if (r == 30) return 1; // 2
    if (r == 40) return 2; // 3
    *p[i] = 99;            // v0 or v1
    tamar_assert(v0 + v1 == 99 + (i ? 10 : 20));
    tamar_assert(v2 == 30 && v3 == 40);
    return 3; // 4
}
