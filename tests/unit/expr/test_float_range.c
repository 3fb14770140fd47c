// Ranges of floats over all values of a tiny format. Forwards: results of operands in their ranges lie in the computed
// range. Backwards: operands of results in a range lie in the computed range. Bounds are tight where the operation is
// monotone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/random.h"
#include "expr/float_range.h"
#include "expr/softfloat.h"

#define TINY   FP_FORMAT(3, 3, 0)
#define TINIER FP_FORMAT(2, 3, 0)
#define VALUES 64u

static struct random random_state = {11};

static struct float_range random_range(fp_format f) {
    __int128 top = float_infinity(f), count = 2 * top + 2;
    struct float_range r = {(__int128)random_below(&random_state, (uint64_t)count) - top - 1, 0,
                            random_below(&random_state, 3) == 0};
    uint64_t length = random_below(&random_state, 3) ? random_below(&random_state, (uint64_t)count / 4)
                                                     : random_below(&random_state, (uint64_t)count);
    r.high = MIN(r.low + (__int128)length, top);
    if (random_below(&random_state, 40) == 0) r.low = 0, r.high = -1;
    return r;
}

static bool inside(fp_format f, struct float_range r, uint64_t pattern) {
    return float_range_has(f, r, &pattern);
}

static uint64_t apply(struct shape shape, unsigned width, uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t *args[3] = {&a, &b, &c};
    uint64_t result = 0;
    fp_apply(shape, width, args, &result);
    return result;
}

static void test_ranks(void **state) {
    static const fp_format formats[] = {TINY, FP_HALF, FP_SINGLE, FP_DOUBLE, FP_X87, FP_QUAD};
    for (unsigned i = 0; i < COUNT(formats); i++) {
        __int128 top = float_infinity(formats[i]), rank;
        for (unsigned n = 0; n < 2000; n++) {
            __int128 wide =
                (__int128)((unsigned __int128)random_next(&random_state) << 64 | random_next(&random_state));
            __int128 at = n < 4 ? (__int128[]){0, -1, top, -1 - top}[n] : wide % (top + 1);
            uint64_t pattern[2];
            float_range_pattern(formats[i], at, pattern);
            assert_true(float_range_position(formats[i], pattern, &rank) && rank == at);
        }
    }
    // A pseudo-denormal has the rank of the number of the same value; an unnormal is not a number.
    __int128 rank, other;
    assert_true(float_range_position(FP_X87, (uint64_t[]){(uint64_t)3 << 62, 0}, &rank));
    assert_true(float_range_position(FP_X87, (uint64_t[]){(uint64_t)3 << 62, 1}, &other));
    assert_true(rank == other);
    assert_false(float_range_position(FP_X87, (uint64_t[]){(uint64_t)1 << 62, 5}, &rank));
}

static void check_binary(struct shape shape, const uint64_t (*table)[VALUES]) {
    struct float_range args[2] = {random_range(TINY), random_range(TINY)};
    struct float_range forward = float_range_apply(shape, args), result = random_range(TINY);
    bool backward = shape.kind != KIND_FP_MIN && shape.kind != KIND_FP_MAX;
    struct float_range back[2] = {float_range_back(shape, result, args, 0),
                                  float_range_back(shape, result, args, 1)};
    for (uint64_t a = 0; a < VALUES; a++) {
        if (!inside(TINY, args[0], a)) continue;
        for (uint64_t b = 0; b < VALUES; b++) {
            if (!inside(TINY, args[1], b)) continue;
            if (!inside(TINY, forward, table[a][b]))
                print_message("%s rounding %u: %llx %llx\n", kind_infos[shape.kind].text, shape.rounding,
                              (unsigned long long)a, (unsigned long long)b);
            assert_true(inside(TINY, forward, table[a][b]));
            if (!backward || !inside(TINY, result, table[a][b])) continue;
            if (!inside(TINY, back[0], a) || !inside(TINY, back[1], b))
                print_message("back %s rounding %u: %llx %llx\n", kind_infos[shape.kind].text, shape.rounding,
                              (unsigned long long)a, (unsigned long long)b);
            assert_true(inside(TINY, back[0], a) && inside(TINY, back[1], b));
        }
    }
}

