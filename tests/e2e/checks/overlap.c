// memcpy, strcpy, strncpy, strcat and strncat must not copy a block onto itself, and memcmp must be able to read all of
// its operands, also after the first difference. Both are reported as by AddressSanitizer, with known and symbolic
// addresses, lengths and strings, and replay confirms them there. Blocks that touch, memmove, an assignment of a
// structure to itself and the copy of an empty string are not errors.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && status 1 %tamar run -w --sym-stdin 2 --out a %s >a.txt && FileCheck %s <a.txt
// RUN: cd %t && status 1 %tamar run -w --sym-stdin 2 --relax-checks --out b %s >b.txt && FileCheck --check-prefix=BUGS %s <b.txt
// RUN: cd %t && status 1 %tamar run -w --sym-stdin 2 --feasibility pending --out c %s >c.txt && FileCheck %s <c.txt
// RUN: cd %t && %tamar replay a | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// BUGS: 14 bugs
// CHECK: 14 bugs
// CHECK: every path was explored
// REPLAY: 14 of 14 that show a bug confirmed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    char a[20], b[20];
};

static char text[64] = "0123456789";
static const char *const words[4] = {"abcdef", "abcde", "ab", "xyz"};

static int copied(int k, int n) {
    char block[40] = "the quick brown fox jumps over a dog";
    struct pair pair = {"one", "two"};
    switch (k) {
    case 0: memcpy(block + 3, block, 4); break;          // a bug
    case 1: memcpy(block + n, block + 4, 4); break;      // a bug: 1 to 3, and 5 to 7
    case 2: memcpy(block, block + 8, (size_t)n); break;  // a bug: 9 to 15
    case 3: memcpy(block + n % 4, block + 16, 8); break;
    case 4: memcpy(block + 16, block, (size_t)n); break;
    case 5: memmove(block + 1, block, (size_t)n); break;
    case 6: pair = *(struct pair *)(n ? (void *)&pair : block); break;
    case 7: *(struct pair *)(void *)block = *(struct pair *)(void *)block; break;
    case 8: memcpy(n > 4 ? block : pair.b, n < 8 ? block + 2 : pair.a, 6); break; // a bug: 5 to 7
    case 9: memcpy(block + n, block + n, 6); break;
    default: return -1;
    }
    return block[4] + pair.a[1];
}

static int strings(int k, int n) {
    switch (k) {
    case 10: strcpy(text + 10, text); break;              // a bug
    case 11: strcpy(text + n, text + 11); break;          // empty: a bug only at the same address
    case 12: strcpy(text + 16 - n, text); break;          // a bug: 6 to 15
    case 13: strcat(text, text + n); break;               // a bug: below 10
    case 14: strncat(text + 2, text + 8, (size_t)n); break; // a bug: not for 0
    case 15: strncpy(text + 4, text, (size_t)n); break;   // a bug: from 5
    case 16: strncpy(text + 20, text, (size_t)n); break;
    case 17: text[n] = 0; strcpy(text + 8, text); break;  // a bug: from 8
    default: return -1;
    }
    return text[3];
}

static int compared(int k, int n) {
    char *heap = malloc(8);
    memset(heap, 'x', 8);
    int result = -1;
    switch (k) {
    case 18: result = memcmp(heap, "abcdefghijklmnop", (size_t)n); break; // a bug: from 9
    case 19: result = memcmp(words[n & 3], "abcd", 5); break;             // a bug: 2 and 3
    case 20: result = memcmp(heap + n, "xxxx", 4); break;                 // a bug: from 5
    case 21: result = bcmp(heap, "xyxyxyxyxy", 8); break;
    }
    free(heap);
    return result;
}

int main(void) {
    int k = getchar(), n = getchar();
    if (n < 0 || n > 15) return 1;
    if (k < 10) return copied(k, n) & 1;
    if (k < 18) return strings(k, n) & 1;
    return compared(k, n) & 1;
}
