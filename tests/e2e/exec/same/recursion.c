// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#include <stdio.h>

static unsigned ackermann(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int is_odd(int n);
static int is_even(int n) { return n == 0 || is_odd(n - 1); }
static int is_odd(int n) { return n != 0 && is_even(n - 1); }
static void hanoi(int n, int from, int to, int via, int *moves) {
    if (!n) return;
    hanoi(n - 1, from, via, to, moves), ++*moves, hanoi(n - 1, via, to, from, moves);
}

int main(void) {
    int moves = 0;
    hanoi(10, 1, 3, 2, &moves);
    printf("%u %d %d %d\n", ackermann(2, 9), is_even(1001), is_odd(999), moves);
    return 0;
}
