// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
// An access that begins inside and ends outside.
#include <stdlib.h>

int main(void) {
    char *block = malloc(7);
    return *(int *)(block + 4); // CHECK: tamar: out-of-bounds: {{.*}}heap-partial.c:[[#@LINE]]
}
// CHECK: end of a heap object of 7 bytes
