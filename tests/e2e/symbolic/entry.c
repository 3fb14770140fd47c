// --entry calls a function with every argument that a caller could pass, and no other.
// RUN: rm -rf %t && mkdir %t && cd %t && status 1 %tamar run --entry scale %s --out scale | FileCheck --check-prefix=SCALE %s
// RUN: cd %t && %tamar run --entry third %s --out third | FileCheck --check-prefix=NONE %s
// RUN: cd %t && status 1 %tamar run --entry third --entry-size 2 %s --out third-2 | FileCheck --check-prefix=THIRD %s
// RUN: cd %t && status 1 %tamar run --entry third --entry-null %s --out third-null | FileCheck --check-prefix=NULL %s
// RUN: cd %t && status 1 %tamar run --entry walk %s --out walk | FileCheck --check-prefix=WALK %s
// RUN: cd %t && %tamar run --entry walk --entry-depth 1 %s --out walk-1 | FileCheck --check-prefix=NONE %s
// RUN: cd %t && %tamar run --entry same %s --out same | FileCheck --check-prefix=NONE %s
// RUN: cd %t && status 1 %tamar run --entry uses_global --sym-global level %s --out global -q 2>&1 | FileCheck --check-prefix=GLOBAL %s
// RUN: cd %t && %tamar run --entry uses_global %s --out global-0 | FileCheck --check-prefix=NONE %s
// RUN: cd %t && %tamar reach entry.c:54 %s --entry walk --out line -q
// RUN: cd %t && grep -v '^int main' %s >library.c && status 1 %tamar run --entry scale library.c -q --out library >/dev/null
// RUN: cd %t && for f in eager pending; do status 1 %tamar run --entry third --entry-null %s --feasibility $f -q --out third.$f && python3 %S/../search/Inputs/summary third.$f 'paths.completed + paths.errors == 2' complete || exit 1; done
// RUN: cd %t && status 2 %tamar run --entry thirt %s 2>%t.text; FileCheck --check-prefix=NOTHING --input-file %t.text %s
// RUN: cd %t && status 2 %tamar run --entry prints %s 2>%t.text; FileCheck --check-prefix=VALIST --input-file %t.text %s
// RUN: cd %t && status 2 %tamar run --entry calls %s 2>%t.text; FileCheck --check-prefix=BYVALUE --input-file %t.text %s
// RUN: cd %t && status 2 %tamar run --entry scale --sym-global levle %s 2>%t.text; FileCheck --check-prefix=VARIABLE --input-file %t.text %s
// RUN: cd %t && status 2 %tamar run --sym-global level %s 2>%t.text; FileCheck --check-prefix=ALONE --input-file %t.text %s
// RUN: cd %t && status 2 %tamar run --entry third --entry-length p %s 2>%t.text; FileCheck --check-prefix=LENGTH --input-file %t.text %s
// RUN: cd %t && status 2 %tamar run --entry third --entry-length q=3 %s 2>%t.text; FileCheck --check-prefix=POINTER --input-file %t.text %s
// RUN: cd %t && status 2 %tamar run --entry scale --entry-length a=b %s 2>%t.text; FileCheck --check-prefix=NOT-POINTER --input-file %t.text %s
// RUN: cd %t && %tamar run --entry third --entry-length p=3 %s --out third-3 -q && status 1 %tamar run --entry third --entry-length p=2 %s --out third-4 -q >/dev/null
// REQUIRES: run, reach
// SCALE: div-by-zero
// SCALE: 3 paths, 3 tests; every path was explored
// NONE: no bug found
// NONE: every path was explored
// THIRD: out-of-bounds {{.*}}in third
// NULL: null {{.*}}in third
// WALK: assert {{.*}}entry.c:54
// WALK: every path was explored
// GLOBAL: level="\a\000\000\000"
// NOTHING: --entry: the program has no function "thirt"
// NOTHING: Did you mean third?
// VALIST: prints: cannot be called: a va_list
// VALIST: harness
// BYVALUE: calls: cannot be called: it needs a function that takes or returns a structure by value
// VARIABLE: --sym-global: the program has no such variable: levle
// VARIABLE: Did you mean level?
// ALONE: --sym-global: there is no --entry
// LENGTH: --entry-length: 'p' does not say
// POINTER: --entry-length: q=3: no such parameter
// NOT-POINTER: --entry-length: a=b: not such a pointer
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct node {
    int value;
    struct node *next;
    const char *name;
};
int walk(struct node *head, unsigned n) { int total = 0; for (struct node *p = head; p && n; p = p->next, n--) { total += p->value; if (p->name[0] == 'x' && p->next && p->next->value == 77) assert(p->value != 5); } return total; }

int scale(int a, short b) { return a == 1000 && b == -3 ? a / (b + 3) : 0; }

static int third(const int *p) { return p[2]; } // nothing calls it

// Both reads of the pointer give the same object.
int same(struct node *p) {
    if (!p->next) return 0;
    struct node *copy = p->next;
    copy->value = 3;
    assert(p->next->value == 3 && p->next == copy);
    return 1;
}

static int level = 3;
int uses_global(int x) {
    assert(level != 7);
    return x + level;
}

void prints(const char *format, va_list list) { vprintf(format, list); }

struct pair {
    long a, b;
};
int calls(int (*function)(struct pair)) { return function((struct pair){1, 2}); }

int main(void) { return scale(1, 2) + walk(NULL, 0) + uses_global(3); }
