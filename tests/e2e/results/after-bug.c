// A side is infeasible without reserve only if no reported bug may be executed before it.
// RUN: rm -rf %t.out
// RUN: not %tamar run -q %s --sym-stdin 1 --out %t.out
// RUN: python3 %S/Inputs/check-after-bug.py %s %t.out
#include <assert.h>
#include <setjmp.h>
#include <stdio.h>

static int table[4];
static jmp_buf back;

static int inside(int c) {
    if (c > 300) return 1; // AFTER
    // main calls it in a loop.
    if (c == 9) return table[c - 5];
    if (c == 9) return 2; // AFTER
    return 3;
}

static int called_after(int c) {
    if (c == 9) return 1; // AFTER
    return 2;
}

static int called_before(int c) {
    if (c > 300) return 1; // INFEASIBLE
    return 2;
}

static int never_with_bug(int c) {
    if (c > 300) return 1; // INFEASIBLE
    return 2;
}

static void jumps(int c) {
    if (c == 9) longjmp(back, 1); // AFTER
}

int main(void) {
    int c = getchar(), sum = called_before(c);
    if (c > 400) sum++; // INFEASIBLE
    if (c == 30) return never_with_bug(c);
    for (int i = 0; i < 2; i++) {
        sum += inside(c);
        if (c == 9) sum++; // AFTER
    }
    sum += called_after(c);
    if (setjmp(back)) return 4;
    jumps(c);
    assert(c != 'x');
    if (c == 'x') sum++; // AFTER
    return sum & 1;
}
