// A pointer to one of twelve objects: more than are looked at. What is left out is said, and never called an error.
// RUN: rm -rf %t.out
// RUN: %tamar run --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// REQUIRES: run
#include <stdlib.h>
#include <tamar.h>

int main(void) {
    char *objects[12];
    unsigned i;
    for (unsigned k = 0; k < 12; k++) objects[k] = calloc(1, 4);
    tamar_symbolic(&i, sizeof i, "i");
    if (i >= 12) return 0;
    return *objects[i];
}
// CHECK: no bug found
// CHECK: a pointer with many targets
