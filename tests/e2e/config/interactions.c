// Four options and two tests: seven paths stand for 32 runs, and statement 5 needs three options (Otter's figure 4.2).
// REQUIRES: config
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s program.c
// RUN: printf 'variable a bool\nvariable b bool\nvariable c bool\nvariable d bool\nvariable idle bool\ntest one: 1\ntest zero: 0\n' > options
// RUN: %tamar config -q options program.c > printed && FileCheck %s < printed
// CHECK: 7 paths stand for 64 runs (5 options, 2 tests)
// CHECK: Guaranteed coverage t=0 t=1 t=2 t=3 t=4 most
// CHECK-NEXT: line [[ALWAYS:[0-9]+]]
// CHECK: Interactions
// CHECK-NEXT: line 2 1 2 0
// CHECK: a=0 90 % of the lines
// CHECK: 2 configurations cover everything
// CHECK-NEXT: 1. +15 a=0, b=1, c=1
// CHECK-NEXT: 2. +1 a=1
// CHECK: idle never mattered: no path depends on it
// RUN: FileCheck --check-prefix=FILE %s < tamar-last/configurations/1.txt
// FILE: a=0
// FILE: b=1
// RUN: python3 -c 'import json; j = json.load(open("tamar-last/config.json")); assert j["paths"] == 7 and j["reached"]["line"] == 16'
// RUN: for n in 1 3; do %tamar config -q options program.c --jobs $n --out jobs-$n >/dev/null && cmp tamar-last/config.json jobs-$n/config.json || exit 1; done
// RUN: status 2 %tamar config options program.c --jobs none 2>&1 | grep -e "--jobs: 'none' is not a number of processes"
// RUN: dot -V && grep -q '<svg' tamar-last/interactions.svg
//
// RUN: printf 'variable aa bool\ntest 1\n' > typo && status 2 %tamar config typo program.c 2>&1 | FileCheck --check-prefix=TYPO %s
// TYPO: typo:1: the program has no variable 'aa'
// TYPO-NEXT: Did you mean a?
// RUN: status 2 %tamar config nothere program.c 2>&1 | FileCheck --check-prefix=NOTHERE %s
// NOTHERE: nothere: cannot be read
#include <stdlib.h>
int a, b, c, d, idle;
volatile int seen;
int main(int argc, char **argv) {
    int input = atoi(argv[1]), x = 0;
    if (a)
        seen = 1;
    else if (b) {
        seen = 2;
        x = 1;
        if (!input)
            seen = 3;
    }
    int y = c | d;
    if (x && input) {
        seen = 4;
        if (y)
            seen = 5;
    }
    return 0;
}
