// Six bytes of standard input, read through the C library: finds the one assignment that overruns the buffer.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --sym-stdin 6 --out %t.out %s | FileCheck %s
// REQUIRES: run
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[32];
    if (!fgets(line, sizeof line, stdin)) return 1;
    char *equals = strchr(line, '=');
    if (!equals) return 2;
    *equals = 0;
    int value = atoi(equals + 1);
    if (strcmp(line, "n")) return 3;
    if (value != 42) return 4;
    char *buffer = malloc(4);
    // CHECK: tamar: out-of-bounds: {{.*}}stdin-parser.c:[[#@LINE+1]]
    buffer[value - 38] = 1;
    // CHECK: just after the end of a heap object of 4 bytes
    return 0;
}
// CHECK: every path was explored
