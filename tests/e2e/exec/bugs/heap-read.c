// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdlib.h>

int main(void) {
    char *block = malloc(10);
    block[9] = 1;
    return block[12]; // CHECK: tamar: out-of-bounds: {{.*}}heap-read.c:[[#@LINE]]
}
// CHECK: 2 bytes after the end of a heap object of 10 bytes
// CHECK: call stack:
// CHECK: #0 main {{.*}}heap-read.c:
// CHECK: allocated by:
// CHECK: main {{.*}}heap-read.c:7:
