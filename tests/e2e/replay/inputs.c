// Every kind of symbolic input reaches the native program: arguments, standard input of any length, files, variables,
// and objects, also two of the same name and one with a hostile name.
// RUN: rm -rf %t && mkdir %t && cd %t && %tamar run %s --sym-arg 1 --sym-stdin 0..2 --sym-env COLOUR=1 --emit all -q >/dev/null
// RUN: cd %t && %tamar replay tamar-last | FileCheck %s
// REQUIRES: run, replay
// CHECK-NOT: DIFFERS
// CHECK-NOT: ANOTHER PATH
// CHECK-COUNT-12: the same
// CHECK: as predicted
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tamar.h>

int main(int argc, char **argv) {
    int result = 0;
    unsigned char x, y;
    if (argc == 2 && argv[1][0] == 'q') result |= 1;
    int c, count = 0;
    while ((c = getchar()) != EOF) count++;
    result |= count << 1;
    const char *colour = getenv("COLOUR");
    if (colour && colour[0] == 'r') result |= 8;
    if (result == 13) {
        tamar_symbolic(&x, 1, "../x");
        tamar_symbolic(&y, 1, "../x");
        if (x == 200 && y == 100) result = 99;
    }
    return result;
}
