// RC4's key schedule (256 rounds), or its first ROUNDS rounds, with a symbolic key of four bytes.
// paths: 2
// options: --sym-stdin 4
// variants: ROUNDS=16 ROUNDS=64 ROUNDS=256
#include <stdio.h>
#include <tamar.h>

#ifndef ROUNDS
#define ROUNDS 256
#endif

int main(void) {
    unsigned char state[256], key[4], j = 0;
    if (fread(key, 1, sizeof key, stdin) != sizeof key) return 1;
    for (int i = 0; i < 256; i++) state[i] = (unsigned char)i;
    for (int i = 0; i < ROUNDS; i++) {
        j = (unsigned char)(j + state[i] + key[i % 4]);
        unsigned char other = state[i];
        state[i] = state[j];
        state[j] = other;
    }
    if (state[0] == 77) return 2;
    return state[1] == key[0];
}
