// Replays one path, decision by decision.
// RUN: rm -rf %t && mkdir %t && cd %t && status 1 %tamar run %s --sym-stdin 2 --emit all -q >/dev/null
// RUN: cd %t && test=$(grep -l 'div-by-zero' tamar-last/tests/*.json) && %tamar run --follow $test | FileCheck %s
// RUN: cd %t && status 2 %tamar run --follow nothing 2>&1 | FileCheck --check-prefix=WRONG %s
// REQUIRES: run, replay
// CHECK: 1  {{.*}}follow.c:[[#@LINE+9]]:{{.*}}  in main: false  [{{.*}}stdin:[0]{{.*}} and 97]
// CHECK: > {{.*}}    if (a != 'a') return 1;
// CHECK: 2  {{.*}}follow.c:{{.*}}  in main: case
// CHECK: tamar: div-by-zero: {{.*}}follow.c
// WRONG: 'nothing' is not a test
#include <stdio.h>

int main(void) {
    int a = getchar(), b = getchar();
    if (a != 'a') return 1;
    switch (b) {
    case '0': return 3 / (b - '0');
    case '1': return 2;
    default: return 0;
    }
}
