// Overlapping moves of symbolic and concrete bytes, within a page and across its end, and words read from them at every
// offset: each byte is compared with one that was moved alone.
// RUN: rm -rf %t.out
// RUN: %tamar run --out %t.out %s | FileCheck %s
// REQUIRES: run
// CHECK: no bug found
// CHECK: 1 path, 1 test; every path was explored
// CHECK: assertions: 3 proved, 0 failed
#include <stdint.h>
#include <string.h>
#include <tamar.h>

#define WINDOW 24
#define PAGE   4096

static unsigned char space[3 * PAGE], in[WINDOW];

// Every third byte is concrete, so that blocks and single bytes of both kinds lie side by side.
static void fill(unsigned char *window, unsigned char *alone) {
    for (int i = 0; i < WINDOW; i++) window[i] = alone[i] = (unsigned char)(i % 3 == 1 ? 100 + i : in[i]);
}

static void move_alone(unsigned char *to, const unsigned char *from, int n) {
    unsigned char kept[WINDOW];
    for (int i = 0; i < n; i++) kept[i] = from[i];
    for (int i = 0; i < n; i++) to[i] = kept[i];
}

static void moves(unsigned char *window) {
    unsigned char alone[WINDOW];
    for (int from = 4; from < 12; from++)
        for (int to = 4; to < 12; to++)
            for (int n = 0; n < 12; n += 1 + n / 4) {
                fill(window, alone);
                memmove(window + to, window + from, (size_t)n);
                move_alone(alone + to, alone + from, n);
                int good = 1;
                for (int i = 0; i < WINDOW; i++) good &= window[i] == alone[i];
                tamar_assert(good);
            }
}

// Words of every size at every offset over a word that was written in one access.
static void words(unsigned char *window) {
    uint64_t word;
    memcpy(&word, in, 8);
    for (int at = 4; at < 12; at++) {
        unsigned char alone[WINDOW];
        fill(window, alone);
        memcpy(window + at, &word, 8);
        for (int i = 0; i < 8; i++) alone[at + i] = in[i];
        for (int size = 1; size <= 8; size *= 2)
            for (int from = 0; from + size <= WINDOW; from++) {
                uint64_t got = 0, expected = 0;
                memcpy(&got, window + from, (size_t)size);
                for (int i = 0; i < size; i++) expected |= (uint64_t)alone[from + i] << 8 * i;
                tamar_assert(got == expected);
            }
    }
}

// A fill over several pages, at each kind of boundary, writes every byte and none beyond.
static void fills(void) {
    static const int from[] = {0, 1, 2047, 2048, 4095}, sizes[] = {0, 1, 2048, 2049, 5000, 6143};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 6; k++) {
            for (int at = 0; at < 3 * PAGE; at += 512) space[at] = in[0];
            memset(space, 1, sizeof space);
            memset(space + from[i], 2, (size_t)sizes[k]);
            int good = 1;
            for (int at = 0; at < 3 * PAGE; at++)
                good &= space[at] == (at >= from[i] && at < from[i] + sizes[k] ? 2 : 1);
            tamar_assert(good);
        }
}

int main(void) {
    tamar_symbolic(in, sizeof in, "in");
    unsigned char *edge = (unsigned char *)(((uintptr_t)space + PAGE) & ~(uintptr_t)(PAGE - 1));
    unsigned char *places[] = {edge + 100, edge - 8, edge - 2048 - 8}; // Tamar's own pages are smaller
    fills();
    for (int i = 0; i < 3; i++) {
        moves(places[i]);
        words(places[i]);
    }
    return 0;
}
