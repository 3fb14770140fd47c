// Each check of UBSan has its name, reports only its own kind, and is confirmed by replay under that name.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && bash %S/names.bash %s
// REQUIRES: run, replay
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char bytes[32] __attribute__((aligned(16)));
struct pair {
    int first, second;
};
__attribute__((nonnull)) static int wants(const char *text) { return text != NULL; }
__attribute__((returns_nonnull)) static char *gives(int c) { return c ? NULL : bytes; }

int main(void) {
    int c = getchar();
    volatile long sink = 0;
    struct pair *none = NULL;
    switch (c) {
    case 0: sink = *(int *)(bytes + 1); break;
    case 1: bytes[0] = 2, sink = *(bool *)bytes; break;
    case 2: sink = __builtin_ctz(c - 2); break;
    case 3: sink = (long)&none->second; break;
    case 4: {
        char *start = bytes;
        sink = (long)(start - c * 0x1000000000000000L);
        break;
    }
    case 5: {
        char list[c - 5];
        sink = sizeof list;
        break;
    }
    case 6: sink = wants(c == 6 ? NULL : bytes); break;
    case 7: sink = (long)gives(c); break;
    case 8: sink = (int)(c * 1e9); break;
    case 9: sink = 1.0 / (c - 9) > 1; break;
    case 10: sink = 2147483640 + c; break;
    case 11: sink = -c << 1; break;
    case 12: sink = 1 << (c + 20); break;
    case 13: {
        unsigned char narrow = (unsigned)c * 100;
        sink = narrow;
        break;
    }
    case 14: {
        signed char narrow = c * 100;
        sink = narrow;
        break;
    }
    case 15: {
        unsigned other = -c;
        sink = other;
        break;
    }
    case 16: sink = 4294967290u + (unsigned)c; break;
    case 17: sink = 0xf0000000u << (c - 16); break;
    }
    return 0;
}
