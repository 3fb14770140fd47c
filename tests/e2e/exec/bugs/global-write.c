// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
char before[16], buffer[16], after[16];

int main(void) {
    for (int i = 0; i < 17; i++)
        buffer[i] = 'x'; // CHECK: tamar: out-of-bounds: {{.*}}global-write.c:[[#@LINE]]
    return before[0] + after[0];
}
// CHECK: just after the end of the global `buffer` of 16 bytes at {{.*}}global-write.c:4
