// A Bloom filter of 8,192 bits with three hashes: two symbolic words are put in, a third is looked up.
// paths: 4
#include <tamar.h>

static unsigned char bits[1024];
static unsigned hash(unsigned x, unsigned seed) { return (x * (2 * seed + 0x9e3779b1u) >> 7) % 8192; }

static void put(unsigned x) {
    for (unsigned i = 0; i < 3; i++) bits[hash(x, i) / 8] |= (unsigned char)(1u << hash(x, i) % 8);
}

static int has(unsigned x) {
    for (unsigned i = 0; i < 3; i++)
        if (!(bits[hash(x, i) / 8] >> hash(x, i) % 8 & 1)) return 0;
    return 1;
}

int main(void) {
    unsigned a = (unsigned)tamar_int("a"), b = (unsigned)tamar_int("b");
    put(a);
    tamar_assert(has(a));
    put(b);
    return has((unsigned)tamar_int("c"));
}
