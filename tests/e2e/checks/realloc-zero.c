// realloc(p, 0) frees and returns NULL, as in glibc.
// RUN: %tamar exec --check leak %s
// RUN: sed 's/REUSE 0/REUSE 1/' %s >%t.c && status 125 %tamar exec -w %t.c 2>&1 | grep "tamar: use-after-free"
// REQUIRES: exec
#include <stdlib.h>

#define REUSE 0

int main(void) {
    char *p = malloc(4);
    if (!p || realloc(p, 0)) return 1;
    if (REUSE) return p[0];
    char *q = reallocarray(malloc(8), 3, 0);
    return q != NULL;
}
