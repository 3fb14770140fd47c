// Open addressing with linear probing over 16 to 8,192 slots: two symbolic keys are put in, a third is looked up.
// paths: 13
// variants: SLOTS=16 SLOTS=256 SLOTS=4096 SLOTS=8192
#include <tamar.h>

#ifndef SLOTS
#define SLOTS 4096
#endif
static unsigned keys[SLOTS];
static int values[SLOTS];

static unsigned find(unsigned key) {
    unsigned i = ((key * 2654435761u) >> 16) % SLOTS;
    while (keys[i] && keys[i] != key) i = (i + 1) % SLOTS;
    return i;
}

static void put(unsigned key, int value) {
    unsigned i = find(key);
    keys[i] = key;
    values[i] = value;
}

int main(void) {
    unsigned a = (unsigned)tamar_int("a"), b = (unsigned)tamar_int("b"), c = (unsigned)tamar_int("c");
    tamar_assume(a && b && c);
    put(a, 1);
    put(b, 2);
    unsigned i = find(c);
    int value = keys[i] ? values[i] : -1;
    return value == 2 ? 2 : value == 1;
}
