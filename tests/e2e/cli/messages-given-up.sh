# Messages about something given up that no other test prints (scripts/check-messages).
# RUN: bash %s %t
# REQUIRES: run
set -u
work=$1 tamar=$TAMAR_BINARY failed=0
rm -rf "$work" && mkdir "$work" && cd "$work"
check() { # STATUS MESSAGE OPTIONS...: runs t.c, which is standard input
    local wanted=$1 message=$2 status=0
    shift 2
    cat >t.c
    "$tamar" run t.c "$@" >out.text 2>&1 </dev/null || status=$?
    [ $status = "$wanted" ] && grep -qF -- "$message" out.text && return
    echo "tamar $*: status $status, not $wanted with: $message"; cat out.text; failed=1
}
check 3 'given up: a timer is set: its signal arrives at one moment of many' <<'C'
#include <unistd.h>
int main(void) { alarm(1); return 0; }
C
check 3 'given up: a timer of processor time is set: it never expires' <<'C'
#include <stddef.h>
#include <sys/time.h>
int main(void) { return setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {1, 0}}, NULL); }
C
check 1 'given up: an access that failed its check: its address was concretized' --sym-stdin 1 --on-bug continue <<'C'
#include <stdio.h>
int main(void) { char b[4] = {0}; int i = getchar(); if (i < 9) return 0; return b[i]; }
C
check 3 'given up: an argument of a native call' --sym-stdin 1 --unmodelled native --allow-undefined <<'C'
#include <stdio.h>
unsigned gnu_dev_minor(unsigned long);
int main(void) { return gnu_dev_minor((unsigned)getchar()) == 3; }
C
check 0 'slower: a long block of symbolic length: the path forks on each length' --sym-stdin 2 <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
int main(void) {
    int n = getchar();
    char *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (n != 1 && n != 2) return 0;
    mprotect(p + 2 * 4096, 4096, PROT_READ);
    memset(p, 1, (size_t)n * 2500);
    return p[4999];
}
C
exit $failed
