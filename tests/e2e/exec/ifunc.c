// Indirect functions: the resolver is called once, and its result is called, directly and through a table.
// RUN: %tamar exec %s | FileCheck %s
// CHECK: 3 4 2 7
// CHECK-NEXT: resolved 1 times
// The exact native build takes the same path.
// RUN: rm -rf %t.out && %tamar run --sym-stdin 1 --emit all --out %t.out %s | FileCheck --check-prefix=PATHS %s
// PATHS: 2 paths
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REPLAY: 2 tests, 2 as predicted
#include <stdio.h>

struct pair {
    long a, b, c;
};

static int calls;
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static struct pair big_one(struct pair p) { return (struct pair){p.c, p.b, p.a}; }
static void *resolve(void) { return calls++ > 100 ? (void *)one : (void *)two; }
static void *resolve_big(void) { return (void *)big_one; }

int add(int x) __attribute__((ifunc("resolve")));
struct pair turn(struct pair p) __attribute__((ifunc("resolve_big")));
static int (*table[])(int) = {one, add};

int main(void) {
    struct pair turned = turn((struct pair){7, 5, 2});
    printf("%d %d %ld %ld\n", add(1), table[1](2), turned.a, turned.c);
    printf("resolved %d times\n", calls);
    if (add(getchar()) == 'c') puts("c");
    return 0;
}
