// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
static int deeper(int n) {
    volatile char frame[1000]; // CHECK: tamar: stack-overflow: {{.*}}stack-exhaustion.c:
    frame[0] = (char)n;
    return deeper(n + 1) + frame[0];
}

int main(void) { return deeper(0); }
