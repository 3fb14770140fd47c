// Endless recursion with a symbolic argument.
// limits: --max-time 10 --max-memory 500
#include <tamar.h>
int down(int n, int d) {
    volatile int here = n + d;
    return down(n + 1, d + 1) + here;
}
int main(void) { return down(tamar_int("n"), 0); }
