// The histogram of a symbolic file of 32 bytes, and its largest class among a few.
// paths: 3
// options: --sym-stdin 32
#include <stdio.h>
#include <tamar.h>

static unsigned counts[256];

int main(void) {
    unsigned char bytes[32];
    if (fread(bytes, 1, sizeof bytes, stdin) != sizeof bytes) return 1;
    for (unsigned i = 0; i < sizeof bytes; i++) counts[bytes[i]]++;
    if (counts['a'] == 9) return 2;
    if (counts[0] > 30) return 3;
    return 0;
}
