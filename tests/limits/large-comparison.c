// Operations on blocks of 64 MB: one comparison or copy takes longer than the step of a path.
// limits: --sym-stdin 1 --max-time 6 --max-memory 400
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int c = getchar();
    char *a = malloc(64 << 20), *b = malloc(64 << 20);
    for (;;) {
        memset(a, c, 64 << 20);
        memcpy(b, a, 64 << 20);
        if (memcmp(a, b, 64 << 20)) abort();
    }
}
