// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
int main(void) {
    int (*volatile function)(int) = 0;
    return function(3); // CHECK: tamar: null: {{.*}}null-call.c:[[#@LINE]]
}
