// __builtin_setjmp and __builtin_longjmp, which need no library: the same as natively.
// RUN: same-as-native %tamar %s < /dev/null
// RUN: %tamar exec %s | FileCheck %s
// CHECK: back 1 3
// CHECK: end 4 7
// Returning into a function that has ended is a bug.
// RUN: status 125 %tamar exec -DENDED %s 2>&1 | FileCheck --check-prefix=ENDED %s
// ENDED: bad-call
#include <stdio.h>

static void *buffer[5];
static int depth;

__attribute__((noinline)) static void down(int n) {
    if (!n) __builtin_longjmp(buffer, 1);
    depth++;
    down(n - 1);
}

__attribute__((noinline)) static int set(void) { return __builtin_setjmp(buffer); }

int main(void) {
    volatile int tries = 0;
#ifdef ENDED
    if (set() == 0) down(1);
#endif
    if (__builtin_setjmp(buffer) == 0) {
        tries++;
        down(3);
        puts("never");
    } else {
        printf("back %d %d\n", tries, depth);
        if (tries++ < 3) down(2);
    }
    printf("end %d %d\n", tries, depth);
    return 0;
}
