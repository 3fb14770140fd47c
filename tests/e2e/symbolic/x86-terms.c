// Intrinsics and inline assembly on symbolic operands become terms: only the branches below fork.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --emit all --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | grep "7 as predicted; 3 of 3 that show a bug confirmed"
// REQUIRES: run
// CHECK-DAG: x86-terms.c:[[# @LINE + 17]]
// CHECK-DAG: x86-terms.c:[[# @LINE + 24]]
// CHECK: 7 paths, 7 tests; every path was explored
#include <emmintrin.h>
#include <stdint.h>
#include <tamar.h>

int main(void) {
    unsigned char text[16];
    uint32_t number, swapped;
    uint64_t high, low, factor;
    tamar_symbolic(text, sizeof text, "text");
    tamar_symbolic(&number, sizeof number, "number");
    tamar_symbolic(&factor, sizeof factor, "factor");
    __m128i value = _mm_loadu_si128((const __m128i *)(const void *)text);
    int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(value, _mm_set1_epi8('/')));
    unsigned sum = (unsigned)_mm_cvtsi128_si32(_mm_sad_epu8(value, _mm_setzero_si128()));
    if (mask == 0x8021 && sum == 1000) tamar_assert(0);
    __asm__("bswap %0" : "=r"(swapped) : "0"(number));
    __asm__("roll $5, %0" : "+r"(swapped));
    __asm__("mulq %3" : "=a"(low), "=d"(high) : "0"(factor), "r"(0x1000000000000000ull));
    unsigned char carry;
    uint32_t one = 1;
    __asm__("addl %2, %1; setc %0" : "=q"(carry), "+r"(one) : "r"(number ^ 0xffffffff));
    tamar_assert(carry == (number == 0));
    if (swapped == 0xdeadbeef && high == 7) tamar_assert(0);
    return 0;
}
