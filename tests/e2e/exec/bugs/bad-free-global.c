// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdlib.h>

static int global;

int main(void) {
    free(&global); // CHECK: tamar: bad-free: {{.*}}bad-free-global.c:[[#@LINE]]:{{.*}}free of the global `global`
    return global;
}
