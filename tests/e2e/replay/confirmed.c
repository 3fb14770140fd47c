// Every kind of bug that a sanitizer or the processor can detect is confirmed, and every test takes its path natively.
// RUN: rm -rf %t && mkdir %t && cd %t && status 1 %tamar run %s --sym-stdin 1 --emit all -q >/dev/null
// RUN: cd %t && %tamar replay tamar-last >%t.text && FileCheck %s <%t.text
// RUN: cd %t && python3 -c 'import json; assert all(bug["replayed"] is True for bug in json.load(open("tamar-last/summary.json"))["bugs"])'
// RUN: cd %t && %tamar replay tamar-last --exact $(basename $(grep -l exit_status tamar-last/tests/*.json | head -1) .json) | FileCheck --check-prefix=ONE %s
// RUN: cd %t && status 1 %tamar replay tamar-last --gcov >/dev/null && FileCheck --check-prefix=GCOV %s <tamar-last/gcov/confirmed.c.gcov
// REQUIRES: run, replay
// CHECK-NOT: DIFFERS
// CHECK-NOT: ANOTHER PATH
// CHECK: 10 tests, 10 as predicted; 8 of 8 that show a bug confirmed
// ONE: the same {{[0-9]+}} choice
// ONE: 1 test, 1 as predicted
// GCOV: {{ [1-9][0-9]*}}:{{ *}}[[#@LINE+16]]:    switch (c)
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int table[4];

static int deep(int n) {
    volatile char room[4096];
    room[0] = (char)n;
    return deep(n + 1) + room[0];
}

int main(void) {
    int c = getchar(), *p;
    switch (c) {
    case 'o': return table[c - 'o' + 4];
    case 'u':
        p = malloc(sizeof *p);
        if (!p) return 9;
        *p = 1;
        free(p);
        return *p;
    case 'd':
        p = malloc(sizeof *p);
        free(p);
        free(p);
        return 0;
    case 'b': free(&table[1]); return 0;
    case 'n': p = NULL; return *p;
    case 'z': return 7 / (c - 'z');
    case 'a': assert(c != 'a'); return 0;
    case 's': return deep(0);
    case 'e': exit(42);
    default: return 0;
    }
}
