// A side of a branch that the solver refuted on every path is listed as refuted, even if something else was given up. A
// branch that depends on no input is then listed as undecided: the part that was given up may lead there.
// RUN: rm -rf %t && status 3 %tamar run -q %s --out %t >%t.txt
// RUN: python3 %S/Inputs/check-gaps %s %t
// REQUIRES: run
#include <stdlib.h>
#include <tamar.h>

int main(void) {
    unsigned x = (unsigned)tamar_int("x"), fixed = 3;
    unsigned long size;
    tamar_symbolic(&size, sizeof size, "size");
    if (x < 10)
        if (x > 20) return 1; // GAP refuted
    if (fixed > 5) return 2; // GAP undecided
    if (size >> 32 == 1) free(malloc(size)); // gets one size
    return 0;
}
