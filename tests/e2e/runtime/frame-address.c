// __builtin_frame_address(0) lies between the locals of the callers and the locals of the callees.
// RUN: same-as-native %tamar %s
// RUN: rm -rf %t && %tamar run %s --sym-stdin 1 --emit all --out %t | grep 'every path was explored' && %tamar replay %t | grep '2 tests, 2 as predicted'
#include <stdint.h>
#include <stdio.h>

static __attribute__((noinline)) int between(uintptr_t outer, uintptr_t frame) {
    volatile char inner = 0;
    return outer > frame && frame > (uintptr_t)&inner;
}
static __attribute__((noinline)) int middle(uintptr_t outer, int deeper) {
    uintptr_t own = (uintptr_t)__builtin_frame_address(0);
    volatile int result = deeper ? middle(own, deeper - 1) : between(outer, own);
    return result + (outer > own);
}
int main(void) {
    volatile char local = 0;
    int c = getchar();
    printf("%d\n", middle((uintptr_t)&local, c == 'x' ? 3 : 1));
    return __builtin_frame_address(0) == NULL;
}
