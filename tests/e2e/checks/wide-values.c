// Checks of values of more than 64 bits: clang's handlers get them through memory. Each is reported once, as by UBSan, and
// confirmed by replay; the last cases are defined.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && status 1 %tamar run -w --check undefined,overflow --sym-stdin 1..1 --emit all --out a %s >a.txt && FileCheck %s <a.txt
// RUN: cd %t && %tamar replay a | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK-DAG: tamar: overflow: {{.*}}signed addition overflows
// CHECK-DAG: tamar: overflow: {{.*}}signed subtraction overflows
// CHECK-DAG: tamar: overflow: {{.*}}signed multiplication overflows
// CHECK-DAG: tamar: overflow: {{.*}}a value of 'long double' that the type 'int' cannot hold
// CHECK-DAG: tamar: overflow: {{.*}}a value of 'long double' that the type 'unsigned
// CHECK: 13 bugs
// CHECK: 17 paths, 17 tests; every path was explored
// REPLAY: 17 tests, 17 as predicted; 13 of 13 that show a bug confirmed
#include <stdio.h>

typedef __int128 wide;

int main(void) {
    int c = getchar();
    wide most = (wide)(~(unsigned __int128)0 >> 1), least = -most - 1;
    long double x = c / 4.0L;
    volatile wide sink = 0;
    volatile long small = 0;
    switch (c) {
    case 0: sink = most + (c + 1); break;
    case 1: sink = least - c; break;
    case 2: sink = (most / 2 + 1) * c; break;
    case 3: sink = -(least + (c - 3)); break;
    case 4: sink = least / (3 - c); break;
    case 5: sink = most << (c - 3); break;
    case 6: sink = most >> (c + 122); break;
    case 7: small = most - c; break;
    case 8: small = (int)(x * 1e20L); break;
    case 9: small = (unsigned)-x; break;
    case 10: small = (long)(1 / (x - 2.5L)); break;
    case 11: most++; break;
    case 12: least -= 1; break;
    case 13: sink = most - c; break;
    case 14: small = (int)x; break;
    case 15: small = (long)(unsigned long)most; break;
    }
    return (small ^ (long)sink) == 12345;
}
