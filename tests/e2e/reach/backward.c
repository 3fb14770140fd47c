// The backward search begins at `last`, with any list, text and globals, continues with its callers (also through qsort
// and a function pointer), and ends with an input from main that reaches the line natively. Speculative states do not
// count: null pointers that no caller passes are not bugs, and their lines are not covered.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for s in 'ccbse(rp)' 'ccbse(sdse)' 'ccbse(bfs)' 'ccbse(pending(rp))' 'batch(ccbse(rp))'; do rm -rf %t/o; %tamar reach backward.c:29 %s --sym-arg 3 --out %t/o --search "$s" | FileCheck %s || exit 1; python3 %S/../search/Inputs/summary %t/o 'len(bugs) == 0' 'paths.joined > 0' || exit 1; done
// RUN: for s in 'mix(klee)' 'mix(dfs,10)' 'pending(ccbse(rp))' 'rr(ccbse(sdse),rp)'; do rm -rf %t/o; %tamar reach backward.c:29 %s --sym-arg 3 --out %t/o --search "$s" | FileCheck %s || exit 1; python3 %S/../search/Inputs/summary %t/o 'len(bugs) == 0' || exit 1; done
// CHECK: reached {{.*}}backward.c:29 test {{.*}}, and natively
//
// The same seed gives the same run.
// RUN: for i in 1 2; do %tamar reach backward.c:29 %s --sym-arg 3 --no-prove -q --out %t/s$i --search 'mix(rp)' --random-seed 7 --json | python3 -c 'import json,sys; d = json.load(sys.stdin); print(d["instructions"], d["forks"], d["paths"])' >%t/s$i.txt || exit 1; done; cmp %t/s1.txt %t/s2.txt
//
// No input leads to line 31, although the function alone reaches it: every path from main was explored. Coverage by
// speculative states does not count.
// RUN: for s in 'ccbse(rp)' 'mix(rp)'; do rm -rf %t/n; status 1 %tamar reach backward.c:31 %s --sym-arg 3 --no-prove -q --out %t/n --search "$s" || exit 1; python3 %S/../search/Inputs/summary %t/n 'len(bugs) == 0' "paths.partial > 0 or 'mix' in '$s'" || exit 1; not grep -q 'DA:31,1' %t/n/coverage.info || exit 1; done
// RUN: rm -rf %t/r; %tamar run --target backward.c:29 --target backward.c:31 %s --sym-arg 3 -q --out %t/r --search 'ccbse(rp)' >/dev/null; python3 %S/../search/Inputs/summary %t/r complete 'targets[0].reached and not targets[1].reached' 'len(bugs) == 0'
// REQUIRES: reach, replay
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *text;
};
static int armed, never;

static int last(struct node *list, int (*order)(const void *, const void *)) {
    if (!armed || !list->next) return 0;
    if (list->next->text[0] == 'x' && list->text[1] == 'y')
        return 1; // the line
    if (never)
        return 2;
    return order(list, list);
}

static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

static char *kept;
static int through_sort(const void *a, const void *b) {
    struct node second = {NULL, kept}, first = {&second, (char *)a};
    return last(&first, compare) - *(const char *)b;
}

static void sorted(char *text) {
    char pairs[2][2];
    kept = text + 2;
    memcpy(pairs[0], text, 2);
    memcpy(pairs[1], text + 1, 2);
    qsort(pairs, 2, 2, through_sort);
}

int main(int argc, char **argv) {
    if (argc < 2 || strlen(argv[1]) < 3) return 1;
    armed = argv[1][0] == 'q';
    void (*volatile by_pointer)(char *) = sorted;
    by_pointer(argv[1]);
    return 0;
}
