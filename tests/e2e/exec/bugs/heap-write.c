// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdlib.h>

static void fill(int *at, int count) {
    for (int i = 0; i <= count; i++) at[i] = i; // CHECK: tamar: out-of-bounds: {{.*}}heap-write.c:[[#@LINE]]
}

int main(void) {
    int *numbers = malloc(25 * sizeof *numbers);
    // CHECK: just after the end of a heap object of 100 bytes
    fill(numbers, 25); // CHECK: #1 main {{.*}}heap-write.c:[[#@LINE]]
    free(numbers);
    return 0;
}
