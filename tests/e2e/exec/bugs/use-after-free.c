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
// both other places are named
// CHECK-DAG: {{.*}}use-after-free.c:[[#@LINE-7]]
// CHECK-DAG: {{.*}}use-after-free.c:[[#@LINE-6]]
