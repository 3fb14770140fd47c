// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
int main(void) {
    char *text = "constant";
    text[0] = 'C'; // CHECK: tamar: {{out-of-bounds|bad-write|read-only}}: {{.*}}constant-write.c:[[#@LINE]]
    return 0;
}
