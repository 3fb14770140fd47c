// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
int main(void) {
    __builtin_trap(); // CHECK: tamar: abort: {{.*}}trap.c:[[#@LINE]]
}
