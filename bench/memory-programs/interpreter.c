// An interpreter with 256 registers, indexed by its program: six symbolic instructions without jumps.
// paths: 4096
// options: --sym-stdin 18
#include <stdio.h>
#include <tamar.h>

static unsigned registers[256];

int main(void) {
    unsigned char code[18];
    if (fread(code, 1, sizeof code, stdin) != sizeof code) return 1;
    for (int i = 0; i < 256; i++) registers[i] = (unsigned)i;
    for (int at = 0; at < 18; at += 3) {
        unsigned *to = &registers[code[at + 1]], from = registers[code[at + 2]];
        switch (code[at] & 3) {
        case 0: *to = from; break;
        case 1: *to += from; break;
        case 2: *to ^= from; break;
        default: *to = code[at + 2];
        }
    }
    return registers[7] == 1000 ? 2 : 0;
}
