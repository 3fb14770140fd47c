// Cases with the same target are one edge of the path: an input's case may be decided later, and the replay must not
// report another path.
// RUN: rm -rf %t && %tamar run %s --sym-stdin 1 --emit all --out %t -q
// RUN: %tamar replay --exact %t | FileCheck %s
// RUN: %tamar ir --function kind %s | FileCheck --check-prefix=EDGES %s
// REQUIRES: run, replay
// CHECK-NOT: ANOTHER PATH
// CHECK: 5 tests, 5 as predicted
// EDGES: 0x3a -> @[[BLOCK:[0-9]+]] (edge [[EDGE:[0-9]+]])
// EDGES-NEXT: 0x61 -> @[[BLOCK]] (edge [[EDGE]])
// EDGES-NEXT: 0x62 -> @[[BLOCK]] (edge [[EDGE]])
#include <stdio.h>

static int kind(int c) {
    switch (c) {
    case 'a':
    case 'b':
    case ':': return 1;
    case 'x': return 2;
    default: return 3;
    }
}

int main(void) {
    static const char colon[256] = {[':'] = 1};
    int c = getchar(), k = kind(c);
    if (c < 0) return 9;
    if (k == 1 && colon[c]) return 4;
    if (k == 1 && c == 'b') return 5;
    return k;
}
