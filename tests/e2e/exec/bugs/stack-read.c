// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
static int sum(const int *at, int count) {
    int total = 0;
    for (int i = 0; i < count; i++)
        total += at[i]; // CHECK: tamar: out-of-bounds: {{.*}}stack-read.c:[[#@LINE]]
    return total;
}

int main(void) {
    int numbers[4] = {1, 2, 3, 4};
    return sum(numbers, 5);
}
// CHECK: just after the end of the local variable `numbers` of 16 bytes of main
