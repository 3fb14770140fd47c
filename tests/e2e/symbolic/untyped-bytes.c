// Memory is untyped bytes: one byte of an int is written, and a negative number compares as a large unsigned one.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// REQUIRES: run
#include <tamar.h>

int main(void) {
    int n, a, b;
    char *p = (char *)&n;
    tamar_symbolic(&n, sizeof n, "n");
    p[2] = 0;
    tamar_assert((n & 0xff0000) == 0);
    tamar_assert(p[2] == 0);
    tamar_symbolic(&a, sizeof a, "a");
    tamar_symbolic(&b, sizeof b, "b");
    tamar_assume(a < 0);
    tamar_assume(b > 0);
    tamar_assert(a < b);
    // CHECK: tamar: assert: {{.*}}untyped-bytes.c:[[#@LINE+1]]
    tamar_assert((unsigned)a < (unsigned)b);
    return 0;
}
// CHECK-NOT: {{^}}tamar: assert
// CHECK: 1 path, {{.*}}every path was explored
