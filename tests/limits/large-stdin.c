// A megabyte of symbolic standard input, read and summed up.
// limits: --max-time 20 --max-memory 400 --sym-stdin 1000000
#include <unistd.h>
#include <stdio.h>
static unsigned char b[1000000];
int main(void) {
    long n = 0, got;
    while ((got = read(0, b + n, sizeof b - n)) > 0) n += got;
    unsigned s = 0;
    for (long i = 0; i < n; i++) {
        s += b[i];
        if (b[i] == 'x') puts("x");
    }
    return s == 77;
}
