// Hashes of words that are mixed by shifts and products, or reduced by a prime number, are inverted: open and chained
// hash tables with removal are explored to the end. Each path and each assertion is known from reasoning by hand.
// RUN: rm -rf %t.a %t.b
// RUN: %tamar run -q --max-time 60 --out %t.a %s
// RUN: python3 -c 'import json; s = json.load(open("%t.a/summary.json")); assert s["complete"] and s["paths"]["completed"] == 4 and s["queries"]["unknown"] == 0, s'
// RUN: %tamar run -q --max-time 60 -DCHAINED --emit all --out %t.b %s
// RUN: python3 -c 'import json; s = json.load(open("%t.b/summary.json")); assert s["complete"] and s["queries"]["unknown"] == 0, s'
// RUN: %tamar replay %t.b | grep "as predicted"
// REQUIRES: run
#include <stdlib.h>
#include <tamar.h>

#ifdef CHAINED
struct entry {
    struct entry *next;
    unsigned key;
    int value;
};
static struct entry *buckets[1021];

static struct entry **bucket_of(unsigned key) { return &buckets[(key ^ (key >> 7)) % 1021]; }

static void put(unsigned key, int value) {
    struct entry **bucket = bucket_of(key), *entry = *bucket;
    while (entry && entry->key != key) entry = entry->next;
    if (!entry) {
        entry = malloc(sizeof *entry);
        *entry = (struct entry){.next = *bucket, .key = key};
        *bucket = entry;
    }
    entry->value = value;
}

static int get(unsigned key) {
    for (struct entry *entry = *bucket_of(key); entry; entry = entry->next)
        if (entry->key == key) return entry->value;
    return 0;
}

static void drop(unsigned key) {
    for (struct entry **at = bucket_of(key); *at; at = &(*at)->next) {
        struct entry *entry = *at;
        if (entry->key != key) continue;
        *at = entry->next;
        free(entry);
        return;
    }
}

int main(void) {
    unsigned a = (unsigned)tamar_int("a"), b = (unsigned)tamar_int("b"), c = (unsigned)tamar_int("c");
    put(a, 1);
    put(b, 2);
    drop(c);
    tamar_assert(get(a) == (a == c ? 0 : a == b ? 2 : 1));
    return 0;
}
#else
#define SLOTS 1024u
static unsigned keys[SLOTS];
static unsigned char states[SLOTS]; // 0: free, 1: used, 2: removed

static unsigned hash(unsigned key) {
    key ^= key >> 16;
    key *= 0x45d9f3b;
    key ^= key >> 16;
    return key % SLOTS;
}

static int find(unsigned key) {
    for (unsigned i = hash(key); states[i]; i = (i + 1) % SLOTS)
        if (keys[i] == key && states[i] == 1) return (int)i;
    return -1;
}

static void put(unsigned key) {
    unsigned i = hash(key);
    for (; states[i] == 1; i = (i + 1) % SLOTS)
        if (keys[i] == key) return;
    states[i] = 1;
    keys[i] = key;
}

int main(void) {
    unsigned a = (unsigned)tamar_int("a"), b = (unsigned)tamar_int("b");
    put(a);
    put(b);
    int i = find(a);
    tamar_assert(i >= 0);
    states[i] = 2;
    tamar_assert(find(a) < 0);
    tamar_assert(a == b || find(b) >= 0);
    return 0;
}
#endif
