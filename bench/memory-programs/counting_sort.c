// Counting sort of eight symbolic bytes by their remainder modulo 128. The bound of `out` follows from a sum over all
// classes, which no layer can derive: not finite here.
// options: --sym-stdin 8
#include <stdio.h>
#include <tamar.h>

int main(void) {
    unsigned char in[8], out[8];
    unsigned starts[129] = {0};
    if (fread(in, 1, sizeof in, stdin) != sizeof in) return 1;
    for (int i = 0; i < 8; i++) starts[in[i] % 128 + 1]++;
    for (int i = 0; i < 128; i++) starts[i + 1] += starts[i];
    for (int i = 0; i < 8; i++) out[starts[in[i] % 128]++] = in[i];
    return out[0] == 'z' ? 2 : 0;
}
