// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <string.h>

int main(void) {
    char from[20] = "nineteen characters", to[10];
    memcpy(to, from, sizeof from); // CHECK: tamar: out-of-bounds: {{.*}}memcpy-over.c:[[#@LINE]]
    return to[0];
}
// CHECK: the local variable `to` of 10 bytes of main
