// An object of eight megabytes that is made symbolic.
// limits: --max-time 3
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
    unsigned long n = 8ul << 20;
    char *p = malloc(n);
    if (!p) return 2;
    klee_make_symbolic(p, n, "p");
    return p[n - 1] == 3;
}
