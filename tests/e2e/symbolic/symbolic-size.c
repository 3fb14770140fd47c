// An object whose size is an input: the write at a fixed offset fails for sizes that are too small; the loop up to the
// size never fails.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --emit all --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// REQUIRES: run
#include <stdlib.h>
#include <tamar.h>

int main(void) {
    unsigned char size;
    unsigned index;
    tamar_symbolic(&size, sizeof size, "size");
    tamar_assume(size < 6);
    char *object = malloc(size);
    for (unsigned i = 0; i < size; i++) object[i] = (char)i; // a path for each size
    tamar_symbolic(&index, sizeof index, "index");
    // CHECK-DAG: tamar: out-of-bounds: {{.*}}symbolic-size.c:[[#@LINE+1]]
    if (index < size) return object[index + (size == 5)];
    // CHECK-DAG: tamar: out-of-bounds: {{.*}}symbolic-size.c:[[#@LINE+1]]
    object[3] = 1;
    free(object);
    return 0;
}
// CHECK-DAG: every path was explored
