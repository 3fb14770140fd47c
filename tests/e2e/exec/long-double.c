// long double is 80 bits: arithmetic, conversions, denormals and odd encodings, as bytes.
// REQUIRES: exec
// RUN: %clang -O0 -ffp-contract=off %s -lm -o %t.native && %t.native >%t.expected
// RUN: %tamar exec %s >%t.actual
// RUN: diff %t.expected %t.actual
// RUN: %tamar exec %s -O2 >%t.optimised && diff %t.expected %t.optimised
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static volatile struct {
    uint64_t low;
    uint16_t high;
} values[] = {{0, 0},
              {0, 0x8000},
              {0x8000000000000000, 0x3fff},
              {0x8000000000000000, 0xbfff},
              {1, 0},
              {0x7fffffffffffffff, 0},
              {0x8000000000000000, 1},
              {0xffffffffffffffff, 0x7ffe},
              {0x8000000000000000, 0x7fff},
              {0x8000000000000000, 0xffff},
              {0xc000000000000123, 0x7fff},
              {0xa000000000000456, 0xffff},
              {0x8000000000000001, 0x3ffe},
              {0xc90fdaa22168c235, 0x4000},
              {0x8000000000000000, 0x403e},
              {0xffffffffffffffff, 0x403e},
              {0x8000000000000001, 0xc01e},
              {0x8000000000000001, 0},      /* the integer bit with exponent zero */
              {0x1234, 0x4000},             /* no number at all */
              {0xaaaaaaaaaaaaaaab, 0x3ffd}};
enum { count = 20 };

static uint64_t check;
static void mix(uint64_t value) { check = (check ^ value) * 0x100000001b3 + (check >> 29); }
static void mix_long(long double value) {
    uint64_t bits[2] = {0, 0};
    memcpy(bits, &value, 10);
    mix(bits[0]);
    mix(bits[1]);
}
static long double get(int i) {
    long double value;
    uint64_t low = values[i].low;
    uint16_t high = values[i].high;
    memcpy(&value, &low, 8);
    memcpy((char *)&value + 8, &high, 2);
    return value;
}
static void say(const char *name) { printf("%-12s %016llx\n", name, (unsigned long long)check); }

struct holder {
    char c;
    long double value;
    int i;
};
static struct holder change(struct holder h) {
    h.value /= h.i;
    h.c++;
    return h;
}
static long double total(int n, ...) {
    va_list list;
    long double sum = 0;
    va_start(list, n);
    while (n--) sum += va_arg(list, long double);
    va_end(list);
    return sum;
}

int main(void) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            long double a = get(i), b = get(j);
            mix_long(a + b);
            mix_long(a - b);
            mix_long(a * b);
            mix_long(a / b);
            mix((uint64_t)((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b)));
        }
    say("arithmetic");
    for (int i = 0; i < count; i++) {
        long double a = get(i);
        double d = (double)a;
        float f = (float)a;
        uint64_t bits = 0;
        memcpy(&bits, &d, 8);
        mix(bits);
        bits = 0;
        memcpy(&bits, &f, 4);
        mix(bits);
        mix_long(d);
        mix_long(f);
        mix_long(-a);
        mix_long(__builtin_fabsl(a));
        mix((uint64_t)(int8_t)a);
        mix((uint64_t)(uint8_t)a);
        mix((uint64_t)(int16_t)a);
        mix((uint64_t)(uint16_t)a);
        mix((uint64_t)(int32_t)a);
        mix((uint64_t)(uint32_t)a);
        mix((uint64_t)(int64_t)a);
        mix((uint64_t)a);
        mix((uint64_t)(__builtin_isnan(a) + 2 * __builtin_isinf(a) + 4 * (__builtin_signbit(a) != 0)));
    }
    say("conversions");
    for (int64_t n = 1; n < INT64_MAX / 4; n = n * 3 + 1) {
        mix_long((long double)n);
        mix_long((long double)-n);
        mix_long((long double)((uint64_t)n * 2 + 1));
        mix_long((long double)(int32_t)n);
        mix_long((long double)((__int128)n * n));
    }
    say("integers");
    struct holder h = {'a', get(13), 7};
    h = change(change(h));
    mix_long(h.value);
    mix_long(total(3, get(13), get(19), (long double)h.c));
    long double x = 1, y = get(19);
    for (int i = 0; i < 5000; i++) {
        x = x * y + 1 / (x + 3);
        y = y + x / 1000003 - y * y / 7;
        mix_long(x);
    }
    say("chain");
    printf("%zu %zu %.20Lg\n", sizeof h, _Alignof(long double), h.value);
    return 0;
}
