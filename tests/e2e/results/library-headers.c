// Inline functions of the C library's headers are not user code: they do not count as coverage.
// RUN: rm -rf %t.out && %tamar run --sym-stdin 1 --out %t.out --emit all %s | FileCheck %s
// RUN: not grep -q "ctype.h\|math.h" %t.out/coverage.json %t.out/coverage.info
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run
// CHECK: every path was explored
// CHECK: covered: lines 4 of 4
// REPLAY: as predicted
#include <ctype.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (isspace(c)) return 1;
    return isgreater((double)c, 64.0) ? 2 : 3;
}
