// System calls, random numbers and the time that inline assembly asks for are those of the model, in the engine and in a
// replay (the exact build: no other has symbolic random numbers); rounding is one operation for the solver and natively.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --sym-stdin 2 --sym-random 8 --out %t.out %s | FileCheck %s
// RUN: status 1 %tamar replay %t.out | grep "5 as predicted; 0 of 2 that show a bug confirmed, 2 by the exact build alone"
// REQUIRES: run, replay
// CHECK-DAG: assert: {{.*}}by-hand.c:[[# @LINE + 19]]
// CHECK-DAG: assert: {{.*}}by-hand.c:[[# @LINE + 20]]
// CHECK: every path was explored
#include <math.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <tamar.h>

static long call(long number, long a, const void *b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

int main(void) {
    unsigned char bytes[2];
    uint64_t random;
    if (call(SYS_read, 0, bytes, 2) != 2) return 1;
    __asm__ volatile("rdrand %0" : "=r"(random) : : "cc");
    tamar_assert(!(random == 0x1122334455667788));
    double half = bytes[0] / 2.0;
    tamar_assert(floor(half) != 100 || bytes[1] != 'x' || ceil(half) == 100);
    tamar_assert(sqrt(half * half) == half && trunc(-half) == -floor(half));
    return (int)call(SYS_close, 77, 0, 0) + 9;
}