static void test_binary(void **state) {
    static const enum kind kinds[] = {KIND_FP_ADD, KIND_FP_SUB, KIND_FP_MUL, KIND_FP_DIV,
                                      KIND_FP_REM, KIND_FP_MOD, KIND_FP_MIN, KIND_FP_MAX};
    static uint64_t table[VALUES][VALUES];
    for (unsigned i = 0; i < COUNT(kinds); i++)
        for (unsigned rounding = 0; rounding < FP_ROUNDINGS; rounding++) {
            bool rounds = kind_infos[kinds[i]].properties & KP_ROUNDS;
            if (!rounds && rounding) break;
            struct shape shape = {.kind = (uint8_t)kinds[i],
                                  .format = TINY,
                                  .width = (uint16_t)fp_width(TINY),
                                  .rounding = (uint8_t)rounding};
            for (uint64_t a = 0; a < VALUES; a++)
                for (uint64_t b = 0; b < VALUES; b++) table[a][b] = apply(shape, fp_width(TINY), a, b, 0);
            for (unsigned n = 0; n < 4000; n++) check_binary(shape, (const uint64_t(*)[VALUES])table);
        }
}

static void check_unary(struct shape shape, fp_format from) {
    struct float_range arg = random_range(from), result = random_range(shape.format);
    struct float_range forward = float_range_apply(shape, &arg),
                       back = float_range_back(shape, result, &arg, 0);
    for (uint64_t a = 0; a < (uint64_t)1 << fp_width(from); a++) {
        if (!inside(from, arg, a)) continue;
        uint64_t value = apply(shape, fp_width(from), a, 0, 0);
        assert_true(inside(shape.format, forward, value));
        if (inside(shape.format, result, value)) assert_true(inside(from, back, a));
    }
}

static void test_unary(void **state) {
    for (unsigned rounding = 0; rounding < FP_ROUNDINGS; rounding++)
        for (unsigned n = 0; n < 4000; n++) {
            struct shape shape = {.kind = (uint8_t)(n % 2 ? KIND_FP_SQRT : KIND_FP_ROUND),
                                  .format = TINY,
                                  .width = (uint16_t)fp_width(TINY),
                                  .rounding = (uint8_t)rounding};
            check_unary(shape, TINY);
            shape.kind = KIND_FP_TO_FP;
            shape.source = n % 2 ? FP_FORMAT(4, 5, 0) : TINIER;
            check_unary(shape, shape.source);
        }
}

static void test_fused(void **state) {
    for (unsigned n = 0; n < 1500; n++) {
        struct shape shape = {.kind = KIND_FP_FMA,
                              .format = TINIER,
                              .width = (uint16_t)fp_width(TINIER),
                              .rounding = (uint8_t)(n % FP_ROUNDINGS)};
        struct float_range args[3] = {random_range(TINIER), random_range(TINIER), random_range(TINIER)};
        struct float_range forward = float_range_apply(shape, args);
        uint64_t values = (uint64_t)1 << fp_width(TINIER);
        for (uint64_t a = 0; a < values; a++)
            for (uint64_t b = 0; b < values && inside(TINIER, args[0], a); b++)
                for (uint64_t c = 0; c < values && inside(TINIER, args[1], b); c++)
                    if (inside(TINIER, args[2], c))
                        assert_true(inside(TINIER, forward, apply(shape, fp_width(TINIER), a, b, c)));
    }
}

static void test_comparisons(void **state) {
    static const enum kind kinds[] = {KIND_FP_EQ, KIND_FP_LT, KIND_FP_LE};
    for (unsigned n = 0; n < 12000; n++) {
        struct shape shape = {.kind = (uint8_t)kinds[n % 3], .format = TINY, .width = 1};
        struct float_range args[2] = {random_range(TINY), random_range(TINY)};
        struct truth truth = float_range_compare(kinds[n % 3], args[0], args[1]);
        struct truth seen = {false, false};
        for (uint64_t a = 0; a < VALUES; a++)
            for (uint64_t b = 0; b < VALUES && inside(TINY, args[0], a); b++) {
                if (!inside(TINY, args[1], b)) continue;
                bool value = apply(shape, fp_width(TINY), a, b, 0);
                *(value ? &seen.yes : &seen.no) = true;
                struct float_range x = args[0], y = args[1];
                float_range_back_compare(kinds[n % 3], TINY, value, &x, &y);
                assert_true(inside(TINY, x, a) && inside(TINY, y, b));
            }
        // The range must be sound; and exact unless a range is empty.
        assert_true(!seen.yes || truth.yes);
        assert_true(!seen.no || truth.no);
        if (!float_range_is_empty(args[0]) && !float_range_is_empty(args[1]))
            assert_true(seen.yes == truth.yes && seen.no == truth.no);
    }
}

