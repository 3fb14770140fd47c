// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return *p; // CHECK: tamar: use-after-free: {{.*}}use-after-free.c:[[#@LINE]]
}
// CHECK: 0 bytes inside a heap object of 4 bytes that has been freed
// CHECK: allocated by:
// CHECK: #1 main {{.*}}use-after-free.c:[[#@LINE-7]]
// CHECK: freed by:
// CHECK: #1 main {{.*}}use-after-free.c:[[#@LINE-7]]
