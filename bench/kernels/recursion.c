// Calls: Fibonacci, Ackermann, and queens by backtracking.
#include <stdio.h>

#ifndef ROUNDS
#define ROUNDS 60
#define NUMBER 42
#define QUEENS 12
#endif

static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) return n + 1;
    return ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}

static unsigned queens(unsigned all, unsigned columns, unsigned left, unsigned right) {
    if (columns == all) return 1;
    unsigned count = 0;
    for (unsigned places = all & ~(columns | left | right); places;) {
        unsigned place = places & -places;
        places ^= place;
        count += queens(all, columns | place, (left | place) << 1, (right | place) >> 1);
    }
    return count;
}

int main(void) {
    unsigned total = 0;
    for (int i = 0; i < ROUNDS; i++) total = total * 7 + ackermann(2, 300) + ackermann(3, 6);
    printf("%u %u %u\n", fibonacci(NUMBER), total, queens((1u << QUEENS) - 1, 0, 0, 0));
    return 0;
}
