// A symbolic pointer that is called, jumped to or freed: one path for each possible function, label or block, and one
// for all other values. The failing assertion in one of the functions is found, and values are not enumerated.
// RUN: rm -rf %t.1 && status 1 %tamar run -q -DCALL --out %t.1 %s | FileCheck --check-prefix=CALL %s
// RUN: python3 %S/../search/Inputs/summary %t.1 'paths.errors == 3 and paths.completed == 1' 'complete'
// CALL-DAG: assert: {{.*}}indirect.c:[[# @LINE + 16]]
// CALL-DAG: bad-call: {{.*}}indirect.c:
// CALL-DAG: null: {{.*}}indirect.c:
// RUN: rm -rf %t.2 && status 1 %tamar run -q -DGOTO --out %t.2 %s | FileCheck --check-prefix=GOTO %s
// RUN: python3 %S/../search/Inputs/summary %t.2 'paths.completed == 2 and paths.errors == 1' 'complete'
// GOTO: bad-call: {{.*}}indirect.c:{{.*}}not a label
// RUN: rm -rf %t.3 && status 1 %tamar run -q -DFREE --out %t.3 %s | FileCheck --check-prefix=FREE %s
// RUN: python3 %S/../search/Inputs/summary %t.3 'paths.completed == 4 and paths.errors == 1' 'complete'
// FREE: bad-free: {{.*}}indirect.c:
#include <stdint.h>
#include <stdlib.h>
#include <tamar.h>

static int harmless(int x) { return x + 1; }
#ifdef CALL
static int wrong(int x) {
    tamar_assert(x != 7);
    return x;
}
int (*volatile table[2])(int) = {harmless, wrong};
#endif

int main(void) {
    uintptr_t value;
    tamar_symbolic(&value, sizeof value, "value");
#ifdef CALL
    if (table[0] == table[1]) return 2; // they are in use
    return ((int (*)(int))value)(7) & 1;
#elif defined GOTO
    static void *const labels[] = {&&first, &&second};
    (void)labels;
    goto *(void *)value;
first:
    return harmless(1);
second:
    return harmless(2);
#else
    void *blocks[3];
    for (int i = 0; i < 3; i++) blocks[i] = malloc(10);
    free((void *)value); // one of them, or none
    for (int i = 0; i < 3; i++)
        if (blocks[i] != (void *)value) free(blocks[i]);
    return 0;
#endif
}
