// Allocates and fills blocks of a megabyte, with one call each, until the memory is used up.
// limits: --max-time 10 --max-memory 300
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int i = 0;; i++) {
        char *p = malloc(1 << 20);
        memset(p, i, 1 << 20);
    }
}
