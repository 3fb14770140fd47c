# Endless loops: a state that repeats itself, and many instructions without progress; native time-outs confirm them.
# RUN: bash %s %t
# REQUIRES: run, replay
set -eu
work=$1
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >loops.c <<'E'
#include <stdio.h>
static int inner(int i) { return i & 1; }
int main(void) {
    int c = getchar();
    if (c == 'x') for (int i = 0;; i = inner(i)) ;
    if (c == 'y') for (volatile unsigned i = 0;; i++) ;
    unsigned sum = 0;
    for (unsigned i = 0; i < 2000000; i++) sum += i; // long, but it ends
    return sum == 7;
}
E
status=0
$TAMAR_BINARY run loops.c --sym-stdin 1 --check hang --out out >log || status=$?
test $status = 1 || { cat log; exit 1; }
grep -q '^2 bugs' log
grep -q 'hang  loops.c:5  an endless loop: the program comes back to the same state, in ' log
grep -q 'hang  loops.c:6  no decision and no new code in 100 million instructions, in main' log
# A loop whose condition is symbolic but decided by the path.
cat >decided.c <<'E'
#include <stdio.h>
int main(void) {
    volatile int go = getchar() != 'x';
    while (go) continue;
    return 0;
}
E
status=0
$TAMAR_BINARY run decided.c --sym-stdin 1 --check hang --max-time 30 --out decided >log || status=$?
test $status = 1 || { cat log; exit 1; }
grep -q 'hang  decided.c:4  an endless loop: the program comes back to the same state, in main' log || { cat log; exit 1; }
$TAMAR_BINARY replay out --max-time 5 >log || { cat log; exit 1; }
grep -q '2 of 2 that show a bug confirmed' log
