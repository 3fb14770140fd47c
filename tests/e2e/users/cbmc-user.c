// A program written for CBMC: undeclared names and undefined functions.
// RUN: rm -rf %t.out && status 1 %tamar run -w --emit all --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | grep "1 of 1 that show a bug confirmed"
// CHECK: assert {{.*}}cbmc-user.c:[[# @LINE + 30]]{{.*}} the sum stays small
// CHECK: every path was explored
// No warning about CBMC's names, also when the file comes from the compile cache; other undeclared names get theirs.
// RUN: XDG_CACHE_HOME=%t.cache && export XDG_CACHE_HOME && rm -rf %t.cache %t.out && status 1 %tamar run -q -Wall -Wextra -DUNDECLARED --out %t.out %s 2>%t.first >/dev/null && cat %t.first | FileCheck --check-prefix=WARNED %s
// RUN: XDG_CACHE_HOME=%t.cache && export XDG_CACHE_HOME && rm -rf %t.out && status 1 %tamar run -q -Wall -Wextra -DUNDECLARED --out %t.out %s 2>%t.second >/dev/null && cmp %t.first %t.second
// WARNED-NOT: {{CPROVER|nondet}}
// WARNED: warning: call to undeclared function 'undeclared_helper'
// WARNED-NOT: {{CPROVER|nondet}}
// With --undefined symbolic, a function without a body returns unknown values. Otherwise it is an error.
// RUN: rm -rf %t.out && status 2 %tamar run -DBODYLESS -w --out %t.out %s 2>&1 | FileCheck --check-prefix=REFUSED %s
// REFUSED: undefined function "measure"
// RUN: rm -rf %t.out && status 1 %tamar run -DBODYLESS -w --undefined symbolic --emit all --out %t.out %s | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN-DAG: assert {{.*}}cbmc-user.c:[[# @LINE + 21]]{{.*}} a point
// RUN: %tamar replay %t.out | grep "as predicted"
#ifndef UNDECLARED
int nondet_int();
#endif
_Bool nondet_bool();
struct point {
    double x, y, z;
} measure(int where);
int index_of(void);

int main(void) {
#ifdef UNDECLARED
    undeclared_helper();
#endif
    int a = nondet_int(), b = nondet_int();
    _Bool both = nondet_bool();
    __CPROVER_assume(a >= 0 && a < 100 && b > 10 && b < 100);
    __CPROVER_assert(!both || a + b < 190, "the sum stays small");
#ifdef BODYLESS
    struct point p = measure(1);
    __CPROVER_assert(p.y == 0 || a != 50, "a point");
    static const int table[4] = {1, 2, 3, 4}; // an index has a handler, which must get no body
    __CPROVER_assert(table[index_of() & 3] > 0, "a table");
#endif
    return 0;
}
#ifdef UNDECLARED
int undeclared_helper(void) { return 0; }
#endif
