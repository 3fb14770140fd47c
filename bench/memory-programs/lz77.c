// LZ77 with a window of 4,096 bytes: two copies at symbolic distances, then a literal.
// paths: 64
// options: --sym-stdin 7
#include <stdio.h>
#include <string.h>
#include <tamar.h>

int main(void) {
    static unsigned char out[8192];
    unsigned char in[7];
    unsigned at = 4096;
    if (fread(in, 1, sizeof in, stdin) != sizeof in) return 1;
    for (unsigned i = 0; i < at; i++) out[i] = (unsigned char)(i * 7 + i / 256);
    for (unsigned i = 0; i < 2; i++) {
        unsigned distance = (unsigned)(in[3 * i] | (in[3 * i + 1] & 15) << 8) + 1, length = in[3 * i + 2] % 8 + 3;
        for (unsigned k = 0; k < length; k++, at++) out[at] = out[at - distance];
    }
    out[at++] = in[6];
    return out[4100] == 'x' ? 2 : 0;
}
