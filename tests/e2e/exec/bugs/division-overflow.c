// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
// INT_MIN / -1 has no result: the processor traps.
#include <limits.h>

int main(int argc, char **argv) {
    int least = INT_MIN, minus_one = -argc;
    return least / minus_one; // CHECK: tamar: div-by-zero: {{.*}}division-overflow.c:[[#@LINE]]
}
