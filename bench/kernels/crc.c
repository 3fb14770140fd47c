// CRC-32 by table over a buffer that fits the caches: byte loads, shifts, table look-ups.
#include <stdint.h>
#include <stdio.h>

#define SIZE (1 << 20)
#ifndef ROUNDS
#define ROUNDS 450
#endif

static uint32_t table[256];
static uint8_t buffer[SIZE];

static uint32_t crc(const uint8_t *at, unsigned size, uint32_t value) {
    for (unsigned i = 0; i < size; i++) value = table[(value ^ at[i]) & 0xff] ^ (value >> 8);
    return value;
}

int main(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    for (unsigned i = 0; i < SIZE; i++) buffer[i] = (uint8_t)(i * 2654435761u >> 24);
    uint32_t value = 0xffffffffu;
    for (int round = 0; round < ROUNDS; round++) value = crc(buffer, SIZE, value);
    printf("%08x\n", value);
    return 0;
}
