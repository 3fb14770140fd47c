// A function that calls setjmp keeps its locals in memory: the front end gives it the attribute optnone. LLVM rejects
// optnone together with optsize, which -Os gives to every function. So the exact build once failed for such a program.
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
