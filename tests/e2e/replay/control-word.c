// Setting the x87 control word is lowered with an additional branch that native code does not have. It does not count
// as a branch of the path.
// RUN: rm -rf %t && %tamar run %s --sym-stdin 1 --emit all --out %t -q
// RUN: %tamar replay --exact %t | FileCheck %s
// REQUIRES: run, replay
// CHECK: 2 tests, 2 as predicted
#include <stdio.h>

int main(void) {
    unsigned short word;
    __asm__ __volatile__("fnstcw %0" : "=m"(word));
    word = (unsigned short)((word & ~0x300) | 0x300);
    __asm__ __volatile__("fldcw %0" : : "m"(word));
    if (getchar() == 'x') return 3;
    return 0;
}
