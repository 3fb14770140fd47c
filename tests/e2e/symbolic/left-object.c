// A symbolic index is checked against the object from which its pointer was computed, however far it goes and whatever
// the path has excluded before.
// RUN: rm -rf %t.*
// RUN: not %tamar run %s --sym-stdin 2 --out %t.out >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: not %tamar run %s --sym-stdin 2 --relax-checks --feasibility pending --out %t.relaxed >%t.txt
// RUN: FileCheck %s <%t.txt
#include <stdio.h>
#include <string.h>

static int names[8] = {1, 2, 3, 4, 5, 6, 7, 8}, counts[16], others[200];
static unsigned char line[8], lines[4096];

__attribute__((noinline)) static int look(const int *p, int i) { return p[i]; }

int main(void) {
    int k = getchar(), kind = getchar();
    memset(others, 1, sizeof others);
    memset(lines, 2, sizeof lines);
    int *p = counts;
    unsigned char *to = line;
    if (k < 0) return 0;
    switch (kind) {
    case 'a':
        if (k < 24 || k > 27) return 0;
        return look(names, k);
    case 'b':
        if (k < 100 || k > 200) return 0;
        p[k]++;
        printf("%d\n", p[k]);
        return 1;
    case 'c':
        p += k; // in the object for k < 16
        p += 10;
        return p[-10];
    case 'd': {
        int *kept[2] = {p - 1000 + k, p};
        return kept[0][1000];
    }
    case 'e': memset(to + 16 * k, 0, 4); return 2; // good for 0
    case 'f': return k == 13 ? look(names, k) : 0;
    }
    return 0;
}
// CHECK-NOT: in printf
// CHECK: 5 bugs
// CHECK-DAG: bytes after the end of the global `names` of 32 bytes
// CHECK-DAG: 336 bytes after the end of the global `counts` of 64 bytes
// CHECK-DAG: just after the end of the global `counts` of 64 bytes
// CHECK-DAG: bytes after the end of the global `line` of 8 bytes
// CHECK: every path was explored
