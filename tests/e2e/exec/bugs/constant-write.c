// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
int main(void) {
    char *text = "constant";
    text[0] = 'C'; // CHECK: tamar: out-of-bounds: {{.*}}constant-write.c:[[#@LINE]]
    return 0;
}
// CHECK: 0 bytes inside the constant global {{.*}} of 9 bytes
