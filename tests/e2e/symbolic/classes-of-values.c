// Counting sort reads its bytes only through their remainders: no query needs SAT. It is also proved that `out[0]` is
// set, although its value depends on more than the remainders.
// RUN: rm -rf %t.out && %tamar run --out %t.out --solver-timeout 60 %s >%t.txt
// RUN: %tamar stats %t.out >>%t.txt && FileCheck %s <%t.txt
// CHECK: 1 path, 1 test; every path was explored
// CHECK: {{^  sat +0$}}
// CHECK: {{^  classes +5 of +5}}
//
// With 256 classes of two bytes all values are tried, which is cheaper than the circuits of sums over 256 counters.
// RUN: rm -rf %t.all && %tamar run --out %t.all --solver-timeout 60 -DCOUNT=2 -DCLASSES=256 %s | FileCheck --check-prefix=ALL %s
// ALL: 1 path, 1 test; every path was explored
// REQUIRES: run
#include <tamar.h>

#ifndef COUNT
#define COUNT   4
#define CLASSES 16
#endif

int main(void) {
    unsigned char in[COUNT], out[COUNT];
    unsigned starts[CLASSES + 1] = {0};
    tamar_symbolic(in, sizeof in, "in");
    for (int i = 0; i < COUNT; i++) starts[in[i] % CLASSES + 1]++;
    for (int i = 0; i < CLASSES; i++) starts[i + 1] += starts[i];
    for (int i = 0; i < COUNT; i++) out[starts[in[i] % CLASSES]++] = in[i];
    return out[0] == 'z' ? 2 : 0;
}
