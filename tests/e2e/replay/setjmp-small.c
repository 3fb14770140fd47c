// A function that calls setjmp keeps its locals in memory, also in a program built with -Os. The attributes for both
// exclude each other, which once prevented the exact build.
// RUN: rm -rf %t && mkdir %t && %tamar cc -Os %s -o %t/prog
// RUN: status 0 %tamar run -q --out %t/out %t/prog --sym-arg 1
// RUN: %tamar replay %t/out | FileCheck %s
// CHECK: 2 tests, 2 as predicted
// REQUIRES: run, replay
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;

static __attribute__((noinline)) void leave(const char *word) {
    if (word[0] == 'x') longjmp(place, 1);
}

int main(int argc, char **argv) {
    volatile int before = 1;
    if (setjmp(place)) {
        printf("%d\n", before);
        return before;
    }
    before = 3;
    leave(argv[1]);
    return 0;
}
