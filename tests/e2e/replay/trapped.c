// Traps are confirmed by every build: natively they are SIGILL and SIGTRAP, not SIGABRT.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && status 1 %tamar run -q --sym-stdin 1..1 --out a %s >a.txt
// RUN: cd %t && %tamar replay a | FileCheck %s
// RUN: cd %t && %tamar replay --plain a | FileCheck %s
// REQUIRES: run, replay
// CHECK: 4 tests, 4 as predicted; 3 of 3 that show a bug confirmed
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    switch (getchar()) {
    case 1: __builtin_trap();
    case 2: __builtin_debugtrap(); exit(1);
    case 3: abort();
    }
    return 0;
}
