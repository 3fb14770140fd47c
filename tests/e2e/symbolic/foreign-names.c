// EXE's make_symbolic takes an array, or a pointer to an object; Otter's __SYMBOLIC takes a size and a name.
// RUN: rm -rf %t.out && status 1 %tamar run --emit all --out %t.out %s | FileCheck %s
// CHECK-DAG: foreign-names.c:[[# @LINE + 11]]
// CHECK-DAG: foreign-names.c:[[# @LINE + 11]]
// CHECK: every path was explored
#include <tamar.h>

int main(void) {
    int numbers[4], one = 0, m, n;
    make_symbolic(numbers);
    make_symbolic(&one);
    __SYMBOLIC(&m, sizeof m, "m");
    __SYMBOLIC(&n);
    if (numbers[0] == 1 && numbers[3] == 7 && one == 3) tamar_assert(0);
    if (m == 5 && n == 6) tamar_assert(0);
    return implicit(m & 1);
}

int implicit(int x) { return x; } // declared too late, as cc accepts it
