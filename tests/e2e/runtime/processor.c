// The modelled processor is x86-64 without extensions, on any machine: libraries take their C code, also natively.
// RUN: %tamar exec %s | FileCheck %s
// RUN: rm -rf %t.out && %tamar run --sym-stdin 1 --emit all --out %t.out %s | grep "every path was explored"
// RUN: %tamar replay --exact %t.out
// Unknown assembly is named, with its line and a remedy.
// RUN: status 126 %tamar exec -DUNKNOWN %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: processor.c:[[# @LINE + 21]]:{{.*}}not modelled: inline assembly "vzeroupper"; leave it out {{.*}} or write it in C, in main
// CHECK: sse2 1 ssse3 0 avx2 0 baseline 1 intel 1
// CHECK-NEXT: GenuineIntel 1
// CHECK-NEXT: sse2 1 sse4.1 0 xsave 0
// CHECK-NEXT: plain
// CHECK-NEXT: leaf 7 absent
// CHECK-NEXT: saved 1
#include <cpuid.h>
#include <stdio.h>
#include <string.h>

static int plain(void) { return puts("plain"); }
static int wide(void) { return puts("wide"); }
static int (*resolve(void))(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") ? wide : plain;
}
int chosen(void) __attribute__((ifunc("resolve")));

int main(void) {
#ifdef UNKNOWN
    __asm__ volatile("vzeroupper");
#endif
    __builtin_cpu_init();
    printf("sse2 %d ssse3 %d avx2 %d baseline %d intel %d\n", !!__builtin_cpu_supports("sse2"), !!__builtin_cpu_supports("ssse3"),
           !!__builtin_cpu_supports("avx2"), !!__builtin_cpu_supports("x86-64"), !!__builtin_cpu_is("intel"));
    unsigned a, b, c, d;
    char vendor[13] = {0};
    __cpuid(0, a, b, c, d);
    memcpy(vendor, &b, 4);
    memcpy(vendor + 4, &d, 4);
    memcpy(vendor + 8, &c, 4);
    printf("%s %u\n", vendor, a);
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 1;
    printf("sse2 %d sse4.1 %d xsave %d\n", !!(d & bit_SSE2), !!(c & bit_SSE4_1), !!(c & bit_OSXSAVE));
    chosen();
    printf("leaf 7 %s\n", __get_cpuid_count(7, 0, &a, &b, &c, &d) ? "present" : "absent");
    __asm__ volatile("push %%rbx\n\tcpuid\n\tmov %%ebx, %1\n\tpop %%rbx" : "=a"(a), "=r"(b), "=c"(c), "=d"(d) : "0"(0), "2"(0));
    printf("saved %d\n", b == 0x756e6547);
    return getchar() == 'x';
}
