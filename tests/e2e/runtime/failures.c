// Each call that can fail does so in each of its ways, as a path: malloc (1), open (3: EACCES, EMFILE, ENFILE),
// read (1: EIO), the second malloc (1, the bug), and the path without any failure: 7 paths.
// RUN: rm -rf %t.out %t.two && status 1 %tamar run --fail 1 --emit all --out %t.out %s | FileCheck %s
// CHECK: tamar: null: {{.*}}failures.c
// CHECK: 7 paths, 7 tests; every path was explored
// Only the exact build has failing calls, and it alone does not confirm a bug.
// RUN: status 1 %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REPLAY: 7 tests, 7 as predicted; 0 of 1 that show a bug confirmed, 1 by the exact build alone
// The failed call is named where the bug, a test or its file is shown.
// RUN: cat %t.out/bugs/null-*.txt | FileCheck --check-prefix=REPORT %s
// REPORT: what happened on the way:
// REPORT-NEXT: malloc returned NULL (ENOMEM), at {{.*}}failures.c:[[@LINE+38]] in main
// RUN: cat %t.out/tests/*.json | FileCheck --check-prefix=EVENTS %s
// EVENTS-DAG: "malloc returned NULL (ENOMEM), at {{.*}}failures.c:[[@LINE+28]] in main"
// EVENTS-DAG: "open failed with EMFILE, at {{.*}}failures.c:[[@LINE+29]] in main"
// EVENTS-DAG: "read failed with EIO, at {{.*}}failures.c:[[@LINE+30]] in main"
// RUN: for test in %t.out/tests/*.json; do %tamar show $test; done | FileCheck --check-prefix=SHOW %s
// SHOW-DAG: open failed with EACCES, at
// Two failures: the repeated read fails as well: 1 more path. A handler makes EINTR possible: with -DHANDLER, open and
// read each have one more way to fail.
// RUN: status 1 %tamar run --fail 2 --emit all --out %t.two %s | FileCheck --check-prefix=TWO %s
// RUN: status 1 %tamar replay %t.two | FileCheck --check-prefix=TWO-REPLAY %s
// TWO: 8 paths, 8 tests; every path was explored
// TWO-REPLAY: 8 tests, 8 as predicted
// RUN: rm -rf %t.eintr && status 1 %tamar run -DHANDLER --fail 1 --emit all --out %t.eintr %s | FileCheck --check-prefix=EINTR %s
// EINTR: 9 paths, 9 tests; every path was explored
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef HANDLER
static void handle(int signal) {}
#endif

int main(void) {
#ifdef HANDLER
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
#endif
    char *text = malloc(10), byte;
    if (!text) return 1;
    int fd = open("/dev/null", O_RDONLY);
    if (fd < 0) return 2;
    if (read(fd, &byte, 1) < 0) {
        if (errno != EIO && errno != EINTR) return 5;
        return read(fd, &byte, 1) < 0 ? 3 : 4;
    }
    int *number = malloc(sizeof *number);
    *number = 1;
    return 0;
}
