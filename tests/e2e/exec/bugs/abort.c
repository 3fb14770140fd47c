// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdlib.h>

int main(void) {
    abort(); // CHECK: tamar: abort: {{.*}}abort.c:[[#@LINE]]
}
