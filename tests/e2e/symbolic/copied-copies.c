// Repeated copies of a block of symbolic length: each copy refers to the previous one, and is evaluated only once.
// RUN: rm -rf %t && %tamar run --solver-timeout 0 --out %t %s | FileCheck %s
// REQUIRES: run
// CHECK: 33 paths, {{.*}}every path was explored
// CHECK: assertions: 1 proved, 0 failed
#include <string.h>
#include <tamar.h>
#ifndef COPIES
#define COPIES 30
#endif
static char a[5000], b[5000];
int main(void) {
    for (int i = 0; i < 5000; i++) a[i] = (char)i;
    for (int i = 0; i < COPIES; i++) {
        unsigned n = (unsigned)tamar_int("n");
        if (n > sizeof a) return 9;
        if (i % 2)
            memcpy(a, b, n);
        else
            memcpy(b, a, n);
    }
    unsigned k = (unsigned)tamar_int("k");
    if (k >= sizeof a) return 8;
    tamar_assert(a[k] == (char)k || a[k] == 0);
    return 0;
}
