// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <string.h>

int main(int argc, char **argv) {
    char name[8];
    strcpy(name, "12345678"); // CHECK: tamar: out-of-bounds: {{.*}}stack-write.c:[[#@LINE]]
    // CHECK: just after the end of the local variable `name` of 8 bytes of main
    return name[0] == 0;
}
