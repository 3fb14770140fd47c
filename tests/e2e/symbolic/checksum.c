// Finds inputs with a given CRC. A CRC, computed bit by bit or eight bytes at once by tables (as in cksum and zlib), is
// a system of linear equations over bits, which Gaussian elimination solves. This also works for a checksum that is
// printed in decimal.
// RUN: rm -rf %t && mkdir %t
// RUN: status 1 %tamar run --out %t/table %s --sym-stdin 16 >%t/table.txt && FileCheck %s <%t/table.txt
// RUN: %tamar cc -DBITS %s -o %t/bits && status 1 %tamar run --out %t/bits.out %t/bits --sym-stdin 16 >%t/bits.txt
// RUN: FileCheck %s <%t/bits.txt
// RUN: %tamar replay %t/table | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define POLYNOMIAL 0xedb88320u

static uint32_t table[8][256];

static uint32_t byte_by_bits(uint32_t crc) {
    for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (POLYNOMIAL & -(crc & 1));
    return crc;
}

static void prepare(void) {
    for (uint32_t i = 0; i < 256; i++) {
        table[0][i] = byte_by_bits(i);
        for (int k = 1; k < 8; k++) table[k][i] = byte_by_bits(table[k - 1][i]);
    }
}

static uint32_t checksum(const unsigned char *at, size_t size) {
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i += 8) {
#ifdef BITS
        for (int k = 0; k < 8; k++) crc = byte_by_bits(crc ^ at[i + k]);
#else
        for (int k = 0; k < 4; k++) crc ^= (uint32_t)at[i + k] << 8 * k;
        uint32_t next = 0;
        for (int k = 0; k < 4; k++) next ^= table[7 - k][crc >> 8 * k & 0xff] ^ table[3 - k][at[i + 4 + k]];
        crc = next;
#endif
    }
    return ~crc;
}

int main(void) {
    unsigned char chunk[16];
    prepare();
    if (fread(chunk, 1, sizeof chunk, stdin) != sizeof chunk) return 1;
    for (int i = 0; i < 3; i++)
        if (chunk[i] < 'A' || chunk[i] > 'Z') return 2;
    if (chunk[3] != chunk[4] + 1) return 3;
    uint32_t found = checksum(chunk, sizeof chunk);
    // CHECK: tamar: abort: {{.*}}checksum.c:[[#@LINE+1]]
    if (found == 0xcafebabe && chunk[5] < 4) abort();
    printf("%u\n", found);
    return 0;
}
// CHECK: every path was explored
// CHECK-NOT: given up
// REPLAY: 1 of 1 that show a bug confirmed
