// Blocks of megabytes that are allocated and filled: one call each, but all of the memory.
// limits: --max-time 10 --max-memory 300
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int i = 0;; i++) {
        char *p = malloc(1 << 20);
        memset(p, i, 1 << 20);
    }
}
