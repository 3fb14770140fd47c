// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdlib.h>

static void release(char *p) { free(p); } // CHECK: tamar: double-free: {{.*}}double-free.c:[[#@LINE]]

int main(void) {
    char *p = malloc(3);
    release(p);
    release(p); // CHECK: main {{.*}}double-free.c:[[#@LINE]]
    return 0;
}
