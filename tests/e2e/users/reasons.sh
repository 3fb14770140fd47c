# The reasons for uncovered code are true: programs in which the reason is known (GAP comments), one kind after another.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >calls.c <<'E'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
static int mode(int x) { return x > 100 ? -1 : 0; }
int main(void) {
    struct stat found;
    char *p = malloc(4);
    if (!p) return 4; // GAP failure
    if (mode(3) < 0) return 5; // GAP more-input
    if (open("data", O_RDONLY) >= 0) return 6; // GAP success
    if (stat("data", &found) == 0) return 7; // GAP success
    if (mkdir("new", 0700) < 0) return 8; // GAP failure
    FILE *file = fopen("data", "r");
    if (file) return 9; // GAP success
    p[0] = (char)getchar();
    return p[0];
}
E
cat >longer.c <<'E'
#include <stdio.h>
int main(void) {
    int n = 0;
    while (getchar() != EOF) n++;
    if (n == 20) return 3; // GAP more-input
    return 0;
}
E
cat >refuted.c <<'E'
#include <stdio.h>
int main(void) {
    int c = getchar();
    if (c > 10 && c < 200)
        if (c < 5) return 3; // GAP infeasible
    switch (c) { // GAP infeasible
    case 'a': return 1;
    case 300: return 2;
    }
    return 0;
}
E
cat >limit.c <<'E'
#include <stdio.h>
static int late(int c) { return c == 'q' ? 9 : 3; } // GAP not-tried
int main(void) {
    char b[6];
    int n = (int)fread(b, 1, 6, stdin), depth = 0;
    for (int i = 0; i < n; i++) depth += b[i] == '(';
    if (depth == 5) return late(b[0]);
    return 0;
}
E
cat >lost.c <<'E'
#include <pthread.h>
#include <stdio.h>
static int shared;
static void *work(void *a) { shared = 1; return a; }
int main(void) {
    pthread_t thread;
    int c = getchar(), status = pthread_create(&thread, 0, work, 0), seen = shared;
    if (seen) puts("late"); // GAP undecided
    if (c > 10)
        if (c < 5) return 4; // GAP refuted
    pthread_join(thread, 0);
    return status;
}
E
cat >ended.c <<'E'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf before;
static void usage(void) { puts("usage"); exit(1); }
static void leave(void) { longjmp(before, 1); }
int main(void) {
    int c = getchar(), *p = 0;
    if (c == 'x') {
        *p = 3;
        puts("after a bug"); // GAP ended
        puts("later");
    }
    if (c == 'u') {
        usage();
        puts("after an exit"); // GAP ended
    }
    if (c == 'j' && !setjmp(before)) {
        leave();
        puts("after a jump"); // GAP ended
    }
    return 0;
}
E
cat >called.c <<'E'
#include <assert.h>
#include <stdio.h>
int unlinked(int x) { return x ? 3 : 4; }
static int refers(int x) { return x + 1; } // GAP not-called
static int (*volatile table[])(int) = {refers};
int main(void) {
    int c = getchar() & 7;
    assert(c < 8); // GAP assertion
    return table[0] == 0;
}
E
check() { # STATUS NAME OPTION...: the reasons of a run are those of the comments
    local wanted=$1 name=$2 status=0
    shift 2
    "$TAMAR_BINARY" run $name.c "$@" --out $name >log 2>&1 || status=$?
    test $status = $wanted || { cat log; exit 1; }
    python3 - $name <<'E'
import json, re, sys
name = sys.argv[1]
wanted = {(number, found[1]) for number, line in enumerate(open(name + ".c"), 1) if (found := re.search(r"// GAP (\S+)$", line))}
coverage, summary = (json.load(open(f"{name}/{file}.json")) for file in ("coverage", "summary"))
gaps = {(gap["line"], gap["reason"]) for gap in coverage["gaps"]}
assert gaps == wanted, (name, gaps ^ wanted)
assert sum(summary["not_covered"].values()) == len(coverage["gaps"]), summary["not_covered"]
E
}
check 0 calls --sym-stdin 1
check 0 longer --sym-stdin 2
check 0 refuted --sym-stdin 1
check 3 limit --sym-stdin 6 --max-paths 1 --search dfs
check 3 lost --sym-stdin 1
check 1 ended --sym-stdin 1
grep -q 'ended.c:11 never executed' log
check 0 called --sym-stdin 1
grep -q 'not counted: 1 function that nothing refers to' log
