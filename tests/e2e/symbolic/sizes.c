// Allocations of symbolic sizes up to gigabytes: one object with a symbolic bound; only accessed parts take memory.
// RUN: rm -rf %t.a %t.b %t.c
// RUN: %tamar run --max-memory 300 --sym-stdin 8 --out %t.a %s | FileCheck %s
// RUN: %tamar replay %t.a | grep "tests, 4 as predicted"
// RUN: status 3 %tamar run --sym-stdin 8 -DUNSET --out %t.b %s | FileCheck %s --check-prefix=UNSET
// RUN: status 1 %tamar run --sym-stdin 8 -DUNSET --check uninit --out %t.c %s | FileCheck %s --check-prefix=CHECKED
// REQUIRES: run
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

struct point {
    int x;
    short y;
    char name[10];
};

int main(void) {
    unsigned n, at;
    if (read(0, &n, 4) != 4 || read(0, &at, 4) != 4) return 1;
    if (n < 6 || n > 1u << 29) return 2;
    int *a = malloc(n * sizeof *a);
#ifdef UNSET
    a[0] = 7;
    // UNSET: given up: a branch depends on a value that was never set: only 0 was tried at {{.*}}sizes.c:[[#@LINE+2]]
    // CHECKED: uninitialised: {{.*}}sizes.c:[[#@LINE+1]]
    if (at < n && a[at] == 7) return 4;
#else
    struct point *points = calloc(n / 2, sizeof *points);
    if (!a || !points) return 3;
    a[at % n] = 5;
    a[n - 1] = 9;
    assert(a[at % n] == (at % n == n - 1 ? 9 : 5)); // a remainder is below its divisor
    points[n / 3].x = 1;
    points[at % (n / 2)].y = 2;
    assert(points[n / 3].x == 1 && points[0].name[3] == 0);
    if (points[n / 3].y != 2) assert(at % (n / 2) != n / 3);
    free(a);
    free(points);
#endif
    return 0;
}
// CHECK: no bug found
// CHECK: every path was explored{{$}}
// CHECK: assertions: 3 proved, 0 failed
