// The sieve of Eratosthenes over 30 MB: simple loops, memory beyond the caches.
#include <stdio.h>
#include <stdlib.h>

#ifndef LIMIT
#define LIMIT 30000000
#endif
#define ROUNDS 3

int main(void) {
    unsigned char *composite = malloc(LIMIT);
    unsigned long total = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < LIMIT; i++) composite[i] = 0;
        for (unsigned i = 2; i * i < LIMIT; i++)
            if (!composite[i])
                for (unsigned j = i * i; j < LIMIT; j += i) composite[j] = 1;
        for (unsigned i = 2; i < LIMIT; i++)
            if (!composite[i]) total += i ^ (unsigned)round;
    }
    printf("%lu\n", total);
    free(composite);
    return 0;
}
