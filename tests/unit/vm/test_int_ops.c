// Integer functions against the compiler's operations on _BitInt types.
#include "../check.h"
#include "base/random.h"
#include "vm/numeric.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define MAX_SLOTS 129

static struct random random_state = {20240607};

static void trim(uint64_t *a, unsigned width) {
    if (width % 64) a[width / 64] &= mask_bits(width % 64);
}

// Random limbs with long runs of zeros and ones, small and large magnitudes, and the special values.
static void random_value(uint64_t *a, unsigned width) {
    unsigned slots = ir_slots(width), kind = (unsigned)random_below(&random_state, 16);
    for (unsigned i = 0; i < slots; i++) {
        uint64_t limb = random_next(&random_state);
        unsigned style = (unsigned)random_below(&random_state, 4);
        a[i] = style == 0 ? 0 : style == 1 ? ~(uint64_t)0 : style == 2 ? (limb & 1 ? 1ull << 63 : 1) : limb;
        if (kind < 8) a[i] = limb;
    }
    unsigned bit = (unsigned)random_below(&random_state, width);
    switch (kind) {
    case 0: memset(a, 0, slots * 8); break;
    case 1: memset(a, 255, slots * 8); break;
    case 2: // a power of two, or one less
        memset(a, 0, slots * 8);
        a[bit / 64] = 1ull << bit % 64;
        break;
    case 3:
        memset(a, 0, slots * 8);
        for (unsigned i = 0; i < bit; i++) a[i / 64] |= 1ull << i % 64;
        break;
    case 4: // INT_MIN
        memset(a, 0, slots * 8);
        a[(width - 1) / 64] = 1ull << (width - 1) % 64;
        break;
    case 5: // small
    case 9:
        memset(a, 0, slots * 8);
        a[0] = random_below(&random_state, 300);
        break;
    case 6: // truncated to a random width
    case 10:
    case 11:
        for (unsigned i = bit; i < width; i++) a[i / 64] &= ~(1ull << i % 64);
        break;
    case 7: // small and negative
        memset(a, 255, slots * 8);
        a[0] -= random_below(&random_state, 300);
        break;
    default: break;
    }
    trim(a, width);
}

static void show(const char *what, const uint64_t *a, unsigned slots) {
    assert(a);
    print_error("%s ", what);
    for (unsigned i = slots; i-- > 0;) print_error("%016llx ", (unsigned long long)a[i]);
    print_error("\n");
}

static unsigned long checked;

static void expect(enum ir_fn fn, unsigned width, unsigned to, const uint64_t *a, const uint64_t *b,
                   const uint64_t *c, const uint64_t *wanted) {
    const struct ir_fn_info *info = &ir_fn_info[fn];
    unsigned slots = info->result == 'B' ? 1 : ir_slots(info->result == 'C' ? to : width);
    if (info->result == 'V') slots++;
    uint64_t got[MAX_SLOTS + 2], guard = 0x5a5a5a5a5a5a5a5a;
    got[slots] = guard;
    int_evaluate(fn, width, to, got, a, b, c);
    bool fine = memcmp(got, wanted, slots * 8) == 0 && got[slots] == guard;
    // dst may be any of the operands
    const uint64_t *operands[] = {a, b, c};
    for (unsigned i = 0; i < info->arity && fine; i++) {
        assert(operands[i]);
        uint64_t aliased[MAX_SLOTS + 2];
        memcpy(aliased, operands[i], ir_slots(width) * 8);
        int_evaluate(fn, width, to, aliased, i == 0 ? aliased : a, i == 1 ? aliased : b,
                     i == 2 ? aliased : c);
        fine = memcmp(aliased, wanted, slots * 8) == 0;
        if (!fine) memcpy(got, aliased, slots * 8);
    }
    if (!fine) {
        print_error("%s at %u to %u\n", info->name, width, to);
        show("a     ", a, ir_slots(width));
        if (info->arity > 1) show("b     ", b, ir_slots(width));
        if (info->arity > 2) show("c     ", c, ir_slots(width));
        show("wanted", wanted, slots);
        show("got   ", got, slots);
        fail();
    }
    checked++;
}

