// The x87 control word can be read and restored; another precision is not modelled, which is reported.
// RUN: %tamar exec %s | grep "37f 37f"
// RUN: status 126 %tamar exec -DOTHER %s 2>&1 | grep "not modelled: fldcw: a precision or rounding mode other than the default"
#include <stdio.h>

int main(void) {
    unsigned short before, after;
    __asm__ __volatile__("fnstcw %0" : "=m"(before));
#ifdef OTHER
    unsigned short changed = (before & ~0x300) | 0x200;
#else
    unsigned short changed = before | 0x300;
#endif
    __asm__ __volatile__("fldcw %0" : : "m"(changed));
    __asm__ __volatile__("fnstcw %0" : "=m"(after));
    printf("%x %x\n", before, after);
    return 0;
}
