// A solver that gives hardly any answer: no report is made and nothing is proved, whatever is asked (subscripts, targets of
// pointers and calls, divisors, sizes, assertions), in every mode. With SAT every answer is there.
// RUN: rm -rf %t && mkdir %t && cd %t && bash %S/Inputs/unknown-answers.bash %s
// REQUIRES: run
#include <stdlib.h>
#include <string.h>
#include <tamar.h>

static int table[8], other[64], *many[12];
static int twice(int x) { return 2 * x; }
static int (*const calls[4])(int) = {twice, abs, twice, abs};

int main(void) { // all of it is correct, but that takes a proof
    unsigned a = (unsigned)tamar_int("a"), b = (unsigned)tamar_int("b"), c = a * 2654435761u ^ b * 40503u;
    for (int i = 0; i < 12; i++) many[i] = i % 3 ? &table[i % 8] : malloc(4 + (unsigned)i);
    unsigned k = c % 8;
    int s = table[k] + *many[c % 12 / 2 * 2 % 12] * 0;
    other[(c ^ a) & 63] = 1;
    s += calls[c & 3](5);
    s += 100 / (int)(c % 5 + 1);
    tamar_assert(k < 8);
    char *p = malloc(c % 16 + 1);
    memset(p, 1, c % 16 + 1);
    p[c % 16] = 2;
    memmove(table, other, c % 9 * 4 > 32 ? 0 : c % 9 * 4 / 4 * 4 % 33);
    free(p);
    return s & 1;
}