// Loads a value, and stores one with the bits above the width cleared.
#define LOAD(type, from)                                                                                     \
    ({                                                                                                       \
        type value_;                                                                                         \
        memcpy(&value_, from, sizeof value_);                                                                \
        value_;                                                                                              \
    })
#define STORE(to, value, width)                                                                              \
    do {                                                                                                     \
        __typeof__(value) value_ = (value);                                                                  \
        memset(to, 0, (MAX_SLOTS + 1) * 8);                                                                  \
        memcpy(to, &value_, sizeof value_);                                                                  \
        trim(to, width);                                                                                     \
    } while (0)

#define EXPECT(FN, value)                                                                                    \
    do {                                                                                                     \
        STORE(r, (u)(value), width);                                                                         \
        expect(IR_FN_##FN, width, width, a, b, c, r);                                                        \
    } while (0)
#define EXPECT_BIT(FN, value)                                                                                \
    do {                                                                                                     \
        r[0] = (value);                                                                                      \
        expect(IR_FN_##FN, width, width, a, b, c, r);                                                        \
    } while (0)
#define EXPECT_OVERFLOW(FN, type, builtin)                                                                   \
    do {                                                                                                     \
        type result_;                                                                                        \
        bool overflow_ = builtin((type)x, (type)y, &result_);                                                \
        STORE(r, (u)result_, width);                                                                         \
        r[ir_slots(width)] = overflow_;                                                                      \
        expect(IR_FN_##FN, width, width, a, b, c, r);                                                        \
    } while (0)

// Functions that the compiler can compute at every width. W has twice the bits.
#define DEFINE_COMMON(N)                                                                                     \
    static                                                                                                   \
        __attribute__((noinline)) void common_##N(const uint64_t *a, const uint64_t *b, const uint64_t *c) { \
        typedef unsigned _BitInt(N) u;                                                                       \
        typedef _BitInt(N) s;                                                                                \
        typedef unsigned _BitInt(2 * N) w;                                                                   \
        enum { width = N };                                                                                  \
        uint64_t r[MAX_SLOTS + 1];                                                                           \
        u x = LOAD(u, a), y = LOAD(u, b), z = LOAD(u, c), lowest = (u)1 << (N - 1);                          \
        s sx = (s)x, sy = (s)y;                                                                              \
        EXPECT(ADD, x + y);                                                                                  \
        EXPECT(SUB, x - y);                                                                                  \
        EXPECT(AND, x &y);                                                                                   \
        EXPECT(OR, x | y);                                                                                   \
        EXPECT(XOR, x ^ y);                                                                                  \
        if (y != 0) {                                                                                        \
            EXPECT(UDIV, x / y);                                                                             \
            EXPECT(UREM, x % y);                                                                             \
            if (!(x == lowest && sy == -1)) {                                                                \
                EXPECT(SDIV, sx / sy);                                                                       \
                EXPECT(SREM, sx % sy);                                                                       \
            }                                                                                                \
        }                                                                                                    \
        EXPECT_BIT(EQ, x == y);                                                                              \
        EXPECT_BIT(NE, x != y);                                                                              \
        EXPECT_BIT(ULT, x < y);                                                                              \
        EXPECT_BIT(ULE, x <= y);                                                                             \
        EXPECT_BIT(UGT, x > y);                                                                              \
        EXPECT_BIT(UGE, x >= y);                                                                             \
        EXPECT_BIT(SLT, sx < sy);                                                                            \
        EXPECT_BIT(SLE, sx <= sy);                                                                           \
        EXPECT_BIT(SGT, sx > sy);                                                                            \
        EXPECT_BIT(SGE, sx >= sy);                                                                           \
        EXPECT(ABS, sx < 0 ? -x : x);                                                                        \
        EXPECT(UMIN, x < y ? x : y);                                                                         \
        EXPECT(UMAX, x > y ? x : y);                                                                         \
        EXPECT(SMIN, sx < sy ? x : y);                                                                       \
        EXPECT(SMAX, sx > sy ? x : y);                                                                       \
        EXPECT(CTPOP, __builtin_popcountg(x));                                                               \
        EXPECT(CTLZ, x ? __builtin_clzg(x) : N);                                                             \
        EXPECT(CTTZ, x ? __builtin_ctzg(x) : N);                                                             \
        EXPECT_OVERFLOW(UADD_OVERFLOW, u, __builtin_add_overflow);                                           \
        EXPECT_OVERFLOW(SADD_OVERFLOW, s, __builtin_add_overflow);                                           \
        EXPECT_OVERFLOW(USUB_OVERFLOW, u, __builtin_sub_overflow);                                           \
        EXPECT_OVERFLOW(SSUB_OVERFLOW, s, __builtin_sub_overflow);                                           \
        u sum, limit = sx < 0 ? lowest : lowest - 1;                                                         \
        s ssum;                                                                                              \
        EXPECT(UADD_SAT, __builtin_add_overflow(x, y, &sum) ? ~(u)0 : sum);                                  \
        EXPECT(USUB_SAT, __builtin_sub_overflow(x, y, &sum) ? (u)0 : sum);                                   \
        EXPECT(SADD_SAT, __builtin_add_overflow(sx, sy, &ssum) ? limit : (u)ssum);                           \
        EXPECT(SSUB_SAT, __builtin_sub_overflow(sx, sy, &ssum) ? limit : (u)ssum);                           \
        u amount = z % (u)N; /* N may not fit: then z is below it */                                         \
        if ((u)N == (u)0 || (w)(u)N != (w)N) amount = z;                                                     \
        unsigned by = (unsigned)amount;                                                                      \
        w both = (w)x << N | y;                                                                              \
        EXPECT(FSHL, (both << by) >> N);                                                                     \
        EXPECT(FSHR, both >> by);                                                                            \
        if (y < N) {                                                                                         \
            unsigned left = (unsigned)y;                                                                     \
            EXPECT(SHL, x << left);                                                                          \
            EXPECT(LSHR, x >> left);                                                                         \
            EXPECT(ASHR, sx >> left);                                                                        \
            w exact = (w)x << left;                                                                          \
            EXPECT(USHL_SAT, exact > (w) ~(u)0 ? ~(u)0 : (u)exact);                                          \
            _BitInt(2 * N) sexact = (_BitInt(2 * N))((w)(_BitInt(2 * N)) sx << left);                        \
            EXPECT(SSHL_SAT, sexact == (s)sexact ? (u)sexact : limit);                                       \
        }                                                                                                    \
        STORE(r, (unsigned _BitInt(77))((x > y) - (x < y)), 77);                                             \
        expect(IR_FN_UCMP, width, 77, a, b, c, r);                                                           \
        STORE(r, (unsigned _BitInt(5))((sx > sy) - (sx < sy)), 5);                                           \
        expect(IR_FN_SCMP, width, 5, a, b, c, r);                                                            \
        STORE(r, (w)x, 2 * N);                                                                               \
        expect(IR_FN_ZEXT, width, 2 * N, a, b, c, r);                                                        \
        STORE(r, (w)(_BitInt(2 * N)) sx, 2 * N);                                                             \
        expect(IR_FN_SEXT, width, 2 * N, a, b, c, r);                                                        \
        STORE(r, (unsigned _BitInt(N + 1)) sx, N + 1);                                                       \
        expect(IR_FN_SEXT, width, N + 1, a, b, c, r);                                                        \
        STORE(r, (unsigned _BitInt((N + 1) / 2)) x, (N + 1) / 2);                                            \
        expect(IR_FN_TRUNC, width, (N + 1) / 2, a, b, c, r);                                                 \
        u reversed = 0;                                                                                      \
        for (unsigned i = 0; i < N; i++)                                                                     \
            if (a[i / 64] >> i % 64 & 1) reversed |= lowest >> i;                                            \
        EXPECT(BITREVERSE, reversed);                                                                        \
        if (N % 8 == 0) {                                                                                    \
            uint8_t bytes[(N + 7) / 8], swapped[(N + 7) / 8];                                                \
            memcpy(bytes, a, N / 8);                                                                         \
            for (unsigned i = 0; i < N / 8; i++) swapped[i] = bytes[N / 8 - 1 - i];                          \
            memset(r, 0, sizeof r);                                                                          \
            memcpy(r, swapped, N / 8);                                                                       \
            expect(IR_FN_BSWAP, width, width, a, b, c, r);                                                   \
        }                                                                                                    \
    }

// Products, only up to a size: the compiler unrolls them.
#define DEFINE_PRODUCT(N)                                                                                    \
    static __attribute__((noinline)) void product_##N(const uint64_t *a, const uint64_t *b,                  \
                                                      const uint64_t *c) {                                   \
        typedef unsigned _BitInt(N) u;                                                                       \
        typedef _BitInt(N) s;                                                                                \
        typedef _BitInt(2 * N) sw;                                                                           \
        typedef unsigned _BitInt(2 * N) w;                                                                   \
        enum { width = N };                                                                                  \
        uint64_t r[MAX_SLOTS + 1];                                                                           \
        u x = LOAD(u, a), y = LOAD(u, b);                                                                    \
        s sx = (s)x, sy = (s)y;                                                                              \
        EXPECT(MUL, x *y);                                                                                   \
        w exact = (w)x * y;                                                                                  \
        STORE(r, (u)exact, width);                                                                           \
        r[ir_slots(width)] = exact > (w) ~(u)0;                                                              \
        expect(IR_FN_UMUL_OVERFLOW, width, width, a, b, c, r);                                               \
        sw sexact = (sw)sx * sy;                                                                             \
        STORE(r, (u)sexact, width);                                                                          \
        r[ir_slots(width)] = sexact != (s)sexact;                                                            \
        expect(IR_FN_SMUL_OVERFLOW, width, width, a, b, c, r);                                               \
    }

#define SMALL_WIDTHS(W)                                                                                      \
    W(2)                                                                                                     \
    W(3)                                                                                                     \
    W(7)                                                                                                     \
    W(8)                                                                                                     \
    W(13)                                                                                                    \
    W(16)                                                                                                    \
    W(17) W(24) W(31) W(32) W(33) W(48) W(63) W(64) W(65) W(100) W(127) W(128) W(129) W(192) W(200) W(256)
#define LARGE_WIDTHS(W) W(1000) W(4096)

SMALL_WIDTHS(DEFINE_COMMON)
LARGE_WIDTHS(DEFINE_COMMON)
SMALL_WIDTHS(DEFINE_PRODUCT)

typedef void check_function(const uint64_t *a, const uint64_t *b, const uint64_t *c);

static void run(check_function *function, unsigned width, unsigned rounds) {
    uint64_t a[MAX_SLOTS], b[MAX_SLOTS], c[MAX_SLOTS];
    for (unsigned i = 0; i < rounds; i++) {
        random_value(a, width);
        random_value(b, width);
        random_value(c, width);
        if (random_below(&random_state, 8) == 0) memcpy(b, a, sizeof b);
        function(a, b, c);
    }
}

static void every_function_at_many_widths(void **state) {
#define RUN(N) run(common_##N, N, 4000);
    SMALL_WIDTHS(RUN)
#undef RUN
#define RUN(N) run(common_##N, N, 200);
    LARGE_WIDTHS(RUN)
#undef RUN
    assert_true(checked > 1000000);
}

static void products(void **state) {
#define RUN(N) run(product_##N, N, 4000);
    SMALL_WIDTHS(RUN)
#undef RUN
}

// Widths that the compiler does not support: checks (a * b) / b, and the product of a number and a sum.
static void large_products(void **state) {
    static const unsigned widths[] = {1000, 4096, 4095};
    uint64_t a[MAX_SLOTS], b[MAX_SLOTS], c[MAX_SLOTS], ab[MAX_SLOTS + 1], ac[MAX_SLOTS], sum[MAX_SLOTS];
    uint64_t left[MAX_SLOTS];
    for (unsigned i = 0; i < 3000; i++) {
        unsigned width = widths[i % COUNT(widths)], slots = ir_slots(width);
        random_value(a, width);
        random_value(b, width);
        random_value(c, width);
        int_evaluate(IR_FN_MUL, width, width, ab, a, b, NULL);
        int_evaluate(IR_FN_MUL, width, width, ac, a, c, NULL);
        int_evaluate(IR_FN_ADD, width, width, ab, ab, ac, NULL);
        int_evaluate(IR_FN_ADD, width, width, sum, b, c, NULL);
        int_evaluate(IR_FN_MUL, width, width, left, a, sum, NULL);
        assert_memory_equal(left, ab, slots * 8);
        int_evaluate(IR_FN_UMUL_OVERFLOW, width, width, ab, a, b, NULL);
        uint64_t zero[MAX_SLOTS] = {0};
        if (memcmp(b, zero, slots * 8) == 0) continue;
        // a * b overflows exactly when a > (2^width - 1) / b
        uint64_t ones[MAX_SLOTS], quotient[MAX_SLOTS], greater;
        memset(ones, 255, sizeof ones);
        trim(ones, width);
        int_evaluate(IR_FN_UDIV, width, width, quotient, ones, b, NULL);
        int_evaluate(IR_FN_UGT, width, 1, &greater, a, quotient, NULL);
        assert_int_equal(ab[slots], greater);
        if (greater) continue;
        int_evaluate(IR_FN_UDIV, width, width, left, ab, b, NULL);
        assert_memory_equal(left, a, slots * 8);
    }
}

// The widest integers: q * b + r = a, and r < b; a shift left, then right.
static void widest(void **state) {
    static uint64_t a[1024], b[1024], quotient[1024], rest[1024], back[1024];
    for (unsigned i = 0; i < 20; i++) {
        unsigned width = i % 2 ? 65535 : 65472, slots = ir_slots(width);
        for (unsigned j = 0; j < slots; j++) {
            a[j] = random_next(&random_state);
            b[j] = j < slots * (i + 1) / 22 ? random_next(&random_state) : 0;
        }
        trim(a, width);
        uint64_t less;
        int_evaluate(IR_FN_UDIV, width, width, quotient, a, b, NULL);
        int_evaluate(IR_FN_UREM, width, width, rest, a, b, NULL);
        int_evaluate(IR_FN_ULT, width, 1, &less, rest, b, NULL);
        assert_true(less);
        int_evaluate(IR_FN_MUL, width, width, back, quotient, b, NULL);
        int_evaluate(IR_FN_ADD, width, width, back, back, rest, NULL);
        assert_memory_equal(back, a, slots * 8);
        int_evaluate(IR_FN_BITREVERSE, width, width, back, a, NULL, NULL);
        int_evaluate(IR_FN_BITREVERSE, width, width, back, back, NULL, NULL);
        assert_memory_equal(back, a, slots * 8);
    }
}

#define SHIFT(instruction, type, value, amount)                                                              \
    ({                                                                                                       \
        type shifted_ = (type)(value);                                                                       \
        uint8_t amount_ = (uint8_t)(amount);                                                                 \
        __asm__(instruction : "+r"(shifted_) : "c"(amount_) : "cc");                                         \
        (uint64_t)shifted_;                                                                                  \
    })

static void expect_shift(enum ir_fn fn, unsigned width, uint64_t a, uint64_t b, uint64_t wanted) {
    expect(fn, width, width, &a, &b, NULL, &wanted);
}

// Amounts beyond the width, against the processor's shifts.
static void oversized_shifts(void **state) {
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t a = random_next(&random_state), b = random_below(&random_state, 256);
        expect_shift(IR_FN_SHL, 8, (uint8_t)a, b, SHIFT("shlb %%cl, %0", uint8_t, a, b));
        expect_shift(IR_FN_LSHR, 8, (uint8_t)a, b, SHIFT("shrb %%cl, %0", uint8_t, a, b));
        expect_shift(IR_FN_ASHR, 8, (uint8_t)a, b, SHIFT("sarb %%cl, %0", uint8_t, a, b));
        expect_shift(IR_FN_SHL, 16, (uint16_t)a, b, SHIFT("shlw %%cl, %0", uint16_t, a, b));
        expect_shift(IR_FN_LSHR, 16, (uint16_t)a, b, SHIFT("shrw %%cl, %0", uint16_t, a, b));
        expect_shift(IR_FN_ASHR, 16, (uint16_t)a, b, SHIFT("sarw %%cl, %0", uint16_t, a, b));
        expect_shift(IR_FN_SHL, 32, (uint32_t)a, b, SHIFT("shll %%cl, %0", uint32_t, a, b));
        expect_shift(IR_FN_LSHR, 32, (uint32_t)a, b, SHIFT("shrl %%cl, %0", uint32_t, a, b));
        expect_shift(IR_FN_ASHR, 32, (uint32_t)a, b, SHIFT("sarl %%cl, %0", uint32_t, a, b));
        expect_shift(IR_FN_SHL, 64, a, b, SHIFT("shlq %%cl, %0", uint64_t, a, b));
        expect_shift(IR_FN_LSHR, 64, a, b, SHIFT("shrq %%cl, %0", uint64_t, a, b));
        expect_shift(IR_FN_ASHR, 64, a, b, SHIFT("sarq %%cl, %0", uint64_t, a, b));
    }
    static const unsigned widths[] = {65, 128, 200};
    for (unsigned i = 0; i < COUNT(widths); i++) {
        unsigned width = widths[i], slots = ir_slots(width);
        uint64_t a[4], b[4] = {width, 0, 0, 0}, c[4] = {0, 1, 0, 0}, zero[4] = {0}, ones[4];
        memset(a, 255, sizeof a);
        trim(a, width);
        memcpy(ones, a, sizeof ones);
        expect(IR_FN_SHL, width, width, a, b, NULL, zero);
        expect(IR_FN_LSHR, width, width, a, c, NULL, zero);
        expect(IR_FN_ASHR, width, width, a, b, NULL, ones);
        expect(IR_FN_ASHR, width, width, a, c, NULL, ones);
        a[slots - 1] = 0; // not negative
        expect(IR_FN_ASHR, width, width, a, c, NULL, zero);
    }
}

