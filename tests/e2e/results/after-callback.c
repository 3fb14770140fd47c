// A bug in a function that the C library calls back comes before all code after the call of the library.
// RUN: rm -rf %t.out
// RUN: not %tamar run -q %s --sym-stdin 1 --out %t.out
// RUN: python3 %S/Inputs/check-after-bug.py %s %t.out
#include <stdio.h>
#include <stdlib.h>

static int quotient(const void *a, const void *b) { return *(const int *)a / (*(const int *)b - 'k'); }

static int sorted(int c) {
    int pair[2] = {c, c};
    if (c == 'a' || c == 'k') qsort(pair, 2, sizeof *pair, quotient);
    if (c == 'k') return 1; // AFTER
    return 2;
}

static int last;
static void at_end(void) {
    if (last == 'k') puts("k"); // AFTER
}

int main(void) {
    last = getchar();
    atexit(at_end);
    int sum = sorted(last);
    if (last == 'k') sum = 9; // AFTER
    return sum;
}
