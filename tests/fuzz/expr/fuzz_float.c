// usage: fuzz_float [COUNT [SEED]]: compares the software arithmetic with the processor's, on special and random
// patterns, in all rounding modes of the processor. Bits must agree; NaNs must agree where one instruction computes
// them.
#include "expr/softfloat.h"
#include "tests/float_patterns.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct random random_state;
static uint64_t checks;

static const int modes[] = {FE_TONEAREST, -1, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}; // by enum fp_rounding

static void fail(struct shape shape, uint64_t (*args)[2], const uint64_t *ours, const uint64_t *theirs) {
    printf("%s format %u source %u rounding %u width %u:\n", kind_infos[shape.kind].text, shape.format,
           shape.source, shape.rounding, shape.width);
    for (unsigned i = 0; i < kind_infos[shape.kind].arity; i++)
        printf("  operand %016" PRIx64 "%016" PRIx64 "\n", args[i][1], args[i][0]);
    printf("  ours    %016" PRIx64 "%016" PRIx64 "\n  machine %016" PRIx64 "%016" PRIx64 "\n", ours[1],
           ours[0], theirs[1], theirs[0]);
    exit(1);
}

static bool is_nan_pattern(fp_format f, const uint64_t *bits) {
    unsigned __int128 value = (unsigned __int128)bits[1] << 64 | bits[0];
    unsigned fraction = fp_fraction_bits(f);
    uint64_t top = mask_bits(fp_exponent_bits(f));
    return ((uint64_t)(value >> fraction) & top) == top &&
           (value & (((unsigned __int128)1 << (fp_precision(f) - 1)) - 1));
}

// exact_nan: one instruction computes the processor's result, so even NaNs must agree.
static void compare(struct shape shape, uint64_t (*args)[2], const uint64_t *theirs, bool exact_nan) {
    uint64_t ours[2] = {0};
    const uint64_t *operands[3] = {args[0], args[1], args[2]};
    unsigned width = shape.kind == KIND_SINT_TO_FP || shape.kind == KIND_UINT_TO_FP
                         ? 64
                         : fp_width(shape.source ? shape.source : shape.format);
    fesetround(FE_TONEAREST);
    fp_apply(shape, width, operands, ours);
    checks++;
    if (ours[0] == theirs[0] && ours[1] == theirs[1]) return;
    if (!exact_nan && shape.width > 1 && shape.format && is_nan_pattern(shape.format, ours) &&
        is_nan_pattern(shape.format, theirs))
        return;
    // glibc's remainder may lose the sign of a zero, which is the dividend's.
    uint64_t sign = (uint64_t)1 << 63;
    if (shape.kind == KIND_FP_REM && shape.format == FP_DOUBLE && !(theirs[0] & ~sign) &&
        ours[0] == (args[0][0] & sign))
        return;
    fail(shape, args, ours, theirs);
}

