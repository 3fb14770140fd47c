// A write through a pointer with few feasible values, although its term allows many: a replay must build the same terms
// as the run, or later decisions would be misread.
// RUN: rm -rf %t && status 1 %tamar run %s --sym-arg 2 --emit all --out %t -q >/dev/null
// RUN: status 1 %tamar replay --exact %t | FileCheck %s
// REQUIRES: run, replay
// CHECK-NOT: ANOTHER PATH
// CHECK: [[N:[0-9]+]] tests, [[N]] as predicted
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static char *printable(unsigned char c) {
    char *text = malloc(5);
    if (isprint(c)) {
        text[0] = (char)c;
        text[1] = 0;
    } else {
        sprintf(text, "\\%03o", c);
    }
    return text;
}

int main(int argc, char **argv) {
    unsigned char first = (unsigned char)argv[1][0], last = (unsigned char)argv[1][1];
    if (last >= first) return 3;
    char *a = printable(first), *b = printable(last);
    fprintf(stderr, "range '%s-%s'\n", a, b);
    free(a);
    free(b);
    return first == 'z' && *b == '0';
}
