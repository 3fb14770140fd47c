// Runs that lose paths, for every reason: not complete, status 3, with a message. No code is infeasible, no assertion
// proved, no target of `tamar reach` unreachable, no coverage of `tamar config` guaranteed.
// RUN: rm -rf %t && mkdir %t
// RUN: cd %t && for how in THREADS TIMER PROCESSOR PROCESS UNDEFINED ONE_VALUE UNSET; do python3 %S/Inputs/lost-paths.py %tamar %s $how || exit 1; done
// RUN: cd %t && for how in "--max-paths 1" "--max-depth 1" "--max-tests 1" "--max-forks 1" "--max-instructions 1" "--feasibility pending --max-paths 1" \
// RUN:     "--relax-checks --max-paths 1"; do python3 %S/Inputs/lost-paths.py %tamar %s LIMIT $how || exit 1; done
// Without any of these the same program is explored completely, and the same line is unreachable.
// RUN: cd %t && python3 %S/Inputs/lost-paths.py %tamar %s NOTHING
// REQUIRES: run, reach, config
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <tamar.h>

int option;
static volatile int shared;
static void *add(void *p) {
    shared += 5;
    return p;
}
int unknown(int);

int main(void) {
    int c = getchar(), lost = 0;
#ifdef THREADS
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    lost = shared == 5;
    pthread_join(t, NULL);
#endif
#ifdef TIMER
    alarm(1);
#endif
#ifdef PROCESSOR
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {1, 0}}, NULL);
#endif
#ifdef PROCESS
    if (fork() == 0) _exit(0);
    lost = waitpid(-1, NULL, WNOHANG) > 0;
#endif
#ifdef UNDEFINED
    if (c == 'u') lost = unknown(c);
#endif
#ifdef ONE_VALUE
    unsigned long size;
    tamar_symbolic(&size, sizeof size, "size");
    if (size >> 32 == 1) free(malloc(size)); // gets one size
#endif
#ifdef UNSET
    char *p = malloc(4);
    if (p[2] == 9) lost = 1;
#endif
    if (c == 'p' || c == 'q') lost |= c == 'r';
    if (option && c == 'x') return 3;
    if (c > 300 && lost) {
        shared = 2; // TARGET
    }
    tamar_assert(c < 300);
    return 0;
}
