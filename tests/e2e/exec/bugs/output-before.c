// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
// Output of the program before the bug is not lost.
// RUN: status 125 %tamar exec %s 2>/dev/null | grep -q "before the bug"
#include <stdio.h>

int main(void) {
    puts("before the bug");
    fflush(stdout);
    return *(volatile char *)0; // CHECK: tamar: null: {{.*}}output-before.c:[[#@LINE]]
}
