// Blocks at symbolic addresses: structures assigned through an index, and a copy whose source, destination and length
// are symbolic. Only the program's own conditions fork.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --emit all --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.out | grep "6 tests, 6 as predicted; 2 of 2 that show a bug confirmed"
// REQUIRES: run
#include <string.h>
#include <tamar.h>

struct record {
    int number;
    char name[20];
} table[10];

int main(void) {
    unsigned i, j, n;
    char to[24], from[20];
    tamar_symbolic(&i, sizeof i, "i");
    tamar_symbolic(&j, sizeof j, "j");
    tamar_symbolic(&n, sizeof n, "n");
    tamar_assume((i < 10) & (j < 10));
    for (int k = 0; k < 10; k++) table[k].number = k * k;
    table[i] = table[j];
    tamar_assert(table[i].number == (int)(j * j));
    for (int k = 0; k < 20; k++) from[k] = (char)(k + 1);
    memset(to, 0, sizeof to);
    // The source and the target are checked one after the other, each for all values: two paths with one bug, since
    // kind and location are the same.
    // CHECK: tamar: out-of-bounds: {{.*}}blocks.c:[[#@LINE+1]]:{{.*}}read of
    memcpy(to + i, from + j, n);
    if (n > 2) {
        tamar_assert(to[i + 2] == (char)(j + 3));
        if (n == 10) tamar_assert((i + 10 >= 24 || to[i + 10] == 0) & (i == 0 || to[i - 1] == 0));
    }
    return 0;
}
// CHECK: every path was explored
