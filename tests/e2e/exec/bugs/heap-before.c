// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(40);
    int i = -1;
    numbers[i] = 3; // CHECK: tamar: out-of-bounds: {{.*}}heap-before.c:[[#@LINE]]
    return 0;
}
// CHECK: 4 bytes before the start of a heap object of 40 bytes
