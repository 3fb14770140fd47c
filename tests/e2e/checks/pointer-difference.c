// The difference of two pointers is defined within one object only (--check pointer-difference). A pointer belongs to the
// object that it was made from; numbers that were cast from pointers may be subtracted.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && status 1 %tamar run -q -w --sym-stdin 1 --check pointer-subtract --out old %s >old.txt 2>&1 && status 1 %tamar run -w --sym-stdin 1 --check pointer-difference --out a %s >a.txt 2>&1 && FileCheck %s <a.txt
// RUN: cd %t && status 0 %tamar run -w --sym-stdin 1 --out off %s | FileCheck --check-prefix=OFF %s
// RUN: cd %t && status 1 %tamar replay a | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int a[8], b[8];
static int *table[] = {a + 1, b + 2, a + 7, a + 8};
static struct { int head, list[4]; } record;

int main(void) {
    int c = getchar(), *null = NULL, *other = NULL, *p = &a[c & 7];
    char *heap = malloc(16), *old = heap;
    switch (c) {
    case 0: return (int)(p - a);
    // CHECK-DAG: pointer-difference: {{.*}}:[[# @LINE + 1]]:{{[0-9]+}}: {{.*}}: the global `a` of 32 bytes at {{.*}} and the global `b`
    case 1: return (int)(p - b);
    case 2: return (int)(&heap[16] - heap);
    // CHECK-DAG: pointer-difference: {{.*}}:[[# @LINE + 1]]:{{[0-9]+}}: {{.*}}: a heap object of 16 bytes and the local variable `c`
    case 3: return (int)(heap - (char *)&c);
    case 4: return (int)((uintptr_t)heap - (uintptr_t)a);
    // CHECK-DAG: pointer-difference: {{.*}}:[[# @LINE + 1]]:{{[0-9]+}}: {{.*}}: a heap object of 4000 bytes and a heap object of 16 bytes
    case 5: return (int)((char *)realloc(heap, 4000) - old);
    case 6: return (int)((char *)p - (char *)0);
    case 7: return (int)(&record.list[c - 5] - &record.list[0]);
    case 8: return (int)(null - other);
    // CHECK-DAG: pointer-difference: {{.*}}:[[# @LINE + 1]]:{{[0-9]+}}: {{.*}}: a null pointer and the global `a`
    case 9: return (int)(null - a);
    case 10: return (int)(&a[c - 11] - a); // one element before the start: the pointer still belongs to `a`
    // CHECK-DAG: pointer-difference: {{.*}}:[[# @LINE + 1]]:{{[0-9]+}}: {{.*}}: the global `b` of 32 bytes at {{.*}} and the global `a`
    case 12: case 13: case 14: case 15: return (int)(table[c - 12] - a);
    }
    return 0;
}
// CHECK: 5 bugs
// CHECK: every path was explored
// OFF: no bug found
// AddressSanitizer sees differences of which no operand is a constant.
// REPLAY-DAG: pointer-difference at {{.*}}:25; {{.*}}sanitizers: confirmed
// REPLAY-DAG: pointer-difference at {{.*}}:28; {{.*}}sanitizers: confirmed
