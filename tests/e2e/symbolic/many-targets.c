// A pointer to one of sixteen objects. An access of one state handles at most eight: other states take the rest.
// RUN: rm -rf %t.out %t.pending %t.relaxed
// RUN: status 1 %tamar run --out %t.out --sym-stdin 1 %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: status 1 %tamar run --out %t.pending --feasibility pending --sym-stdin 1 %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: status 1 %tamar run --out %t.relaxed --relax-checks --sym-stdin 1 %s >%t.txt
// RUN: FileCheck %s <%t.txt
// REQUIRES: run
#include <stdio.h>
#include <stdlib.h>
#include <tamar.h>

static const char *const words[] = {"zero",  "one",  "two", "three", "four",   "five",   "six",      "seven",
                                    "eight", "nine", "ten", NULL,    "twelve", "thirty", "fourteen", "fifteen"};

int main(void) {
    int c = getchar();
    if (c < 0 || c > 15) return 1;
    int first = words[c][0];
    tamar_assert(first != 'n');
    tamar_assert(c != 12);
    return 0;
}
// CHECK: 3 bugs
// CHECK-DAG: null {{.*}}many-targets.c
// CHECK-DAG: assert {{.*}}many-targets.c
// CHECK: every path was explored
// CHECK: assertions: 0 proved, 2 failed
