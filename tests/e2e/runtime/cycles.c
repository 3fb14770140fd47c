// The time-stamp counter advances, so that loops that wait for it end: by assembly and by an intrinsic, in all builds.
// RUN: %tamar exec %s | FileCheck %s
// RUN: rm -rf %t && %tamar run %s --sym-stdin 1 --emit all --out %t | grep 'every path was explored'
// RUN: %tamar replay %t | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: later 1 1 1
// CHECK-NEXT: waited 1
// REPLAY: 2 tests, 2 as predicted
#include <stdio.h>
#include <x86intrin.h>

static unsigned long ticks(void) {
    unsigned int low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long)high << 32 | low;
}

int main(void) {
    unsigned int processor;
    unsigned long first = ticks(), second = ticks(), third = __rdtsc(), fourth = __rdtscp(&processor);
    printf("later %d %d %d\n", second > first, third > second, fourth > third);
    while (ticks() - first < 20000) continue;
    printf("waited %d\n", ticks() - first >= 20000);
    if (getchar() == 'x') return 1;
    return 0;
}
