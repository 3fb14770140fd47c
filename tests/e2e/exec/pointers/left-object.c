// An access outside of the object that its pointer was made from is an error, wherever it lands.
// RUN: %tamar cc -g -w %s -o %t
// RUN: rm -f %t.err
// RUN: for case in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do %tamar exec %t -- $case 2>>%t.err && echo "case $case: no error"; echo "end of case $case" >>%t.err; done >%t.out || true
// RUN: FileCheck %s --input-file %t.err
// RUN: not grep "no error" %t.out
// RUN: %tamar exec %t -- 99
// REQUIRES: exec
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int a[4], b[64], table[10];
static char small[8], text[300];
struct record {
    int before;
    int at[4];
    int after;
};
static struct record records[5];
static struct {
    int *cursor;
} kept;

__attribute__((noinline)) static int get(const int *p, long i) { return p[i]; }
__attribute__((noinline)) static void put(int *p, long i, int value) { *(p + i) = value; }
__attribute__((noinline)) static int *move(int *p, long by) { return p + by; }

int main(int argc, char **argv) {
    int one[4] = {0}, two[40] = {0}, matrix[4][4] = {{0}};
    int *x = malloc(32), *y = malloc(32);
    long to_b = (long)(b - a), to_y = y - x, to_two = two - one;
    memset(y, 1, 32);
    switch (atoi(argv[1])) {
    case 0: a[to_b] = 7; break;
    // CHECK: out-of-bounds: {{.*}}left-object.c:[[#@LINE-1]]
    // CHECK: the global `a` of 16 bytes
    // CHECK: end of case 0
    case 1: put(a, to_b + 3, 7); break;
    // CHECK: out-of-bounds: {{.*}}left-object.c:{{[0-9]+:[0-9]+}}: write of 4 bytes, in put
    // CHECK: the global `a` of 16 bytes at {{.*}}, which the pointer was made from; the address is in the global `b` of 256 bytes
    // CHECK: end of case 1
    case 2: return get(x, to_y);
    // CHECK: out-of-bounds: {{.*}}read of 4 bytes, in get
    // CHECK: bytes after the end of a heap object of 32 bytes{{.*}}; the address is in a heap object of 32 bytes
    // CHECK: end of case 2
    case 3: return get(y, -to_y);
    // CHECK: bytes before the start of a heap object of 32 bytes
    // CHECK: end of case 3
    case 4: return get(one, to_two);
    // CHECK: the local variable `one` of 16 bytes of main{{.*}}; the address is in the local variable `two` of 160 bytes
    // CHECK: end of case 4
    case 5: { // a step at a time, through memory and a call
        kept.cursor = a;
        for (int i = 0; i < 15; i++) kept.cursor = move(kept.cursor, to_b > 0 ? 6 : -5);
        return *kept.cursor;
        // CHECK: out-of-bounds: {{.*}}left-object.c:[[#@LINE-1]]:{{.*}}read of 4 bytes, in main
        // CHECK: the global `a` of 16 bytes
        // CHECK: end of case 5
    }
    case 6: {
        int *far = (int *)text + 20000, **copy = malloc(sizeof far);
        memcpy(copy, &far, sizeof far);
        return (*copy)[-3];
        // CHECK: out-of-bounds: {{.*}}left-object.c:[[#@LINE-1]]
        // CHECK: the global `text` of 300 bytes
        // CHECK: end of case 6
    }
    case 7: return ((struct record *)one)[6].after;
    // CHECK: the local variable `one` of 16 bytes
    // CHECK: end of case 7
    case 8: return get(matrix[3], (int *)two - matrix[3]);
    // CHECK: the local variable `matrix` of 64 bytes
    // CHECK: end of case 8
    case 9: memset(small + (text - small), 0, 10); break;
    // CHECK: write of 10 bytes
    // CHECK: the global `small` of 8 bytes
    // CHECK: end of case 9
    case 10: memcpy(text, (char *)x + 4 * to_y, 8); break;
    // CHECK: read of 8 bytes
    // CHECK: a heap object of 32 bytes
    // CHECK: end of case 10
    case 11: strcpy(small + (text - small) + 3, "abc"); break;
    // CHECK: out-of-bounds: {{.*}}left-object.c:[[#@LINE-1]]
    // CHECK: the global `small` of 8 bytes
    // CHECK: end of case 11
    case 12: snprintf(small + (text - small), 20, "%d", 17); break;
    // CHECK: out-of-bounds: {{.*}}left-object.c:[[#@LINE-1]]
    // CHECK: the global `small` of 8 bytes
    // CHECK: end of case 12
    case 13: return strlen(small + (text - small)) + 1;
    // CHECK: out-of-bounds: {{.*}}left-object.c:[[#@LINE-1]]
    // CHECK: the global `small` of 8 bytes
    // CHECK: end of case 13
    case 14: { // read back what was written out of bounds: the write is the error
        int *p = x;
        p[to_y + 1] = 3;
        return p[to_y + 1];
        // CHECK: out-of-bounds: {{.*}}left-object.c:[[#@LINE-2]]:{{.*}}write of 4 bytes
        // CHECK: end of case 14
    }
    case 15: return *(int *)((char *)a + 0x40000000) + 1; // where nothing is
    // CHECK: out-of-bounds
    // CHECK: the global `a` of 16 bytes
    // CHECK: end of case 15
    case 16: { // data of the C library
        int *p = table;
        p += (int *)stdout - p;
        return *p;
        // CHECK: out-of-bounds: {{.*}}left-object.c:[[#@LINE-1]]
        // CHECK: the global `table` of 40 bytes
        // CHECK: end of case 16
    }
    case 17: { // copied byte by byte
        int *p = a + to_b, *q;
        for (unsigned i = 0; i < sizeof p; i++) ((volatile char *)&q)[i] = ((volatile char *)&p)[i];
        return *q;
        // CHECK: out-of-bounds: {{.*}}left-object.c:[[#@LINE-1]]
        // CHECK: the global `a` of 16 bytes
        // CHECK: end of case 17
    }
    case 18: { // in halves, through a buffer
        int *p = a + to_b, *q;
        unsigned halves[2];
        memcpy(halves, &p, sizeof p);
        for (int i = 1; i >= 0; i--) ((volatile unsigned *)&q)[i] = halves[i];
        return *q;
        // CHECK: out-of-bounds: {{.*}}left-object.c:[[#@LINE-1]]
        // CHECK: the global `a` of 16 bytes
        // CHECK: end of case 18
    }
    }
    return 0;
}
