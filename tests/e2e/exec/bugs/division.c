// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
static int average(int sum, int count) {
    return sum / count; // CHECK: tamar: div-by-zero: {{.*}}division.c:[[#@LINE]]
}

int main(void) { return average(10, 0); }
