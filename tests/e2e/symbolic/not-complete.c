// A run that did not explore everything never claims that it did: one schedule of threads, a limit of the system's
// model, assumptions that no input satisfies.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && status 3 %tamar run --sym-stdin 1 -DTHREADS %s | FileCheck --check-prefix=THREADS %s
// RUN: cd %t && status 3 %tamar run --sym-stdin 1 -DPROCESSES %s | FileCheck --check-prefix=PROCESSES %s
// RUN: cd %t && status 3 %tamar run --sym-stdin 1 -DTRUNCATE %s | FileCheck --check-prefix=TRUNCATE %s
// RUN: cd %t && status 3 %tamar run --sym-stdin 1 -DCONTRADICTION %s | FileCheck --check-prefix=CONTRADICTION %s
// RUN: cd %t && grep '"complete": false' tamar-out-*/summary.json | count 4
// RUN: cd %t && grep '"lost": true' tamar-out-*/summary.json | count 5
// REQUIRES: run
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <tamar.h>
#include <unistd.h>

#ifdef THREADS
static void *add(void *p) { return ++*(int *)p, NULL; }
static void *square(void *p) { return *(int *)p *= *(int *)p, NULL; }

int main(void) {
    int value = getchar() & 7;
    pthread_t a, b;
    pthread_create(&a, NULL, add, &value);
    pthread_create(&b, NULL, square, &value);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return value == 50; // only if the square comes first
}
// THREADS: every path was explored except what was given up
// THREADS: given up: a thread is started: one schedule of several is explored at {{.*}}not-complete.c
#elif defined PROCESSES
int main(void) {
    if (!fork()) return 0;
    wait(NULL);
    return 0;
}
// PROCESSES: given up: a process is started
#elif defined TRUNCATE
int main(void) {
    int fd = open("large", O_RDWR | O_CREAT, 0600);
    return ftruncate(fd, 300 << 20) ? 1 : 0;
}
// TRUNCATE: given up: a file larger than 256 MB
#else
int main(void) {
    int c = getchar();
    tamar_assume(c == 3);
    tamar_assume(c == 4);
    tamar_assert(c == 5);
    return 0;
}
// CONTRADICTION: given up: no input satisfies the assumptions
#endif
