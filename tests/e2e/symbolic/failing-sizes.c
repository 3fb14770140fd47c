// Allocations of symbolic size that fail, when --fail asks for it: a path for each of malloc, realloc and mmap.
// RUN: rm -rf %t && %tamar run --fail 1 --emit all --out %t %s | FileCheck %s
// RUN: cat %t/tests/*.json | grep exit_status | sort | uniq -c | FileCheck %s --check-prefix=ENDS
// REQUIRES: run
#include <stdlib.h>
#include <sys/mman.h>
#include <tamar.h>
int main(void) {
    unsigned n = (unsigned)tamar_int("n");
    if (n < 1 || n > 1u << 28) return 9;
    int *p = malloc(n * sizeof *p);
    if (!p) return 1;
    p[n - 1] = 4;
    int *q = realloc(p, 2ul * n * sizeof *q);
    if (!q) {
        int r = p[n - 1];
        free(p);
        tamar_assert(r == 4);
        return 2;
    }
    char *m = mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m == MAP_FAILED) return 3;
    m[n / 2] = 1;
    return q[n - 1] == 4 ? 0 : 4;
}
// CHECK: 6 paths, {{.*}}every path was explored
// CHECK: assertions: 1 proved, 0 failed
// ENDS: 1 {{ *}}"exit_status": 0,
// ENDS: 1 {{ *}}"exit_status": 1,
// ENDS: 1 {{ *}}"exit_status": 2,
// ENDS: 1 {{ *}}"exit_status": 3,
// ENDS: 2 {{ *}}"exit_status": 9,
