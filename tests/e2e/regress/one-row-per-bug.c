// The report has one row for a bug, however many tests show it, compared or not; two bugs on one line are two rows.
// RUN: rm -rf %t && mkdir %t && cd %t && grep -v '// new' %s >old.c && cp %s prog.c && %tamar cc -g -o prog prog.c
// RUN: cd %t && printf '1abc' >in && %tamar record -q -- ./prog in
// RUN: cd %t && status 1 %tamar regress -q ./prog --old old.c --no-compare --emit all --out out >report.md
// RUN: cd %t && grep -c '^| \*\*div-by-zero at' report.md | grep -x 2
// Known reports are counted, not listed, and do not decide the status.
// RUN: cd %t && printf 'any prog.c divide\n' >known && status 0 %tamar regress -q ./prog --old old.c --no-compare --ignore known --out known.out >known.md
// RUN: cd %t && grep -x '2 known reports are ignored.' known.md && not grep '^| ..div-by-zero at' known.md
// REQUIRES: regress, record
#include <stdio.h>

static int divide(int a, int b, int c) {
    return a / (b - 'x') / (c - 'y'); // new
    return a + b + c;
}

int main(int argc, char **argv) {
    FILE *file = fopen(argv[1], "r");
    int first = getc(file), a = getc(file), b = getc(file), c = getc(file);
    if (first == '1') return divide(a, b, c);
    if (first == '2') return divide(b, a, c);
    return 0;
}
