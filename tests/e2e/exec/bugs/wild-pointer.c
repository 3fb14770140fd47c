// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
int main(void) {
    int *volatile p = (int *)0x123456789abc;
    return *p; // CHECK: tamar: out-of-bounds: {{.*}}wild-pointer.c:[[#@LINE]]
}
// CHECK: address 0x123456789abc, which is in no object