static void one_bit(void **state) {
    uint64_t zero = 0, one = 1, r;
    int_evaluate(IR_FN_ADD, 1, 1, &r, &one, &one, NULL);
    assert_int_equal(r, 0);
    int_evaluate(IR_FN_SLT, 1, 1, &r, &one, &zero, NULL); // as a signed 1-bit number, 1 is -1
    assert_int_equal(r, 1);
    int_evaluate(IR_FN_SEXT, 1, 64, &r, &one, NULL, NULL);
    assert_true(r == ~(uint64_t)0);
    uint64_t wide[3];
    int_evaluate(IR_FN_SEXT, 1, 130, wide, &one, NULL, NULL);
    assert_true(wide[0] == ~(uint64_t)0 && wide[1] == ~(uint64_t)0 && wide[2] == 3);
    int_evaluate(IR_FN_FSHL, 1, 1, &r, &zero, &one, &one);
    assert_int_equal(r, 0);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void speed(void **state) {
    static const enum ir_fn functions[] = {IR_FN_ADD, IR_FN_MUL, IR_FN_UDIV, IR_FN_ASHR, IR_FN_SLT};
    static const unsigned widths[] = {64, 128, 256};
    uint64_t a[4] = {0x123456789abcdef0, 0x0fedcba987654321, 7, 9}, b[4] = {57, 12, 0, 0}, r[5];
    enum { rounds = 1000000 };
    for (unsigned i = 0; i < COUNT(functions); i++)
        for (unsigned j = 0; j < COUNT(widths); j++) {
            double start = seconds();
            for (unsigned k = 0; k < rounds; k++) {
                a[0] ^= k;
                int_evaluate(functions[i], widths[j], widths[j], r, a, b, NULL);
                __asm__ volatile("" : : "r"(r) : "memory");
            }
            printf("%-5s %3u bits %6.1f ns\n", ir_fn_info[functions[i]].name, widths[j],
                   (seconds() - start) / rounds * 1e9);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_at_many_widths),
        cmocka_unit_test(products),
        cmocka_unit_test(large_products),
        cmocka_unit_test(widest),
        cmocka_unit_test(oversized_shifts),
        cmocka_unit_test(one_bit),
        cmocka_unit_test(speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
