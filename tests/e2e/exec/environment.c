// RUN: TAMAR_TEST_VARIABLE=seen %tamar exec %s | FileCheck %s
// REQUIRES: exec
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *value = getenv("TAMAR_TEST_VARIABLE");
    puts(value ? value : "absent"); // CHECK: seen
    return 0;
}
