// Assertions are counted by location: proved if every path was explored and no value fails on any of them, failed if
// some value fails, not at all if its condition is never evaluated. If something was given up, the run is not complete, even if no path is left.
// RUN: rm -rf %t.a %t.b
// RUN: status 1 %tamar run --out %t.a %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: grep '"complete": *true' %t.a/summary.json
// RUN: status 1 %tamar run -DUNKNOWN --out %t.b %s >%t.txt
// RUN: FileCheck %s --check-prefix=GAVE-UP <%t.txt
// RUN: grep '"complete": *false' %t.b/summary.json
// REQUIRES: run
#include <assert.h>
#include <stdlib.h>
#include <tamar.h>

static int twice(int x) {
    assert(x >= 0); // reached by every path, never false: proved, once
    return 2 * x;
}

int main(void) {
    int x;
    tamar_symbolic(&x, sizeof x, "x");
    if (x < 0) {
        if (x == -7) tamar_assert(x == 7); // fails
        return 1;
    }
    if (x > 1000) return 2;
    tamar_assert(twice(x) >= x); // proved
    assert(x < 1001 || x == 7);  // proved, though its second half is never evaluated
    if (x == 2000) assert(0);    // not counted: no value comes there
    if (x == 3000) {
        x++;
        tamar_assert(0); // not counted
        tamar_assert(x); // not counted
    }
#ifdef UNKNOWN
    unsigned long size;
    tamar_symbolic(&size, sizeof size, "size");
    if (size >> 32 == 1) free(malloc(size)); // gets one size
#endif
    return x == 3 ? twice(x) : 0;
}
// CHECK: 5 paths, {{.*}}; every path was explored{{$}}
// CHECK: assertions: 3 proved, 1 failed
// GAVE-UP: tests; every path was explored except what was given up
// GAVE-UP-NOT: ended by
// GAVE-UP: assertions: 0 proved, 1 failed, 3 open
// GAVE-UP: given up: malloc of a large symbolic size: it got one value
