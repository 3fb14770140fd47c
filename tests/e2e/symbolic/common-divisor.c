// Sums of elements that are multiples of 3: one comparison is decided by this common divisor, the other is possible.
// RUN: rm -rf %t && %tamar run --sym-stdin 20 --emit all --out %t %s | FileCheck %s
// REQUIRES: run
// CHECK: 2 paths, {{.*}}every path was explored
#include <stdio.h>

static const unsigned prices[16] = {3, 9, 12, 66, 99, 21, 24, 27, 300, 303, 306, 309, 312, 315, 333, 336};

int main(void) {
    unsigned char in[20];
    if (fread(in, sizeof in, 1, stdin) != 1) return 1;
    unsigned sum = 0;
    for (int i = 0; i < 20; i++) sum += prices[in[i] % 16];
    if (sum == 770) puts("never");
    if (sum == 771) puts("possible");
    return 0;
}
