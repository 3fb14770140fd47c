// A switch of thirty cases with three targets, on a symbolic byte: one path for each target, not for each case. A
// conditional value (`c < 128 ? 1 : 2`) does not fork.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --out %t.out %s >%t.txt
// RUN: grep "3 paths, 3 tests; every path was explored" %t.txt
// RUN: grep '"forks": *2,' %t.out/summary.json
// RUN: grep "assertions: 1 proved, 0 failed" %t.txt
// RUN: %tamar replay %t.out | grep "3 tests, 3 as predicted"
// REQUIRES: run
#include <tamar.h>

int main(void) {
    unsigned char c;
    int kind;
    tamar_symbolic(&c, 1, "c");
    int half = c < 128 ? 1 : 2; // a choice between values, not between ways
    tamar_assert(half == 1 + c / 128);
    switch (c) {
    // clang-format off
    case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
    case 'a': case 'b': case 'c': case 'd': case 'e': kind = 1; break;
    case 'f': case 'g': case 'h': case 'i': case 'j': case 'k': case 'l': case 'm': case 'n': case 'o':
    case 'p': case 'q': case 'r': case 's': case 't': kind = 2; break;
    default: kind = 3; break;
    }
    return kind;
}
