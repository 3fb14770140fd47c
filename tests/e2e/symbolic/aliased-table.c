// The logic of EXE's first figure: one of four numbers is changed through a pointer to its lowest byte. Five tests: an
// index that is read back is out of range for choice 2, the divisor is zero for choice 0, and both assertions are
// proved.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --emit all --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: ls %t.out/tests | grep -c json | grep -qx 5
// RUN: grep '"complete": *true' %t.out/summary.json
// RUN: grep '"assertions": *{ *"proved": *2, *"failed": *0' %t.out/summary.json
// REQUIRES: run
#include <assert.h>
#include <stdlib.h>
#include <tamar.h>

int main(void) {
    unsigned table[4] = {1, 3, 5, 2}, choice, value;
    tamar_symbolic(&choice, sizeof choice, "choice");
    if (choice >= 4) exit(0);
    char *low = (char *)table + choice * 4;
    *low = *low - 1;
    // CHECK: tamar: out-of-bounds: {{.*}}aliased-table.c:[[#@LINE+1]]
    value = table[*low];
    // CHECK: with choice="\002\000\000\000"
    // CHECK: tamar: div-by-zero: {{.*}}aliased-table.c:[[#@LINE+1]]
    value = value / table[choice];
    // CHECK: with choice="\000\000\000\000"
    if (value == 2)
        assert(choice == 1);
    else
        assert(choice == 3);
    return 0;
}
// CHECK: 5 paths, 5 tests; every path was explored
// CHECK: assertions: 2 proved, 0 failed
