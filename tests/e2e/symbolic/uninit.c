// Uninitialised memory may be copied (padding, unions, bit-fields, the rest of a buffer). It is an error if the
// program's behaviour depends on it; the report then names the object that was never written.
// RUN: rm -rf %t.*.out
// RUN: %tamar run --check all -w --out %t.clean.out %s | grep "no bug found"
// RUN: %tamar exec --check all -w %s | grep "hi 2 1.500000 2"
// RUN: status 1 %tamar run --check uninit -w -DBRANCH --out %t.a.out %s | FileCheck %s --check-prefix=BRANCH
// RUN: status 125 %tamar exec --check uninit -w -DBRANCH %s 2>&1 | grep "a branch depends on uninitialised memory"
// RUN: status 1 %tamar run --check uninit -w -DHEAP --out %t.b.out %s
// RUN: cat %t.b.out/bugs/*.txt | FileCheck %s --check-prefix=HEAP
// RUN: status 1 %tamar run --check uninit -w -DINDEX --out %t.c.out %s | FileCheck %s --check-prefix=INDEX
// RUN: status 1 %tamar run --check uninit -w -DPRINTED --out %t.d.out %s
// RUN: cat %t.d.out/bugs/*.txt | FileCheck %s --check-prefix=PRINTED
// RUN: status 1 %tamar run --check uninit -w -DPART --emit all --out %t.e.out %s | FileCheck %s --check-prefix=PART
// RUN: status 1 %tamar run --check uninit -w -DFIELD --out %t.f.out %s | FileCheck %s --check-prefix=FIELD
// RUN: status 1 %tamar run --check uninit -w -DOUTPUT --out %t.g.out %s | FileCheck %s --check-prefix=OUTPUT
// RUN: %tamar run --check uninit -w -DUNUSED --out %t.h.out %s | grep "no bug found"
// Without --check uninit, nothing is reported:
// RUN: status 3 %tamar run -w -DBRANCH --out %t.i.out %s | grep "no bug found"
// Valgrind reports the same:
// RUN: %tamar replay %t.b.out | grep "1 test, 1 as predicted; 1 of 1 that show a bug confirmed"
// RUN: %tamar replay %t.e.out | grep "2 tests, 2 as predicted; 1 of 1 that show a bug confirmed"
// REQUIRES: run
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tamar.h>
#include <unistd.h>

struct padded {
    char c;
    int i;
};
struct bits {
    unsigned a : 3, b : 5, c : 8;
};
union overlay {
    char c;
    int i;
};

static int sum(struct padded x) { return x.c + x.i; }

int main(void) {
    struct padded first, second, *third = malloc(sizeof *third);
    first.c = 1;
    first.i = 2;
    second = first;
    *third = second;
    struct bits bits;
    bits.a = 5;
    bits.b = 3;
    union overlay one, two;
    one.c = 3;
    two = one;
    if (sum(*third) != 3 || bits.a != 5 || bits.b != 3 || two.c != 3) return 1;
    char buffer[10], copy[10];
    strcpy(buffer, "hi");
    memcpy(copy, buffer, sizeof copy);
    printf("%s %d %f %zu\n", copy, third->i, 1.5, strlen(copy));
    free(third);
#ifdef BRANCH
    // BRANCH: tamar: uninitialised: {{.*}}uninit.c:[[#@LINE+3]]:{{.*}}a branch depends on uninitialised memory, in main
    // BRANCH: 4 bytes of the local variable `x` of 4 bytes of main at {{.*}}uninit.c:[[#@LINE+1]], never written
    int x;
    if (x) return 4;
#elif defined HEAP
    // HEAP: a branch depends on uninitialised memory
    // HEAP: 4 bytes of a heap object of 32 bytes, never written
    // HEAP: allocated by:
    // HEAP: main {{.*}}uninit.c:[[#@LINE+3]]
    // HEAP-NOT: uninitialised:
    // HEAP: tamar exec --check uninit
    int *p = malloc(8 * sizeof *p);
    p[0] = 1;
    int value = p[1];
    free(p);
    if (value == 4) return 5;
#elif defined INDEX
    // INDEX: an address depends on uninitialised memory
    // INDEX: 1 byte of the local variable `i`
    int i;
    char table[4] = {1, 2, 3, 4};
    return table[i & 3];
#elif defined PRINTED
    // PRINTED: a branch depends on uninitialised memory, in main
    // PRINTED: of the local variable `y`
    // PRINTED: #0 {{.*}}printf
    int y;
    printf("%d\n", y);
#elif defined PART
    // Two paths: up to four bytes are too few, from five on the fifth is known.
    // PART: tamar: uninitialised: {{.*}}uninit.c:[[#@LINE+7]]
    // PART: 1 byte of the local variable `target` of 8 bytes
    // PART: 2 paths, 2 tests; every path was explored
    unsigned n;
    char source[8] = "abcdefg", target[8];
    tamar_symbolic(&n, sizeof n, "n"), tamar_assume(n <= 8);
    memcpy(target, source, n);
    if (target[4] == 'e') return 9;
    return 10;
#elif defined FIELD
    // FIELD: 1 byte of the local variable `bits`
    if (bits.c) return 9;
#elif defined OUTPUT
    // OUTPUT: tamar: uninitialised: {{.*}}uninit.c:[[#@LINE+2]]:{{.*}}the output depends on uninitialised memory
    // OUTPUT: 1 byte of the local variable `buffer` of 10 bytes
    write(1, copy, sizeof copy);
#elif defined UNUSED
    int z; // whatever it is, nothing depends on it
    if (((z & 0xf0f) | 0x10) == 0) return 3;
    if ((z ^ z) != 0) return 4;
    unsigned n;
    tamar_symbolic(&n, sizeof n, "n");
    if (n == 1 && (n == 2 || (z & n) * 0)) return 5;
#endif
    return 0;
}
