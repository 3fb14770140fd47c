// RUN: status 42 %tamar exec %s -- 42
// RUN: status 255 %tamar exec %s -- -1
// RUN: status 0 %tamar exec %s -- 256
// RUN: status 7 %tamar exec %s -- 7 >%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <stdio.h>
#include <stdlib.h>

static void at_the_end(void) { puts("at the end"); }

static void nested(int depth, int status) {
    if (depth == 0) exit(status);
    nested(depth - 1, status);
}

int main(int argc, char **argv) {
    atexit(at_the_end);
    printf("no newline yet"); // flushed by exit
    nested(5, atoi(argv[1]));
}
// CHECK: no newline yetat the end
