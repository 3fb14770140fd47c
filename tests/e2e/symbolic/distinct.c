// One report for a failing operation, for any number of paths and calls that lead there; one test for each caller.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --out %t.out %s >%t.txt
// RUN: grep "1 bug," %t.txt
// RUN: ls %t.out/bugs | grep -c distinct | grep -x 1
// RUN: grep -l '"outcome": "bug"' %t.out/tests/*.json | wc -l | grep -x 2
// RUN: grep '"paths": *12' %t.out/summary.json && grep '"occurrences": *2' %t.out/summary.json
// REQUIRES: run
#include <tamar.h>

static int table[4];

static int look(unsigned i) { return table[i]; } // 8 paths fail through the first call, 4 through the second

int main(void) {
    unsigned i;
    unsigned char c;
    tamar_symbolic(&i, sizeof i, "i");
    tamar_symbolic(&c, sizeof c, "c");
    int bits = 0;
    for (int k = 0; k < 3; k++)
        if (c & 1 << k) bits++; // 8 ways to come here
    if (c & 8 && bits != 9) return look(i);
    if (c & 1) return look(i + 1);
    return 0;
}
