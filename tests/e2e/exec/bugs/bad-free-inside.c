// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdlib.h>

int main(void) {
    char *p = malloc(16);
    free(p + 4); // CHECK: tamar: bad-free: {{.*}}bad-free-inside.c:[[#@LINE]]
    return 0;
}
// CHECK: the heap object has 16 bytes; the address is not its start
