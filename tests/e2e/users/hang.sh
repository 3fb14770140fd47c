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
# `tamar exec` runs the command that the summary prints: it ends at the same report, also for a jump back without a line.
# Input is progress, even if it leaves the state as it was.
cat >empty.c <<'E'
#include <stdio.h>
int main(void) {
    volatile int stop = 0;
    int c = getchar();
    while (c == 'x' && !stop) ;
    while (c == 'a') c = getchar();
    for (volatile unsigned i = 0; c == 'y'; i++) ;
    return c == 'b' ? 7 : 0;
}
E
ends() { # STATUS TEXT: standard input is that of exec
    status=0
    timeout 60 $TAMAR_BINARY exec -w --check hang empty.c >log 2>&1 || status=$?
    test $status = "$1" && { [ -z "$2" ] || grep -q "$2" log; } || { cat log; exit 1; }
}
printf x | ends 125 'hang: .*empty.c:5:.* an endless loop: the program comes back to the same state, in main'
printf y | ends 125 'hang: .*empty.c:7:.* no decision and no new code in 100 million instructions, in main'
{ head -c 1000000 /dev/zero | tr '\0' a; printf b; } | ends 7 ''
