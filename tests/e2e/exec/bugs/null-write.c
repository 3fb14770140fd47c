// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
int main(void) {
    int *volatile p = 0;
    *p = 3; // CHECK: tamar: null: {{.*}}null-write.c:[[#@LINE]]
    return 0;
}