static void check_integers(unsigned width, bool is_signed, unsigned rounding) {
    int64_t least = is_signed ? -((int64_t)1 << (width - 1)) : 0,
            most = ((int64_t)1 << (width - is_signed)) - 1;
    int64_t low = least + (int64_t)random_below(&random_state, (uint64_t)(most - least) + 1);
    struct int_range range = {low, low + (int64_t)random_below(&random_state, (uint64_t)(most - low) + 1)};
    struct shape from = {.kind = is_signed ? KIND_SINT_TO_FP : KIND_UINT_TO_FP,
                         .format = TINY,
                         .width = (uint16_t)fp_width(TINY),
                         .rounding = (uint8_t)rounding};
    struct shape to = {.kind = is_signed ? KIND_FP_TO_SINT : KIND_FP_TO_UINT,
                       .source = TINY,
                       .width = (uint16_t)width,
                       .rounding = (uint8_t)rounding};
    struct float_range result = random_range(TINY), floats = float_range_from_int(from, range);
    struct int_range back = float_range_back_from_int(from, result),
                     integers = float_range_to_int(to, result);
    struct float_range to_back = float_range_back_to_int(to, range);
    for (int64_t n = least; n <= most; n++) {
        uint64_t value = apply(from, width, (uint64_t)n & mask_bits(width), 0, 0);
        if (n >= range.low && n <= range.high) assert_true(inside(TINY, floats, value));
        if (inside(TINY, result, value)) assert_true(n >= back.low && n <= back.high);
    }
    for (uint64_t a = 0; a < VALUES; a++) {
        uint64_t value = apply(to, fp_width(TINY), a, 0, 0);
        int64_t n = is_signed ? sign_extend(value, width) : (int64_t)value;
        if (inside(TINY, result, a)) assert_true(n >= integers.low && n <= integers.high);
        if (n >= range.low && n <= range.high) assert_true(inside(TINY, to_back, a));
    }
}

static void test_integers(void **state) {
    for (unsigned rounding = 0; rounding < FP_ROUNDINGS; rounding++)
        for (unsigned n = 0; n < 2000; n++) check_integers(2 + n % 6, n & 8, rounding);
}

// Wide formats: random numbers from random ranges.
static void test_wide(void **state) {
    static const fp_format formats[] = {FP_HALF, FP_SINGLE, FP_DOUBLE, FP_X87, FP_QUAD};
    static const enum kind kinds[] = {KIND_FP_ADD, KIND_FP_SUB, KIND_FP_MUL, KIND_FP_DIV, KIND_FP_SQRT};
    for (unsigned n = 0; n < 40000; n++) {
        fp_format f = formats[n % COUNT(formats)];
        struct shape shape = {.kind = (uint8_t)kinds[random_below(&random_state, COUNT(kinds))],
                              .format = f,
                              .width = (uint16_t)fp_width(f),
                              .rounding = (uint8_t)random_below(&random_state, FP_ROUNDINGS)};
        struct float_range args[2], result;
        uint64_t patterns[2][2], value[2] = {0};
        const uint64_t *operands[2] = {patterns[0], patterns[1]};
        unsigned below = fp_precision(f) - 1;
        for (unsigned i = 0; i < 2; i++) {
            // Exponents near one.
            __int128 bias = mask_bits(fp_exponent_bits(f)) >> 1;
            __int128 rank = (bias - 4 + (__int128)random_below(&random_state, 8)) << below;
            rank += (__int128)random_below(&random_state, (uint64_t)1 << MIN(below, 60u));
            if (random_next(&random_state) & 1) rank = -1 - rank;
            __int128 length =
                (__int128)random_below(&random_state, (uint64_t)1 << random_below(&random_state, 40));
            length = MIN(length, (__int128)1 << below);
            args[i] = (struct float_range){rank - length, rank + length, false};
            __int128 at = rank - length + (__int128)random_below(&random_state, 2 * (uint64_t)length + 1);
            float_range_pattern(f, at, patterns[i]);
        }
        fp_apply(shape, fp_width(f), operands, value);
        result = float_range_apply(shape, args);
        assert_true(float_range_has(f, result, value));
        result = float_range_of(f, value);
        for (unsigned i = 0; i < kind_infos[shape.kind].arity; i++)
            assert_true(float_range_has(f, float_range_back(shape, result, args, i), patterns[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranks),       cmocka_unit_test(test_binary),
                                       cmocka_unit_test(test_unary),       cmocka_unit_test(test_fused),
                                       cmocka_unit_test(test_comparisons), cmocka_unit_test(test_integers),
                                       cmocka_unit_test(test_wide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
