// Otter's first example: three paths and no error; with >= there are four, one of them an error.
// RUN: rm -rf %t.a %t.b
// RUN: %tamar run --out %t.a %s | grep "3 paths, .*every path was explored"
// RUN: status 1 %tamar run -DOR_EQUAL --out %t.b %s >%t.txt
// RUN: FileCheck %s <%t.txt
// REQUIRES: run
#include <tamar.h>

#ifdef OR_EQUAL
#define ABOVE(x) ((x) >= 0)
#else
#define ABOVE(x) ((x) > 0)
#endif

int main(void) {
    int x;
    tamar_symbolic(&x, sizeof x, "x");
    if (ABOVE(x)) {
        // CHECK: tamar: assert: {{.*}}three-paths.c:[[#@LINE+1]]
        if (x == 0) tamar_assert(0);
        return 0;
    }
    if (x < -5) return 1;
    return 2;
}
// CHECK: 4 paths, {{.*}}every path was explored
