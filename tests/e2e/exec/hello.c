// RUN: %tamar exec %s >%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdio.h>

int main(void) {
    printf("hello, %s\n", "world"); // CHECK: {{^}}hello, world{{$}}
    return 0;
}
