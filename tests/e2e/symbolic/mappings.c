// Mappings of symbolic length, and accesses to mappings at symbolic addresses: the content is an array, as that of other
// objects, whatever access rights its pages get later.
// RUN: rm -rf %t && mkdir %t
// RUN: %tamar run --emit all --out %t/lengths %s -DLENGTHS | FileCheck %s --check-prefix=LENGTHS
// RUN: %tamar run --emit all --out %t/places %s -DPLACES | FileCheck %s --check-prefix=PLACES
// RUN: %tamar run --emit all --out %t/rights %s -DRIGHTS | FileCheck %s --check-prefix=RIGHTS
// REQUIRES: run
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <tamar.h>

#define RW (PROT_READ | PROT_WRITE)

static unsigned char *map(size_t size) { return mmap(NULL, size, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

#ifdef LENGTHS
// LENGTHS: 5 paths, {{.*}}every path was explored
// LENGTHS: assertions: 5 proved, 0 failed
// LENGTHS-NOT: slower:
int main(void) {
    size_t n = (unsigned)tamar_int("n");
    if (n < 1 || n > 1 << 24) return 9;
    unsigned char *p = map(n);
    p[n - 1] = 7;
    p[n / 2] = 5;
    tamar_assert(p[n / 2] == 5);
    tamar_assert(p[n - 1] == 7 || n / 2 == n - 1);
    memset(p, 3, n);
    p = mremap(p, n, 2 * n, MREMAP_MAYMOVE);
    tamar_assert(p[n / 3] == 3);
    tamar_assert(p[2 * n - 1] == 0);
    mprotect(p, 2 * n, PROT_READ);
    tamar_assert(p[n - 1] == 3);
    munmap(p, 2 * n);
    return 0;
}
#elif defined PLACES
// PLACES: 5 paths, {{.*}}every path was explored
// PLACES: assertions: 3 proved, 0 failed
int main(void) {
    unsigned k = (unsigned)tamar_int("k"), j = (unsigned)tamar_int("j");
    if (k >= 3 * 4096 || j >= 8192 + 64) return 9;
    unsigned char *p = map(3 * 4096);
    p[k] = 7;
    mprotect(p, 4096, PROT_NONE);
    if (j < 4096) return 1;
    tamar_assert((p[j] == 7) == (j == k)); // from a part of the mapping
    munmap(p + 4096, 4096);
    if (j < 8192) return 2;
    p[j] = 9;
    tamar_assert(p[j] == 9);
    mprotect(p, 4096, PROT_READ);
    tamar_assert((p[j % 4096] == 7) == (j % 4096 == k));
    return 0;
}
#else
// RIGHTS: 2 paths, {{.*}}every path was explored
// RIGHTS: assertions: 1 proved, 0 failed
int main(void) {
    unsigned k = (unsigned)tamar_int("k");
    if (k >= 16) return 9;
    unsigned char *p = map(4096);
    for (unsigned char i = 0; i < 16; i++) p[i] = i;
    mprotect(p, 4096, PROT_READ);
    int before = p[k];
    mprotect(p, 4096, RW); // what was read-only once is no constant
    for (unsigned char i = 0; i < 16; i++) p[i] += 50;
    mprotect(p, 4096, PROT_READ);
    tamar_assert(p[k] == before + 50);
    return 0;
}
#endif
