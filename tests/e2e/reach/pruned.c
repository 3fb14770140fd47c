// Paths that lead to no target end early: the run is not complete and proves nothing else, but the verdict holds.
// RUN: rm -rf %t.a %t.b && status 1 %tamar reach pruned.c:22 %s --sym-stdin 1..1 --out %t.a | FileCheck %s
// RUN: python3 -c 'import json,sys; s = json.load(open(sys.argv[1])); assert not s["complete"] and not s["assertions"]["proved"] and s["end"] != "every path was explored", s' %t.a/summary.json
// RUN: %tamar reach pruned.c:18 %s --sym-stdin 1..1 --out %t.b | FileCheck --check-prefix=FIRST %s
// RUN: python3 -c 'import json,sys; s = json.load(open(sys.argv[1])); assert not s["complete"], s' %t.b/summary.json
// REQUIRES: reach
// CHECK: unreachable {{.*}}pruned.c:22
// FIRST: reached {{.*}}pruned.c:18
#include <stdio.h>
#include <tamar.h>

static int half(int c) {
    tamar_assert(c != 'x'); // fails on a path that leads to no target
    return c / 2;
}

int main(void) {
    int c = getchar();
    if (c == 'a') {
        half(c);
        if (c == 'b')
            puts("never");
        return 1;
    }
    return half(c);
}
