// A mapping of which parts were unmapped or protected: an index is checked against the remaining parts.
// RUN: rm -rf %t && status 1 %tamar run -q --sym-stdin 1..1 --emit all --out %t %s
// RUN: python3 %S/Inputs/check-mapped %t
// REQUIRES: run
#include <stdio.h>
#include <sys/mman.h>

int main(void) {
    int c = getchar(), all = PROT_READ | PROT_WRITE;
    if (c < 0 || c > 31) return 77;
    char *p = mmap(NULL, 4 * 4096, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return 78;
    munmap(p + 4096, 4096);
    mprotect(p + 2 * 4096, 4096, PROT_READ);
    int sum = p[c * 1024]; // fails from 4 to 7, and from 16 on
    p[c * 1024] = 1;       // and from 8 to 11
    return sum + p[0] + p[12 * 1024];
}
