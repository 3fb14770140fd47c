// A block of megabytes that is set to one value: its pages are shared until they are written.
// RUN: same-as-native %tamar %s </dev/null
// RUN: %tamar exec --max-memory 400 %s -- 2000 </dev/null
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long sum(const unsigned char *bytes, size_t first, size_t end, size_t step) {
    unsigned long total = 0;
    for (size_t i = first; i < end; i += step) total = total * 31 + bytes[i];
    return total;
}

int main(int argc, char **argv) {
    size_t size = (size_t)(argc > 1 ? atoi(argv[1]) : 5) << 20, step = argc > 1 ? 4999999 : 1;
    unsigned char *a = malloc(size), *b = argc > 1 ? a : malloc(size);
    for (int round = 1; round < 4; round++) {
        memset(a, round, 3);
        memset(a + 3, round + 10, size - 5);
        a[4096] = 77;
        a[size / 2 + 1] = 78;
        memset(a + 8190, 79, 4);
        memset(a + size - 2, 80, 2);
        for (size_t at = 4090; at < 4100; at++) printf("%d ", a[at]);
        for (size_t at = size - 6; at < size; at++) printf("%d ", a[at]);
        printf("%d %d %lu\n", a[size / 2], a[size / 2 + 1], sum(a, 0, size, step));
    }
    if (b != a) {
        memcpy(b, a, size);
        a[1 << 20] = 5;
        memmove(a + 1, a, size - 1);
        printf("%lu %lu %d\n", sum(a, 0, size, 1), sum(b, 0, size, 1), memcmp(a, b, size) > 0);
    }
    return 0;
}
