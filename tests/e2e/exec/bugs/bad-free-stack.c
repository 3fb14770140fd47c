// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdlib.h>

int main(void) {
    int local = 0;
    free(&local); // CHECK: tamar: bad-free: {{.*}}bad-free-stack.c:[[#@LINE]]:{{.*}}free of the local variable `local`
    return local;
}
