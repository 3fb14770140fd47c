// The program does not see the umask of the replaying process: it is 022 in the engine and natively.
// RUN: rm -rf %t && %tamar run %s --sym-stdin 1 --emit all --out %t -q
// RUN: umask 077 && %tamar replay --exact %t | FileCheck %s
// REQUIRES: run, replay
// CHECK: 2 tests, 2 as predicted
#include <stdio.h>
#include <sys/stat.h>

int main(void) {
    mode_t mask = umask(0);
    if (getchar() == 'x') return 3;
    return mask == 022 ? 0 : 1;
}
