// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef long long l4 __attribute__((vector_size(32)));

static void show(v4 v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }

int main(int argc, char **argv) {
    v4 a = {1 * argc, 2, -3, 4}, b = {10, 20, 30, -40 * argc};
    show(a + b), show(a * b), show(b / a), show(a < b), show(a << 3), show(-a ^ b);
    show(__builtin_shufflevector(a, b, 0, 5, 2, 7)), show(((a > 1) & a) | (~(a > 1) & b));
    f4 f = {1.5f * (float)argc, 2, 3, 4};
    f = f * f + 0.25f;
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    show(__builtin_convertvector(f, v4));
    b16 bytes = (b16)(a + b);
    unsigned total = 0;
    for (int i = 0; i < 16; i++) total = total * 31 + bytes[i];
    l4 l = {1, 2, 3, 4};
    l *= l + argc;
    l[argc] = 77;
    printf("%u %lld %lld %lld\n", total, l[0], l[1], l[3]);
    printf("%d\n", __builtin_reduce_add(a));
    return 0;
}
