// __int128: arithmetic, shifts, comparisons, divisions, a modular power; passed by value and as variadic arguments.
// REQUIRES: exec
// RUN: %clang -O0 -ffp-contract=off %s -lm -o %t.native && %t.native >%t.expected
// RUN: %tamar exec %s >%t.actual
// RUN: diff %t.expected %t.actual
// RUN: %tamar exec %s -O2 >%t.optimised && diff %t.expected %t.optimised
#include <stdarg.h>
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

struct pair {
    char before;
    i128 value;
};

static void say(const char *name, u128 value) {
    printf("%-12s %016llx%016llx\n", name, (unsigned long long)(value >> 64), (unsigned long long)value);
}

static i128 sum(int count, ...) {
    va_list list;
    i128 total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) total += va_arg(list, i128);
    va_end(list);
    return total;
}

// Other arguments before and between, so that registers are left for both, for one or for none. (With one register left,
// clang itself passes an __int128 in another way than va_arg reads it.)
static long among(int count, ...) {
    va_list list;
    long total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) total = total * 10 + va_arg(list, int);
    for (int i = 0; i < 2; i++) {
        i128 wide = va_arg(list, i128);
        total = total * 100 + (long)(wide >> 64) * 10 + (long)wide;
        total = total * 10 + va_arg(list, int);
    }
    va_end(list);
    return total;
}

static struct pair twice(struct pair pair) {
    pair.value *= 2;
    return pair;
}

static u128 power(u128 base, unsigned exponent, u128 modulus) {
    u128 result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = result * base % modulus;
        base = base * base % modulus;
    }
    return result;
}

int main(void) {
    i128 wide = (i128)5 << 64 | 6;
    printf("%ld %ld\n", among(0, wide, 2, wide + 1, 3), among(2, 1, 2, wide, 2, wide + 1, 3));
    printf("%ld\n", among(3, 1, 2, 3, wide, 2, wide + 1, 3));
    printf("%ld\n", among(6, 1, 2, 3, 4, 5, 6, wide, 2, wide + 1, 3));
    static volatile unsigned long long words[] = {0, 1, 2, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
                                                  0x123456789abcdef0, 10000000000000000000u};
    enum { count = sizeof words / sizeof words[0] };
    u128 check = 0;
    for (int i = 0; i < count * count; i++)
        for (int j = 0; j < count * count; j++) {
            u128 a = (u128)words[i / count] << 64 | words[i % count], b = (u128)words[j / count] << 64 | words[j % count];
            check = check * 31 + (a + b);
            check = check * 31 + (a - b);
            check = check * 31 + (a * b);
            if (b) check = check * 31 + a / b + a % b;
            if (b && !(b == (u128)-1 && a == (u128)1 << 127))
                check = check * 31 + (u128)((i128)a / (i128)b) + (u128)((i128)a % (i128)b);
            check = check * 31 + (a << (j % 128)) + (a >> (j % 128)) + (u128)((i128)a >> (j % 128));
            check = check * 31 + (a < b) + 2 * ((i128)a < (i128)b) + 4 * (a == b) + 8 * ((i128)a >= (i128)b);
            check ^= (a & b) | (a ^ ~b);
        }
    say("check", check);
    say("sum", (u128)sum(3, (i128)words[5] << 60, (i128)-1, (i128)words[6]));
    struct pair pair = {1, -(i128)words[6] * 1000};
    say("twice", (u128)twice(pair).value);
    say("power", power(words[6], 1000003, (u128)words[3] * 2 - 57));
    say("long", (u128)(long)words[5]);
    say("unsigned", (u128)(unsigned)words[6]);
    say("double", (u128)((double)words[6] * 1e18));
    say("negative", (u128)(i128)((double)words[6] * -1e15));
    printf("%a %a\n", (double)check, (double)(i128)check);
    printf("%.6e\n", (double)(float)check);
    switch (words[1] + (u128)words[2] * 4) {
    case 9: puts("nine"); break;
    default: puts("other");
    }
    return 0;
}
