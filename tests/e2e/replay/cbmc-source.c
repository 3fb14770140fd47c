// CBMC's functions without a declaration mean the same in the sanitizer build: conditions wider than an int, macros.
// RUN: rm -rf %t && status 1 %tamar run -w -q --emit all --out %t %s >/dev/null
// RUN: %tamar replay %t | FileCheck %s
// CHECK: 2 tests, 2 as predicted; 1 of 1 that show a bug confirmed
#include <klee/klee.h>
int main(void) {
    unsigned long wide = 0x100000000;
    int i;
    klee_make_symbolic(&i, sizeof i, "i");
    __CPROVER_assert(wide, "its lower half is 0");
    __CPROVER_assert(__CPROVER_r_ok(&i, 4), "accessible");
    __CPROVER_assert(i != 5, "fails");
    return 0;
}