// Everything for one native type.
#define NATIVE_TESTS(type, FORMAT, suffix, BYTES, ADD, SUB, MUL, DIV, SQRT)                                  \
    static void put_##type(uint64_t *out, type x) {                                                          \
        out[0] = out[1] = 0;                                                                                 \
        memcpy(out, &x, BYTES);                                                                              \
    }                                                                                                        \
    static void test_##type(void) {                                                                          \
        uint64_t args[3][2], theirs[2];                                                                      \
        volatile type x = 0, y = 0, z = 0;                                                                   \
        type r;                                                                                              \
        for (unsigned i = 0; i < 3; i++) random_pattern(&random_state, FORMAT, false, args[i]);              \
        memcpy((void *)&x, args[0], BYTES);                                                                  \
        memcpy((void *)&y, args[1], BYTES);                                                                  \
        memcpy((void *)&z, args[2], BYTES);                                                                  \
        for (unsigned m = 0; m < FP_ROUNDINGS; m++) {                                                        \
            if (modes[m] < 0) continue;                                                                      \
            struct shape s = {                                                                               \
                .width = (uint16_t)fp_width(FORMAT), .format = FORMAT, .rounding = (uint8_t)m};              \
            BINARY(KIND_FP_ADD, ADD)                                                                         \
            BINARY(KIND_FP_SUB, SUB)                                                                         \
            BINARY(KIND_FP_MUL, MUL)                                                                         \
            BINARY(KIND_FP_DIV, DIV)                                                                         \
            BINARY(KIND_FP_SQRT, SQRT)                                                                       \
            CALL(type, KIND_FP_FMA, fma##suffix(x, y, z))                                                    \
            CALL(type, KIND_FP_ROUND, nearbyint##suffix(x))                                                  \
            if (m == 0) {                                                                                    \
                CALL(type, KIND_FP_REM, remainder##suffix(x, y))                                             \
                CALL(type, KIND_FP_MOD, fmod##suffix(x, y))                                                  \
            }                                                                                                \
            struct shape c = {.width = 1, .format = FORMAT};                                                 \
            c.kind = KIND_FP_EQ, theirs[1] = 0, theirs[0] = x == y, compare(c, args, theirs, true);          \
            c.kind = KIND_FP_LT, theirs[1] = 0, theirs[0] = x < y, compare(c, args, theirs, true);           \
            c.kind = KIND_FP_LE, theirs[1] = 0, theirs[0] = x <= y, compare(c, args, theirs, true);          \
            CONVERT(float, FP_SINGLE, FORMAT)                                                                \
            CONVERT(double, FP_DOUBLE, FORMAT)                                                               \
            CONVERT(extended, FP_X87, FORMAT)                                                                \
            if (x > -9.2e18 && x < 9.2e18) {                                                                 \
                struct shape i = {                                                                           \
                    .kind = KIND_FP_TO_SINT, .width = 64, .source = FORMAT, .rounding = (uint8_t)m};         \
                fesetround(modes[m]);                                                                        \
                theirs[0] = (uint64_t)llrint##suffix(x), theirs[1] = 0;                                      \
                compare(i, args, theirs, true);                                                              \
            }                                                                                                \
            volatile int64_t n = (int64_t)args[2][0] >> (args[1][0] & 63);                                   \
            uint64_t integer[3][2] = {{(uint64_t)n}};                                                        \
            s.kind = KIND_SINT_TO_FP;                                                                        \
            fesetround(modes[m]);                                                                            \
            r = (type)n;                                                                                     \
            put_##type(theirs, r), compare(s, integer, theirs, true);                                        \
            volatile uint64_t u = (uint64_t)n;                                                               \
            s.kind = KIND_UINT_TO_FP;                                                                        \
            fesetround(modes[m]);                                                                            \
            r = (type)u;                                                                                     \
            put_##type(theirs, r), compare(s, integer, theirs, true);                                        \
        }                                                                                                    \
    }

#define BINARY(KIND, STATEMENT)                                                                              \
    {                                                                                                        \
        s.kind = KIND;                                                                                       \
        fesetround(modes[m]);                                                                                \
        STATEMENT;                                                                                           \
        theirs[0] = theirs[1] = 0;                                                                           \
        memcpy(theirs, &r, s.width == 80 ? 10 : s.width / 8);                                                \
        compare(s, args, theirs, true);                                                                      \
    }
#define CALL(type, KIND, expression)                                                                         \
    {                                                                                                        \
        s.kind = KIND;                                                                                       \
        s.rounding = KIND == KIND_FP_REM || KIND == KIND_FP_MOD ? 0 : (uint8_t)m;                            \
        fesetround(modes[m]);                                                                                \
        r = expression;                                                                                      \
        put_##type(theirs, r);                                                                               \
        compare(s, args, theirs, false);                                                                     \
    }
#define CONVERT(to, TO, FROM)                                                                                \
    if (TO != FROM) {                                                                                        \
        struct shape s2 = {.kind = KIND_FP_TO_FP,                                                            \
                           .width = (uint16_t)fp_width(TO),                                                  \
                           .format = TO,                                                                     \
                           .source = FROM,                                                                   \
                           .rounding = (uint8_t)m};                                                          \
        fesetround(modes[m]);                                                                                \
        volatile to converted = (to)x;                                                                       \
        theirs[0] = theirs[1] = 0;                                                                           \
        memcpy(theirs, (void *)&converted, fp_width(TO) / 8);                                                \
        compare(s2, args, theirs, true);                                                                     \
    }

typedef long double extended;

#define SSE1(instruction) __asm__ volatile(instruction " %1, %0" : "=x"(r) : "x"(x))
#define SSE_STATEMENT(instruction)                                                                           \
    r = x;                                                                                                   \
    __asm__ volatile(instruction " %1, %0" : "+x"(r) : "x"(y))

NATIVE_TESTS(float, FP_SINGLE, f, 4, SSE_STATEMENT("addss"), SSE_STATEMENT("subss"), SSE_STATEMENT("mulss"),
             SSE_STATEMENT("divss"), SSE1("sqrtss"))
NATIVE_TESTS(double, FP_DOUBLE, , 8, SSE_STATEMENT("addsd"), SSE_STATEMENT("subsd"), SSE_STATEMENT("mulsd"),
             SSE_STATEMENT("divsd"), SSE1("sqrtsd"))
#define X87(instruction) __asm__ volatile(instruction : "=t"(r) : "0"((extended)x), "u"((extended)y))
NATIVE_TESTS(extended, FP_X87, l, 10, X87("fadd %%st(1), %%st"), X87("fsub %%st(1), %%st"),
             X87("fmul %%st(1), %%st"), X87("fdiv %%st(1), %%st"),
             __asm__ volatile("fsqrt" : "=t"(r) : "0"((extended)x)))

// Half and quad: through a format with more than twice the precision, in which rounding twice equals rounding
// once.
static void test_half(void) {
    uint64_t args[3][2], ours[2], wide[2][2], result[2], theirs[2];
    for (unsigned i = 0; i < 2; i++) random_pattern(&random_state, FP_HALF, false, args[i]);
    static const uint8_t kinds[] = {KIND_FP_ADD, KIND_FP_SUB, KIND_FP_MUL, KIND_FP_DIV, KIND_FP_SQRT};
    for (unsigned k = 0; k < sizeof kinds; k++)
        for (unsigned m = 0; m < FP_ROUNDINGS; m++) {
            struct shape narrow = {.kind = kinds[k], .width = 16, .format = FP_HALF, .rounding = (uint8_t)m};
            struct shape up = {.kind = KIND_FP_TO_FP, .width = 64, .format = FP_DOUBLE, .source = FP_HALF};
            struct shape down = {.kind = KIND_FP_TO_FP,
                                 .width = 16,
                                 .format = FP_HALF,
                                 .source = FP_DOUBLE,
                                 .rounding = (uint8_t)m};
            struct shape middle = {
                .kind = kinds[k], .width = 64, .format = FP_DOUBLE, .rounding = (uint8_t)m};
            const uint64_t *operands[2] = {args[0], args[1]}, *wides[2] = {wide[0], wide[1]},
                           *results[1] = {result};
            fp_apply(narrow, 16, operands, ours);
            for (unsigned i = 0; i < 2; i++) fp_apply(up, 16, &operands[i], wide[i]);
            fp_apply(middle, 64, wides, result);
            fp_apply(down, 64, results, theirs);
            checks++;
            bool nans = is_nan_pattern(FP_HALF, (uint64_t[]){ours[0] & 0xffff, 0}) &&
                        is_nan_pattern(FP_HALF, (uint64_t[]){theirs[0] & 0xffff, 0});
            ours[1] = theirs[1] = 0;
            if (ours[0] != theirs[0] && !nans) fail(narrow, args, ours, theirs);
        }
}

#ifdef __SIZEOF_FLOAT128__
static void test_quad(void) {
    uint64_t args[3][2], theirs[2];
    volatile __float128 x, y;
    __float128 r[4];
    for (unsigned i = 0; i < 2; i++) random_pattern(&random_state, FP_QUAD, false, args[i]);
    memcpy((void *)&x, args[0], 16);
    memcpy((void *)&y, args[1], 16);
    r[0] = x + y, r[1] = x - y, r[2] = x * y, r[3] = x / y;
    static const uint8_t kinds[] = {KIND_FP_ADD, KIND_FP_SUB, KIND_FP_MUL, KIND_FP_DIV};
    for (unsigned k = 0; k < 4; k++) {
        struct shape shape = {.kind = kinds[k], .width = 128, .format = FP_QUAD};
        memcpy(theirs, &r[k], 16);
        compare(shape, args, theirs, false);
    }
}
#endif

int main(int argc, char **argv) {
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : 20000;
    random_state.state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    for (uint64_t i = 0; i < count; i++) {
        test_float();
        test_double();
        test_extended();
        test_half();
#ifdef __SIZEOF_FLOAT128__
        test_quad();
#endif
    }
    printf("%" PRIu64 " results agree with the machine\n", checks);
    return 0;
}
