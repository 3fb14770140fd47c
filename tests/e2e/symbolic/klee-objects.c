// KLEE's functions: the size of every kind of object, an object without a name. read to a null pointer fails (EFAULT).
// RUN: rm -rf %t && %tamar run -q %s --sym-stdin 1..1 --out %t
// RUN: %tamar replay %t | grep '2 tests, 2 as predicted'
// RUN: rm -rf %t && status 1 %tamar run -DWILD %s --out %t | FileCheck %s
// REQUIRES: run, replay
// CHECK: tamar: null: {{.*}}klee-objects.c:[[#@LINE+16]]
#include <errno.h>
#include <klee/klee.h>
#include <stdlib.h>
#include <unistd.h>

static int global[7];

int main(void) {
    char local[13];
    int x, *heap = malloc(20);
    if (!heap) return 9;
    klee_make_symbolic(&x, sizeof x, NULL);
    if (klee_get_obj_size(local) != 13 || klee_get_obj_size(local + 4) != 13) return 1;
    if (klee_get_obj_size(global) != 28 || klee_get_obj_size(heap) != 20) return 2;
#ifdef WILD
    return (int)klee_get_obj_size(NULL);
#endif
    if (read(0, NULL, 1) != -1 || errno != EFAULT) return 4;
    if (x == 5) return 5;
    return 0;
}
