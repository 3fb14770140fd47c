// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv) {
    uint64_t x = 0x00f0123456789abcull * (unsigned)argc;
    printf("%d %d %d %d\n", __builtin_popcountll(x), __builtin_clzll(x), __builtin_ctzll(x << 5),
           __builtin_ffs(0x40));
    printf("%x %x %llx\n", __builtin_bswap16(0x1234 * argc), __builtin_bswap32((uint32_t)x),
           (long long)__builtin_bswap64(x));
    printf("%llx %x %x\n", (long long)__builtin_bitreverse64(x), __builtin_rotateleft32((uint32_t)x, 13),
           __builtin_rotateright8((uint8_t)x, 3));
    int r;
    printf("%d %d\n", __builtin_add_overflow(2147483647, argc, &r), r);
    printf("%d %d\n", __builtin_sub_overflow(-2147483647 - 1, argc, &r), r);
    unsigned char c;
    printf("%d %d\n", __builtin_mul_overflow(100, 3 * argc, &c), c);
    unsigned carry = 0;
    unsigned sum = __builtin_addc(0xffffffffu, (unsigned)argc, 0, &carry);
    printf("%u %u\n", sum, carry);
    printf("%d %d %d\n", __builtin_parity(7 * argc), __builtin_abs(-3 * argc), __builtin_clz(1u * argc));
    printf("%ld %d\n", __builtin_expect(argc, 1), __builtin_constant_p(3));
    printf("%g %g %d\n", __builtin_fmin(1.0 * argc, 2), __builtin_copysign(3.0 * argc, -1.0),
           __builtin_isnan(0.0 / (argc - 1)) != 0);
    return 0;
}
