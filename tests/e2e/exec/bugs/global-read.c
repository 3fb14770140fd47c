// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
static const int table[5] = {1, 2, 3, 4, 5};
int look_up(int i) {
    return table[i]; // CHECK: tamar: out-of-bounds: {{.*}}global-read.c:[[#@LINE]]
}

int main(void) { return look_up(5); }
// CHECK: just after the end of the constant global `table` of 20 bytes at {{.*}}global-read.c:4
