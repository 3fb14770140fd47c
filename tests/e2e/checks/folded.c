// Clang folds undefined operations: 1 / 0 and 1 << 33 are not in the code. Checks report the operations of the source,
// at every -O, for C files and for programs that `tamar cc` built; replay confirms each. Divisions need no --check.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && status 1 %tamar run -w --check shift,overflow --sym-stdin 1 --emit all --out a %s >a.txt && FileCheck %s <a.txt
// RUN: cd %t && status 1 %tamar run -w -O2 --check shift,overflow --sym-stdin 1 --emit all --out b %s >b.txt && FileCheck %s <b.txt
// RUN: cd %t && %tamar cc -w -O2 %s -o program
// RUN: cd %t && status 1 %tamar run --check shift,overflow --sym-stdin 1 --emit all --out c program >c.txt && FileCheck %s <c.txt
// RUN: cd %t && %tamar replay a | FileCheck --check-prefix=REPLAY %s
// RUN: cd %t && %tamar replay c | FileCheck --check-prefix=REPLAY %s
// RUN: cd %t && status 1 %tamar run -w --sym-stdin 1 --out d %s >d.txt && grep -c "^tamar: div-by-zero" d.txt | grep -x 3
// RUN: cd %t && grep -c "^tamar:" d.txt | grep -x 3
// REQUIRES: run, replay, cc
// CHECK: 14 bugs
// CHECK: 15 paths, 15 tests; every path was explored
// REPLAY: 15 tests, 15 as predicted; 14 of 14 that show a bug confirmed
#include <stdio.h>

int main(void) {
    int c = getchar();
    switch (c) {
    case 0: return 1 << 33;
    case 1: return 1 << -1;
    case 2: {
        const int n = 40;
        return c << n;
    }
    case 3: return 2147483647 + 1;
    case 4: return 1 / 0;
    case 5: {
        long n = 1L << 32; // cut to 32 bits it would be 0
        return c << n;
    }
    case 6: return -c << 1;
    case 7: {
        int x = c << 27;
        return x << 4;
    }
    case 8: return 7 % 0;
    case 9: return (-2147483647 - 1) / -1;
    case 10: return -(-2147483647 - 1);
    case 11: return 65536 * 65536;
    case 12: {
        unsigned char narrow = c * 100;
        return narrow;
    }
    case 13: {
        int x = 2147483634 + c;
        return ++x;
    }
    }
    return 0;
}
