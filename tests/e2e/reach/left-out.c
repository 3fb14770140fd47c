// The condition before a target is called infeasible only if the solver refuted it: not if the solver gave no answer
// (here only its layer `model` is on), nor if that side is still pending at the end or is not explored.
// RUN: rm -rf %t && mkdir %t && cd %t && status 3 %tamar reach left-out.c:20 %s --sym-stdin 3 --layers model --out unknown | FileCheck --check-prefix=OPEN %s
// RUN: cd %t && status 3 %tamar reach left-out.c:20 %s --sym-stdin 3 --feasibility pending --layers model --out waited | FileCheck --check-prefix=OPEN %s
// RUN: cd %t && status 3 %tamar reach left-out.c:20 %s --sym-stdin 3 --feasibility pending --max-paths 1 --search dfs --out waits | FileCheck --check-prefix=OPEN %s
// RUN: cd %t && status 3 %tamar run -q --target left-out.c:23 %s --sym-stdin 3 --feasibility pending --max-paths 1 --search dfs --out one | FileCheck --check-prefix=ONE %s
// RUN: cd %t && status 1 %tamar reach left-out.c:23 %s --sym-stdin 3 --out none | FileCheck --check-prefix=NONE %s
// RUN: cd %t && status 1 %tamar reach left-out.c:23 %s --sym-stdin 3 --feasibility pending --out pending | FileCheck --check-prefix=NONE %s
// OPEN: not found {{.*}}left-out.c:20 {{.*}} at {{.*}}left-out.c:19:{{[0-9]+}} in main, the condition{{.*}} leads to it, but no path took that side
// ONE: not found {{.*}}left-out.c:23
// ONE-NOT: never satisfiable
// NONE: unreachable {{.*}}left-out.c:23 every path {{.*}} at {{.*}}left-out.c:22:{{[0-9]+}} in main, the condition to reach it was never satisfiable: {{.*}}stdin:[2]
#include <stdio.h>

int main(void) {
    unsigned a = (unsigned)getchar() & 255, b = (unsigned)getchar() & 255;
    int c = getchar();
    // Some inputs make it true.
    if (a * b * 7u + (a ^ b) == 12297) {
        puts("found");
    }
    if (c == 'x' && c + 1 == 'z') {
        puts("none");
    }
    return 0;
}
