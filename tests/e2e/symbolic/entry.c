// --entry: a function on its own. Scalars are symbolic; a pointer is null, or points to a fresh object of its type (one
// element, or the start of eight, where that is no struct), and so do the pointers in there, when they are read.
// RUN: rm -rf %t && mkdir %t && cd %t && status 1 %tamar run --entry scale %s --out scale | FileCheck --check-prefix=SCALE %s
// RUN: cd %t && status 1 %tamar run --entry third %s --out third | FileCheck --check-prefix=THIRD %s
// RUN: cd %t && status 1 %tamar run --entry walk %s --max-instructions 300000 --out walk | FileCheck --check-prefix=WALK %s
// RUN: cd %t && %tamar run --entry same %s --out same | FileCheck --check-prefix=SAME %s
// RUN: cd %t && status 2 %tamar run --entry nothing %s 2>%t.text; FileCheck --check-prefix=NOTHING --input-file %t.text %s
// RUN: cd %t && %tamar reach entry.c:41 %s --entry walk --out line --no-prove -q
// RUN: cd %t && status 2 %tamar replay scale 2>%t.text; FileCheck --check-prefix=REPLAY --input-file %t.text %s
// RUN: cd %t && grep -v '^int main' %s >library.c && status 1 %tamar run --entry scale library.c -q --out library >/dev/null
// RUN: cd %t && for f in eager pending; do status 1 %tamar run --entry third %s --feasibility $f -q --out third.$f && python3 %S/../search/Inputs/summary third.$f 'paths.completed + paths.errors == 3' complete || exit 1; done
// REQUIRES: run, reach
// SCALE: div-by-zero
// SCALE: 3 paths, 3 tests; every path was explored
// THIRD-DAG: null {{.*}}in third
// THIRD-DAG: out-of-bounds {{.*}}in third
// THIRD: every path was explored
// WALK: assert {{.*}}entry.c:41
// SAME: no bug found
// SAME: every path was explored
// NOTHING: the program has no function "nothing"
// REPLAY: begins at a function of its own
#include <assert.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
    const char *name;
};

int scale(int a, short b) { return a == 1000 && b == -3 ? a / (b + 3) : 0; }

static int third(const int *p) { return p[2]; } // null, one element, or eight

int walk(struct node *head, unsigned n) {
    int total = 0;
    for (struct node *p = head; p && n; p = p->next, n--) {
        total += p->value;
        if (p->name && p->name[0] == 'x' && p->next && p->next->value == 77)
            assert(p->value != 5);
    }
    return total;
}

// Both reads of the pointer give the same object.
int same(struct node *p) {
    if (!p || !p->next) return 0;
    struct node *copy = p->next;
    copy->value = 3;
    assert(p->next->value == 3 && p->next == copy);
    return 1;
}

int main(void) { return third(&(int[]){1, 2, 3}[0]) + scale(1, 2) + walk(NULL, 0) + same(NULL); }
