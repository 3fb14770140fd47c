// printf pads a number whose count of digits is symbolic. The C library computes an address in a local buffer from that
// count. The constant part of the address lies in another variable of the frame, to which it never points.
// RUN: rm -rf %t && %tamar run %s --sym-arg 2 --out %t >%t.txt && FileCheck %s <%t.txt
// RUN: %tamar replay --exact %t | FileCheck --check-prefix=SAME %s
// REQUIRES: run, replay
// CHECK-NOT: out-of-bounds
// CHECK: every path was explored
// SAME: [[N:[0-9]+]] tests, [[N]] as predicted
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char *end;
    unsigned long number = strtoul(argv[1], &end, 0);
    if (*end || end == argv[1]) return 3;
    printf("%*lo", 34, number);
    return 0;
}
