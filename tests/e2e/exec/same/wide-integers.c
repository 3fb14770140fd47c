// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// 128-bit integers and _BitInt of odd widths.
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void show(const char *name, u128 x) {
    printf("%s %016llx%016llx\n", name, (unsigned long long)(x >> 64), (unsigned long long)x);
}

int main(int argc, char **argv) {
    u128 a = ((u128)0x123456789abcdef0u << 64) | 0xfedcba9876543210u, b = ((u128)3 << 64) | (unsigned)argc;
    i128 minus = -(i128)a;
    show("add", a + b), show("sub", b - a), show("mul", a * b), show("div", a / b), show("rem", a % b);
    show("sdiv", (u128)(minus / 1000003)), show("srem", (u128)(minus % 1000003));
    for (int shift = 0; shift < 128; shift += 21)
        show("shl", a << shift), show("shr", a >> shift), show("sar", (u128)(minus >> shift));
    show("double", (u128)(double)a), show("int", (u128)(i128)-1.5e30);
    printf("%d %d %d\n", a < b, minus < (i128)b, a == a + b - b);
    printf("%.17g %.17g\n", (double)a, (double)minus);
    unsigned _BitInt(37) odd = 0x1fffffffffwb - (unsigned)argc;
    _BitInt(17) small = -65536wb + argc;
    unsigned _BitInt(200) large = (unsigned _BitInt(200))a << 70 | 5;
    for (int i = 0; i < 5; i++) {
        odd = odd * 3 + 7, small = small / 2 - 3, large = large * 7 + odd;
        printf("%llx %d %llx %llx\n", (unsigned long long)odd, (int)small, (unsigned long long)large,
               (unsigned long long)(large >> 150));
    }
    int overflow = 0;
    unsigned long long product;
    overflow = __builtin_mul_overflow(0xffffffffffull, 0xffffffffffull, &product);
    printf("%d %llx\n", overflow, product);
    return 0;
}
