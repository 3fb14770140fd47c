// A bug is an operation that fails in one way. The call stacks on which it fails are its occurrences: BUGS lists the
// bugs of each line with their number of occurrences.
// RUN: rm -rf %t && mkdir %t && cd %t && status 1 %tamar run -q %s --out out >text
// RUN: cd %t && python3 %S/Inputs/check-operations %s out
// RUN: cd %t && %tamar stats out | FileCheck --check-prefix=STATS %s
// RUN: cat %t/out/bugs/*.txt | FileCheck --check-prefix=FOLDED %s
// RUN: cd %t && mkdir moved && sed -e '1i // one more line' -e 's/^    return a/        return  a/' %s >moved/one-bug-per-operation.c
// RUN: cd %t && status 1 %tamar run -q moved/one-bug-per-operation.c --out again >text
// RUN: cd %t && python3 %S/Inputs/check-operations moved/one-bug-per-operation.c again out
// REQUIRES: run
// STATS: bugs {{ *}}15
// STATS: 5 call paths
// FOLDED: #0 {{.*}}deep(n=0, k=3)
// FOLDED-NEXT: #1 {{.*}}deep(n=1, k=3)
// FOLDED-NEXT: ... the frame above 29 times more
// FOLDED-NEXT: #2 {{.*}}main
#include <stdlib.h>
#include <string.h>
#include <tamar.h>

static int from[4], to[4];

static void copy(int i, int j) {
    to[j] = from[i]; // BUGS out-of-bounds 1, out-of-bounds 1
}

static int quotient(int a, int b) {
    return a / b; // BUGS div-by-zero 1, div-by-zero 1
}

static int add(const int *p, const int *q) {
    return *p + *q; // BUGS null 1, null 1
}

#define SUM(p, q) (*(p) + *(q))
static int sum(const int *p, const int *q) {
    return SUM(p, q); // BUGS null 1, null 1
}

// Inlined into two functions: one operation with two call paths.
static inline __attribute__((always_inline)) int get(const int *p) {
    return *p; // BUGS null 2
}
static int first(const int *p) { return get(p); }
static int second(const int *p) { return get(p); }

static int nested(int depth, int k) {
    if (depth && k % 7 == depth % 7) return 10 / (k - depth); // BUGS div-by-zero 5
    return depth > 4 ? depth : nested(depth + 1, k);
}

static int deep(int n, int k) {
    if (!n) return 10 / (k - 3); // BUGS div-by-zero 1
    return deep(n - 1, k);
}

int main(void) {
    int what = tamar_int("what"), i = tamar_int("i"), j = tamar_int("j"), one = 1;
    const int *p = i == 1 ? NULL : &one, *q = j == 1 ? NULL : &one;
    char small[4], large[8] = "abcdefg";
    switch (what) {
    case 0: copy(i, j); break;
    case 1: return quotient(i, j);
    case 2: return add(p, q);
    case 3: return sum(p, q);
    case 4: return first(p) + second(q);
    case 5: return nested(0, i);
    case 6: return deep(30, i);
    case 7: memcpy(small, large, 5); break; // BUGS out-of-bounds 1
    case 8: memcpy(small, large, 5); break; // BUGS out-of-bounds 1
    case 9: memcpy(small, large + 2, (size_t)i % 8); break; // BUGS out-of-bounds 1, out-of-bounds 1
    }
    return small[0];
}
