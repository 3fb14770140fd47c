// -O2 among the flags of a C file: the explored code is clang's output before optimisation, as with `tamar cc`. An
// optimiser would remove a division and an access whose results are not used.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && status 1 %tamar run -w -O2 --sym-stdin 1 --emit all --out a %s >a.txt && FileCheck %s <a.txt
// RUN: cd %t && %tamar replay a | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK-DAG: div-by-zero: {{.*}}optimised.c:[[#@LINE+10]]
// CHECK-DAG: out-of-bounds: {{.*}}optimised.c:[[#@LINE+13]]
// CHECK: 2 bugs
// REPLAY: 3 tests, 3 as predicted; 2 of 2 that show a bug confirmed
#include <stdio.h>

int main(void) {
    int c = getchar();
    int list[4] = {1, 2, 3, 4};
    if (c == 'x') {
        int unused = 10 / (c - 'x');
        (void)unused;
    }
    if (c == 'y') {
        int unused = list[c - 'a'];
        (void)unused;
    }
    return 0;
}
