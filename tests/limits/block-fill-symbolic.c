// As block-fill.c, after a branch on a symbolic byte: two states fill memory.
// limits: --max-time 10 --max-memory 300
#include <stdlib.h>
#include <string.h>
#include <tamar.h>
int main(void) {
    char c = (char)tamar_int("c");
    if (c > 3) c++;
    for (int i = 0;; i++) {
        char *p = malloc(1 << 20);
        memset(p, c, 1 << 20);
    }
}
