// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <string.h>

int main(int argc, char **argv) {
    char name[8];
    strcpy(name, "12345678"); // CHECK: tamar: out-of-bounds: {{.*}}
    return name[0] == 0;      // CHECK: {{.*}}stack-write.c:[[#@LINE-1]]
}
