// Four look-ups in a row, each in a table of 256 values: finds the one byte that gives the result.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --out %t.out %s | FileCheck %s
// REQUIRES: run
#include <tamar.h>

static unsigned char table[256];

int main(void) {
    for (int k = 0; k < 256; k++) table[k] = (unsigned char)(k * 167 + 13);
    unsigned char x;
    tamar_symbolic(&x, 1, "x");
    // CHECK: tamar: assert: {{.*}}table-chain.c:[[#@LINE+1]]
    tamar_assert(table[table[table[table[x]]]] != 77);
    return 0;
}
// CHECK: 2 paths, {{.*}}every path was explored
