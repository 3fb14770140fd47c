// The VM reads the record of setjmp from the program's memory, so it must not trust it: here the jump buffer's content
// was overwritten.
// RUN: status 125 %tamar exec %s 2>&1 | FileCheck %s
// CHECK: bad-call: {{.*}} longjmp to a function that has returned, or from no setjmp
// RUN: status 125 %tamar exec -DSMALL %s 2>&1 | FileCheck %s
#include <setjmp.h>

#ifdef SMALL
#define ADDED 1 // another instruction of the same function
#else
#define ADDED 123456789
#endif

static jmp_buf buffer;

int main(void) {
    volatile int times = 0;
    if (setjmp(buffer)) return times;
    times++;
    for (unsigned i = 0; i < 8; i++) ((unsigned long *)&buffer)[i] += i == 2 ? ADDED : 0;
    longjmp(buffer, 1);
}
