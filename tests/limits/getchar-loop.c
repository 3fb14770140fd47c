// Input of any length up to 100,000: a state waits at every byte.
// limits: --max-time 15 --sym-stdin 0..100000
#include <stdio.h>
int main(void) {
    int c, n = 0;
    while ((c = getchar()) != EOF) n += c == 'a';
    return n == 1000;
}
