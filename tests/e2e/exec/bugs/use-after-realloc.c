// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdlib.h>

int main(void) {
    char *p = malloc(10), *old = p;
    p = realloc(p, 100000);
    if (!p) return 1;
    return old[0]; // CHECK: tamar: use-after-free: {{.*}}use-after-realloc.c:[[#@LINE]]
}
// CHECK: 0 bytes inside a heap object of 10 bytes that has been freed
// CHECK: freed by:
// CHECK: realloc
// CHECK: main {{.*}}use-after-realloc.c:8:
