// Bit-fields of every kind, unions as casts, packed and unaligned members.
// REQUIRES: exec
// RUN: %clang -O0 -ffp-contract=off %s -lm -o %t.native && %t.native >%t.expected
// RUN: %tamar exec %s >%t.actual
// RUN: diff %t.expected %t.actual
// RUN: %tamar exec %s -O2 >%t.optimised && diff %t.expected %t.optimised
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct fields {
    int a : 3;
    unsigned b : 5;
    int : 0;
    unsigned long long c : 40;
    long long d : 23;
    bool e : 1;
    signed char f : 7;
    short g : 11;
    unsigned h : 32;
};
struct __attribute__((packed)) tight {
    char tag;
    int number;
    unsigned x : 13;
    unsigned y : 20;
    double d;
    uint16_t last;
};
union any {
    float f;
    uint32_t u;
    int32_t i;
    uint8_t bytes[4];
    struct {
        unsigned fraction : 23, exponent : 8, sign : 1;
    } parts;
};

static uint64_t check;
static void mix(uint64_t value) { check = (check ^ value) * 0x100000001b3 + (check >> 29); }

static struct fields step(struct fields s, int i) {
    s.a += i;
    s.b -= (unsigned)i * 3;
    s.c = s.c * 1000003 + (unsigned)i;
    s.d ^= s.c >> 7;
    s.e = !s.e ^ (i & 4);
    s.f = (signed char)(s.f * 5 + 1);
    s.g <<= 1;
    s.g |= i & 1;
    s.h++;
    return s;
}

int main(void) {
    static volatile int start = 3;
    struct fields s;
    memset(&s, 0, sizeof s);
    for (int i = start; i < 200; i++) {
        s = step(s, i);
        mix((uint64_t)s.a);
        mix(s.b);
        mix(s.c);
        mix((uint64_t)s.d);
        mix(s.e);
        mix((uint64_t)s.f);
        mix((uint64_t)s.g);
        mix(s.h);
        mix(s.a < (int)s.b);
        mix((uint64_t)(s.b - 20 < 0)); // unsigned, but narrower than int: promotes to int
    }
    printf("fields %zu %016llx\n", sizeof s, (unsigned long long)check);
    struct tight t[3];
    memset(t, 0, sizeof t);
    for (int i = 0; i < 100; i++) {
        struct tight *p = &t[i % 3];
        p->tag++;
        p->number -= i * 77;
        p->x += 4099;
        p->y ^= p->x << 5;
        p->d = p->d * 1.5 + i;
        p->last += (uint16_t)p->y;
    }
    const unsigned char *raw = (const unsigned char *)t;
    for (size_t i = 0; i < sizeof t; i++) mix(raw[i]);
    printf("packed %zu %016llx\n", sizeof t, (unsigned long long)check);
    union any x;
    for (int i = 0; i < 50; i++) {
        x.f = (float)(i * start) / 7 - 5;
        mix(x.u);
        mix(x.parts.exponent);
        x.parts.sign ^= 1;
        x.parts.exponent += 2;
        mix((uint64_t)(x.f * 1000));
        x.bytes[1] = (uint8_t)i;
        mix((uint64_t)x.i);
    }
    printf("unions %016llx\n", (unsigned long long)check);
    return 0;
}
