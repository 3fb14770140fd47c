// read and fread of a symbolic length: the result is one term, the smaller of the length and the available bytes.
// RUN: rm -rf %t.a %t.b
// RUN: status 1 %tamar run --emit all --sym-stdin 8 --out %t.a %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.a | grep "6 tests, 6 as predicted; 1 of 1 that show a bug confirmed"
// RUN: %tamar run --emit all --sym-stdin 8 -DSTREAM --out %t.b %s >%t.txt
// RUN: grep "no bug found" %t.txt
// RUN: grep "every path was explored" %t.txt
// RUN: %tamar replay %t.b | grep "\([0-9]*\) tests, \1 as predicted"
// REQUIRES: run
#include <stdio.h>
#include <tamar.h>
#include <unistd.h>

#ifdef STREAM
int main(void) {
    unsigned n;
    char buffer[16];
    tamar_symbolic(&n, sizeof n, "n");
    tamar_assume(n <= 16);
    size_t got = fread(buffer, 1, n, stdin);
    tamar_assert(got == (n < 8 ? n : 8));
    if (got == 5 && buffer[4] == 'z') return 1;
    return getchar() == 'q' ? 2 : 3;
}
#else
// Six paths: a negative number is not a length for read; 7 or 8 bytes overrun the buffer; nothing (n is 0) is read, and
// then 2 bytes; some are read, and then 2; 4 with the wanted byte; 4 without it, then 2.
int main(void) {
    int n;
    char buffer[6];
    tamar_symbolic(&n, sizeof n, "n");
    // CHECK: tamar: out-of-bounds: {{.*}}read-length.c:[[#@LINE+2]]:{{.*}}write of
    // CHECK: just after the end of the local variable `buffer` of 6 bytes
    long got = read(0, buffer, (size_t)n);
    tamar_assert(got == (n < 0 ? -1 : n));
    if (got == 4 && buffer[3] == 'z') return 4;
    return (int)read(0, buffer, 2);
}
// CHECK: 6 paths, 6 tests; every path was explored
#endif
