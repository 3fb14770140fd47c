// Counting sort of symbolic bytes by their remainder. That `out` is long enough follows from a sum over all classes: the
// classes layer tries all combinations of remainders.
// paths: 1
// variants: COUNT=3 COUNT=4
#include <stdio.h>
#include <tamar.h>

#ifndef COUNT
#define COUNT 4
#endif
#ifndef CLASSES
#define CLASSES 16
#endif

int main(void) {
    unsigned char in[COUNT], out[COUNT];
    unsigned starts[CLASSES + 1] = {0};
    tamar_symbolic(in, sizeof in, "in");
    for (int i = 0; i < COUNT; i++) starts[in[i] % CLASSES + 1]++;
    for (int i = 0; i < CLASSES; i++) starts[i + 1] += starts[i];
    for (int i = 0; i < COUNT; i++) out[starts[in[i] % CLASSES]++] = in[i];
    return out[0] == 'z' ? 2 : 0;
}
