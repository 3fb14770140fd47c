// memcpy, memmove and memset of a symbolic length do not fork: byte k is written under the condition k < length. Only
// the program's branches fork. Ten paths: too long a length is one; the assertion's `k < n` in the loop has 9 outcomes
// (n = 0 to 8), and the code after the loop has one path for each.
// RUN: rm -rf %t.a %t.b
// RUN: status 1 %tamar run --emit all --out %t.a %s | FileCheck %s --check-prefix=LONG
// RUN: %tamar run --emit all -DSHORT --out %t.b %s | FileCheck %s --check-prefix=SHORT
// RUN: %tamar replay %t.a | grep "10 tests, 10 as predicted; 1 of 1 that show a bug confirmed"
// RUN: %tamar replay %t.b | grep "9 tests, 9 as predicted"
// REQUIRES: run
#include <string.h>
#include <tamar.h>

int main(void) {
    unsigned n;
    char source[8], target[9];
    tamar_symbolic(&n, sizeof n, "n");
    tamar_symbolic(source, sizeof source, "source");
#ifdef SHORT
    tamar_assume(n <= 8);
#endif
    memset(target, 'x', 9);
    // LONG: tamar: out-of-bounds: {{.*}}lengths.c:[[#@LINE+2]]:{{.*}}read of
    // LONG: just after the end of the local variable `source` of 8 bytes
    memcpy(target, source, n);
    for (unsigned k = 0; k < 9; k++) tamar_assert(target[k] == (k < n ? source[k] : 'x'));
    memmove(target + 1, target, n); // the last byte moves too: 9 bytes are there
    if (n) tamar_assert(target[n] == source[n - 1] && target[0] == source[0]);
    memset(target, 7, n);
    if (n > 4) tamar_assert(target[4] == 7 && target[n] == source[n - 1]);
    return 0;
}
// SHORT: no bug found
// LONG: 10 paths, 10 tests; every path was explored
// SHORT: 9 paths, 9 tests; every path was explored
