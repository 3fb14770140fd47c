// A pointer that is valid, null or wild, depending on an input: both errors are found, and the valid path continues.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --emit all --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// REQUIRES: run
#include <tamar.h>

int main(void) {
    int value = 7, *pointers[3] = {(int *)0, &value, (int *)0x123456789};
    unsigned char which;
    tamar_symbolic(&which, 1, "which");
    if (which > 2) return 0;
    // CHECK: tamar: {{null|out-of-bounds}}: {{.*}}wild-pointer.c:[[#@LINE+1]]
    int read = *pointers[which];
    tamar_assert(read == 7 && which == 1);
    return 1;
}
// CHECK-NOT: tamar: assert
// CHECK: 4 paths, {{.*}}every path was explored
