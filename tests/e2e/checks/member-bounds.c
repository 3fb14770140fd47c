// The type of a subscripted array gives its bounds, also inside of an object: always on, confirmed by replay. A
// flexible member, a last member, one past the end as an address, and pointer arithmetic are not errors.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && status 1 %tamar run -w --sym-stdin 1 --emit all --out a %s >a.txt && FileCheck %s <a.txt
// RUN: cd %t && %tamar replay a | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK-DAG: tamar: out-of-bounds: {{.*}}member-bounds.c:[[#MEMBER:]]:{{.*}}index 4 is out of bounds for type 'int[4]'
// CHECK-DAG: tamar: out-of-bounds: {{.*}}index 6 is out of bounds for type 'int[4]'
// CHECK-DAG: tamar: out-of-bounds: {{.*}}index -1 is out of bounds for type 'short[3]'
// CHECK-DAG: tamar: out-of-bounds: {{.*}}is out of bounds for type 'int[2][4]'
// CHECK-DAG: tamar: out-of-bounds: {{.*}}index 121 is out of bounds for type 'int[8]'
// CHECK: 5 bugs
// CHECK: 452 bytes after the end of the global `table` of 32 bytes
// CHECK: every path was explored
// REPLAY: 5 of 5 that show a bug confirmed
#include <stdio.h>
#include <stdlib.h>

struct inner {
    int buf[4];
    short small[3];
    int last[2];
};
struct outer {
    struct inner in[2];
    int after[40];
};
struct open {
    int count, values[];
};
static int rows[2][4], table[8], other[4000];

int main(void) {
    static struct outer object;
    int c = getchar();
    if (c == 'a') return object.in[0].buf[c - 93];
    if (c == 'b') return rows[0][c - 92];
    if (c == 'c') object.in[1].small[c - 100] = 1;
    if (c == 'd') return rows[c - 92][1];
    if (c == 'y') table[c] = other[0]; // far beyond, in another object
    // Not errors.
    if (c == 'p') return *(object.in[0].buf + 4) + *(&rows[0][3] + 1);
    if (c == 'q') return &rows[0][4] == &rows[1][0];
    if (c == 'r') return object.in[0].last[3];
    if (c == 't') {
        int *one_based = &table[-1];
        return one_based[1] + (table + 9 == 0);
    }
    if (c == 's') {
        struct open *open = malloc(sizeof *open + 4 * sizeof(int));
        if (!open) return 1;
        open->values[3] = 1;
        free(open);
    }
    return 0;
}
