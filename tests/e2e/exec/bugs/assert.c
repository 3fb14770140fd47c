// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <assert.h>

int main(int argc, char **argv) {
    assert(argc == 3); // CHECK: tamar: assert: {{.*}}assert.c:[[#@LINE]]
    return 0;
}
