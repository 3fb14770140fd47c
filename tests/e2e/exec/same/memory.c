// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// Variable-length arrays, alloca, flexible members, pointers across types, memmove that overlaps, realloc.
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    size_t length;
    char bytes[];
};

static int vla(int n) {
    int grid[n][n + 1], total = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++) grid[i][j] = i * j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++) total += grid[i][j] + (int)sizeof grid;
    return total;
}

int main(int argc, char **argv) {
    printf("%d %d\n", vla(3 * argc), vla(10 * argc));
    for (int i = 1; i < 50; i++) {
        char *p = alloca((size_t)i);
        memset(p, i, (size_t)i);
        if (p[i - 1] != i) return 1;
    }
    struct text *t = malloc(sizeof *t + 20);
    t->length = 20;
    for (int i = 0; i < 20; i++) t->bytes[i] = (char)('a' + i);
    memmove(t->bytes + 3, t->bytes, 10), memmove(t->bytes, t->bytes + 5, 10);
    printf("%.20s\n", t->bytes);
    t = realloc(t, sizeof *t + 4000);
    memset(t->bytes + 20, '-', 3980);
    printf("%.25s %c\n", t->bytes, t->bytes[3999]);
    free(t);
    union {
        double d;
        uint64_t u;
        uint8_t b[8];
        float f[2];
    } pun = {.d = 3.14159};
    pun.b[3] ^= 0x55;
    printf("%016llx %.9g %.9g\n", (unsigned long long)pun.u, pun.d, pun.f[1]);
    int *zeros = calloc(1000, sizeof *zeros), total = 0;
    for (int i = 0; i < 1000; i++) total += zeros[i];
    free(zeros);
    uintptr_t address = (uintptr_t)argv;
    printf("%d %d %d\n", total, (char **)address == argv, (int)(&argv[1] - argv));
    char bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    uint32_t unaligned;
    memcpy(&unaligned, bytes + 3, 4);
    printf("%08x %08x\n", unaligned, *(uint32_t *)(bytes + 1));
    return 0;
}
