// Two writes at symbolic indices may hit the same element: both sides of the last condition are feasible.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --out %t.out %s | grep "4 paths, 4 tests; every path was explored"
// REQUIRES: run
#include <tamar.h>

int main(void) {
    int a[8] = {5, 5, 5, 5, 5, 5, 5, 5};
    unsigned i, j;
    tamar_symbolic(&i, sizeof i, "i");
    tamar_symbolic(&j, sizeof j, "j");
    if (i >= 8) return 0; // 1
    if (j >= 8) return 0; // 2
    a[i] = 0;
    a[j] = 1;
    if (a[i] == 0) return 1; // 3: i and j differ
    return 2;                // 4: they are the same
}
