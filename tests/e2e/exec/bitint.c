// _BitInt of many widths: wrap-around, signs, shifts, division, conversions, structs and arrays of them.
// REQUIRES: exec
// RUN: %clang -O0 -ffp-contract=off %s -lm -o %t.native && %t.native >%t.expected
// RUN: %tamar exec %s >%t.actual
// RUN: diff %t.expected %t.actual
// RUN: %tamar exec %s -O2 >%t.optimised && diff %t.expected %t.optimised
#include <stdio.h>

static unsigned long long state = 88172645463325252u;
static unsigned long long next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

#define DEFINE(N)                                                                                            \
    static void run_##N(void) {                                                                              \
        typedef unsigned _BitInt(N) u;                                                                       \
        typedef _BitInt(N) s;                                                                                \
        u check = 1, values[8];                                                                              \
        for (int i = 0; i < 8; i++) {                                                                        \
            u value = 0;                                                                                     \
            for (int j = 0; j < N; j += 64) value = (N > 64 ? value << (N > 64 ? 63 : 0) : 0) ^ (u)next();   \
            values[i] = i == 0 ? (u)0 : i == 1 ? ~(u)0 : i == 2 ? (u)1 << (N - 1) : i == 3 ? (u)5 : value;   \
        }                                                                                                    \
        for (int i = 0; i < 64; i++) {                                                                       \
            u a = values[i / 8], b = values[i % 8];                                                          \
            check = check * 29 + (u)(a + b) * 3 + (u)(a - b) * 5 + a * b;                                    \
            if (b) check = check * 29 + a / b + a % b;                                                       \
            if (b && !(b == (u)~(u)0 && a == (u)1 << (N - 1)))                                               \
                check = check * 29 + (u)((s)a / (s)b) + (u)((s)a % (s)b);                                    \
            check += (u)(a << (i * 7 % N)) ^ (a >> (i * 5 % N)) ^ (u)((s)a >> (i * 3 % N));                  \
            check += (u)((a < b) + 2 * ((s)a < (s)b) + 4 * (a == b));                                        \
            check += (u)(unsigned long long)a + (u)(long long)(s)b + (u)(int)(s)a + (u)(signed char)(s)b;    \
        }                                                                                                    \
        printf("%4d ", N);                                                                                   \
        for (int i = (N + 63) / 64 - 1; i >= 0; i--)                                                         \
            printf("%016llx", (unsigned long long)(check >> (i * 64 < N ? i * 64 : 0)));                     \
        printf("\n");                                                                                        \
    }
#define WIDTHS(W)                                                                                            \
    W(3) W(7) W(8) W(9) W(15) W(17) W(24) W(31) W(33) W(48) W(63) W(64) W(65) W(100) W(127) W(128) W(129) W(192)     \
    W(200) W(256) W(511)
WIDTHS(DEFINE)

struct mixed {
    char c;
    _BitInt(37) narrow;
    _BitInt(70) wide;
    unsigned _BitInt(3) tiny;
};

static _BitInt(200) widen(struct mixed m) { return (_BitInt(200))m.wide << 120 | (_BitInt(200))m.narrow; }

int main(void) {
#define RUN(N) run_##N();
    WIDTHS(RUN)
    struct mixed m[2] = {{'a', -5, -1234567890123456789, 6}, {'b', 77, 1, 1}};
    m[1].narrow = (_BitInt(37))(m[0].narrow * 1000003);
    m[1].tiny += 7;
    _BitInt(200) w = widen(m[0]);
    printf("%zu %zu %lld %u %llx %llx\n", sizeof m, sizeof(_BitInt(70)), (long long)m[1].narrow, (unsigned)m[1].tiny,
           (unsigned long long)(w >> 130), (unsigned long long)w);
    double volatile d = -1e30;
    printf("%a %a\n", (double)(_BitInt(200))d, (double)(w * 3));
    return 0;
}
