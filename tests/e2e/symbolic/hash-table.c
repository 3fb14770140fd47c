// A hash table with chains and keys from standard input: three bytes in 4 buckets by their low two bits, each key once.
//
// The bucket is a symbolic index: reading it does not fork. The walk along a chain forks (is there a node, and is it
// this key?). The first key finds its bucket empty: 1 path. The second: an empty bucket (another bucket), the same key,
// or another key in the same bucket: 3 paths. The third key then
//   after 2 keys in 2 buckets:  equal to the 1st, beside the 1st, equal to the 2nd, beside the 2nd, elsewhere    5
//   after 2 equal keys:         equal, beside, elsewhere                                                          3
//   after 2 keys in 1 bucket (the newer one first): equal to the newer, to the older, beside both, elsewhere      4
// so 12 paths, if pointers to nodes are followed one by one. They are followed together (a pointer to one of several
// nodes is a conditional value), so that "equal to the 1st" and "equal to the 2nd" of the first line are one path, and
// so are the two "beside": 3 + 3 + 4 = 10 paths.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --check all --sym-stdin 3 --out %t.out %s | tee %t.txt | grep "10 paths, 10 tests; every path was explored"
// RUN: %tamar replay %t.out | grep "10 tests, 10 as predicted"
// REQUIRES: run
#include <stdlib.h>
#include <unistd.h>

struct node {
    struct node *next;
    unsigned char key;
};

static struct node *buckets[4];

static int put(unsigned char key) {
    struct node **bucket = &buckets[key & 3];
    for (struct node *node = *bucket; node; node = node->next)
        if (node->key == key) return 0;
    struct node *node = malloc(sizeof *node);
    node->key = key;
    node->next = *bucket;
    *bucket = node;
    return 1;
}

int main(void) {
    unsigned char keys[3];
    int count = 0;
    if (read(0, keys, 3) != 3) return 9;
    for (int i = 0; i < 3; i++) count += put(keys[i]);
    return count;
}
