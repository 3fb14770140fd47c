// An object of four gigabytes that is made symbolic.
// limits: --max-time 15 --max-memory 4000
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
    unsigned long n = 4ul << 30;
    char *p = malloc(n);
    if (!p) return 2;
    klee_make_symbolic(p, n, "p");
    return p[n - 1] == 3;
}
