// A chained hash table of 16 to 8,192 buckets: two symbolic keys are put in, a third is looked up.
// paths: 6
// variants: BUCKETS=16 BUCKETS=256 BUCKETS=4096 BUCKETS=8192
#include <stdlib.h>
#include <tamar.h>

#ifndef BUCKETS
#define BUCKETS 8192
#endif
struct node {
    struct node *next;
    unsigned key;
    int value;
};
static struct node *table[BUCKETS];

static unsigned hash(unsigned key) {
    key ^= key >> 16;
    key *= 0x7feb352d;
    key ^= key >> 15;
    return key % BUCKETS;
}

static void put(unsigned key, int value) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    node->value = value;
    node->next = table[hash(key)];
    table[hash(key)] = node;
}

static int get(unsigned key) {
    for (struct node *node = table[hash(key)]; node; node = node->next)
        if (node->key == key) return node->value;
    return -1;
}

int main(void) {
    unsigned a = (unsigned)tamar_int("a"), b = (unsigned)tamar_int("b"), c = (unsigned)tamar_int("c");
    put(a, 1);
    put(b, 2);
    int value = get(c);
    tamar_assert(value != -1 || (c != a && c != b));
    return value == 2 ? 2 : value == 1;
}
