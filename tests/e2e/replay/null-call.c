// A call of a null pointer, or of an address without code, has no frame, and the sanitizer's stack leaves out its
// caller, too. The report counts if its first frame with a line is one of the predicted callers.
// RUN: rm -rf %t && status 1 %tamar run %s --sym-stdin 1 -q --out %t >/dev/null
// RUN: %tamar replay %t | FileCheck %s
// RUN: %tamar replay %t | not grep -e DIFFERS -e 'not seen'
// REQUIRES: run, replay
// CHECK: 3 of 3 that show a bug confirmed
#include <stdio.h>

struct operations {
    int (*get)(int), (*put)(int);
};
static int one(int x) { return x + 1; }
static struct operations all[3] = {{one, one}, {one, NULL}};

static int use(const struct operations *o, int c) { return o->put(c); }
static inline __attribute__((always_inline)) int use_inline(const struct operations *o, int c) {
    return o->put(c) + 1;
}
static int outer(int c) { return use_inline(&all[c == 'i'], c) * 2; }

int main(void) {
    int c = getchar();
    if (c == 'x') return use(&all[1], c);
    if (c == 'i') return outer(c);
    if (c == 'm') return all[2].get(c);
    return use(all, c) == 3;
}
