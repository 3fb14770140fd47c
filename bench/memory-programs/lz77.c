// LZ77 with a window of 4,096 bytes, or of 32,768 as in deflate: two copies at symbolic distances, then a literal.
// paths: 64
// options: --sym-stdin 7
// variants: WINDOW=4096 WINDOW=32768
#include <stdio.h>
#include <string.h>
#include <tamar.h>

#ifndef WINDOW
#define WINDOW 4096
#endif

int main(void) {
    static unsigned char out[2 * WINDOW];
    unsigned char in[7];
    unsigned at = WINDOW;
    if (fread(in, 1, sizeof in, stdin) != sizeof in) return 1;
    for (unsigned i = 0; i < at; i++) out[i] = (unsigned char)(i * 7 + i / 256);
    for (unsigned i = 0; i < 2; i++) {
        unsigned distance = (in[3 * i] | (unsigned)in[3 * i + 1] << 8) % WINDOW + 1, length = in[3 * i + 2] % 8 + 3;
        for (unsigned k = 0; k < length; k++, at++) out[at] = out[at - distance];
    }
    out[at++] = in[6];
    return out[WINDOW + 4] == 'x' ? 2 : 0;
}
