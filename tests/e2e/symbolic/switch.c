// A switch forks on its feasible targets: for a byte above 'b' three are left.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --out %t.out %s | grep "4 paths, 4 tests; every path was explored"
// REQUIRES: run
#include <tamar.h>

int main(void) {
    unsigned char c;
    tamar_symbolic(&c, 1, "c");
    if (c <= 'b') return 0;
    switch (c) {
    case 'a':
    case 'b': return 1;
    case 'c':
    case 'd': return 2;
    case 200: return 3;
    default: return 4;
    }
}
