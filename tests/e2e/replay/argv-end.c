// A program may overwrite the null pointer at the end of argv (paste does): the sanitizer still reports the location.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --sym-arg 1 --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: out-of-bounds: {{.*}}argv-end.c:[[#@LINE+7]]
// REPLAY: 1 of 1 that show a bug confirmed
#include <stdlib.h>

int main(int argc, char **argv) {
    argv[argc] = "-";
    char *block = malloc(4);
    if (argv[1][0] == 'x') block[4] = 1;
    free(block);
    return 0;
}
