// CBMC's assertions are counted as those of assert are, each call for itself.
// RUN: rm -rf %t.a %t.b
// RUN: status 1 %tamar run -w --out %t.a %s | FileCheck %s
// CHECK: 3 bugs
// CHECK: assertions: 4 proved, 3 failed
// RUN: status 1 %tamar run -w -DDECLARED --max-depth 1 --out %t.b %s | FileCheck --check-prefix=EARLY %s
// EARLY: assertions: 0 proved, {{.*}} open
#include <assert.h>
#ifdef DECLARED
unsigned char nondet_uchar(void);
void __CPROVER_assume(_Bool condition);
void __CPROVER_assert(_Bool condition, const char *what);
void __CPROVER_precondition(_Bool condition, const char *what);
#endif

static int half(int x) {
    __CPROVER_precondition(x >= 0, "not negative"); // proved
    return x / 2;
}

int main(void) {
    unsigned char c = nondet_uchar();
    __CPROVER_assert(c != 9, "nine");     // fails
    __CPROVER_assert(c <= 255, "a byte"); // proved
    assert(c != 8);                       // fails
    assert(half(c) < 128);                // proved
    if (c > 200) {
        __CPROVER_assert(c > 100, "more");           // proved
        __CPROVER_assert(half(c) != 120, "not 120"); // fails
        return 1;
    }
    if (c == 9) __CPROVER_assert(0, "never reached");
    return 0;
}
