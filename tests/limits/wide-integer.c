// Z3 takes hundreds of megabytes for the bits of a division of 4096 bits, and meanwhile ignores interruptions.
// limits: --sym-stdin 512 --max-time 6 --max-memory 300
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned _BitInt(4096) x = 0;
    for (int i = 0; i < 512; i++) x = x << 8 | (unsigned char)getchar();
    for (unsigned k = 0;; k++) {
        x = x * x + k;
        if (x % 1000003 == 7) abort();
        x /= (x & 0xffff) + 3;
    }
}
