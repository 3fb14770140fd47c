// Recursion two million frames deep with a symbolic argument, in a stack that allows it.
// limits: --max-time 10 --max-memory 500 --stack-size 1024
#include <tamar.h>
int down(int n, int d) { return d == 2000000 ? n : down(n + 1, d + 1) ^ d; }
int main(void) { return down(tamar_int("n"), 0) == 12345; }
