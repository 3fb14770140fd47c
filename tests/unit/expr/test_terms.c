// Simplifications that the builders must make, and other functions on terms.
#include "check.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/text.h"
#include "expr/eval.h"
#include "expr/expr.h"
#include "expr/expr_int.h"
#include "expr/print_term.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
    struct terms *t;
    uint32_t in;
    Term b0, b1, b2, b3; // bytes of "in"
    Term x, y;           // 32 bits each
};

static int set_up(void **state) {
    struct fixture *f = mem_alloc_zeroed(sizeof *f);
    f->t = terms_new();
    f->in = terms_input(f->t, "in", 16);
    f->b0 = term_byte(f->t, f->in, 0);
    f->b1 = term_byte(f->t, f->in, 1);
    f->b2 = term_byte(f->t, f->in, 2);
    f->b3 = term_byte(f->t, f->in, 3);
    f->x = term_input_bits(f->t, f->in, 4, 4);
    f->y = term_input_bits(f->t, f->in, 8, 4);
    *state = f;
    return 0;
}

static size_t in_use_before;

static int tear_down(void **state) {
    struct fixture *f = *state;
    terms_free(f->t);
    mem_free(f, sizeof *f);
    assert_int_equal(mem_in_use(), in_use_before);
    return 0;
}

static void test_bytes_come_together(void **state) {
    struct fixture *f = *state;
    Term sum = term_add(f->t, term_mul(f->t, f->x, f->y), f->y), again = term_extract(f->t, sum, 0, 8);
    for (unsigned i = 1; i < 4; i++) again = term_concat(f->t, term_extract(f->t, sum, 8 * i, 8), again);
    assert_int_equal(again, sum);
    // A sum of promoted bytes, stored as an int and read back.
    Term small = term_add(f->t, term_zext(f->t, f->b0, 32), term_zext(f->t, f->b1, 32));
    again = term_extract(f->t, small, 0, 8);
    for (unsigned i = 1; i < 4; i++) again = term_concat(f->t, term_extract(f->t, small, 8 * i, 8), again);
    assert_int_equal(again, small);
    assert_int_equal(term_extract(f->t, f->x, 8, 8), term_byte(f->t, f->in, 5));
}

static void test_shifts_assemble_bytes(void **state) {
    struct fixture *f = *state;
    Term wide[4] = {term_zext(f->t, f->b0, 32), term_zext(f->t, f->b1, 32), term_zext(f->t, f->b2, 32),
                    term_zext(f->t, f->b3, 32)};
    Term by_or = wide[0], by_add = wide[0];
    for (unsigned i = 1; i < 4; i++) {
        Term shifted = term_shl(f->t, wide[i], term_const(f->t, 32, 8 * i));
        by_or = term_or(f->t, by_or, shifted);
        by_add = term_add(f->t, shifted, by_add);
    }
    assert_int_equal(by_or, term_input_bits(f->t, f->in, 0, 4));
    assert_int_equal(by_add, by_or);
    // A comparison with a constant becomes comparisons of bytes.
    Term equal = term_eq(f->t, by_or, term_const(f->t, 32, 0x64636261));
    Term first = term_eq(f->t, f->b0, term_const(f->t, 8, 'a'));
    assert_int_equal(term_kind(f->t, equal), KIND_AND);
    assert_int_equal(term_and(f->t, equal, first), equal);
}

static void test_linear(void **state) {
    struct fixture *f = *state;
    Term one = term_const(f->t, 32, 1), sum = term_add(f->t, f->x, f->y);
    assert_int_equal(term_sub(f->t, sum, f->y), f->x);
    assert_int_equal(term_add(f->t, f->x, f->y), term_add(f->t, f->y, f->x));
    assert_true(term_is_zero(f->t, term_sub(f->t, sum, sum)));
    assert_int_equal(term_add(f->t, term_add(f->t, f->x, one), f->y), term_add(f->t, sum, one));
    assert_int_equal(term_mul(f->t, f->x, term_const(f->t, 32, 4)),
                     term_shl(f->t, f->x, term_const(f->t, 32, 2)));
    Term z = term_urem(f->t, f->x, f->y), twice = term_add(f->t, z, z);
    assert_int_equal(twice, term_mul(f->t, z, term_const(f->t, 32, 2)));
    assert_int_equal(term_sub(f->t, term_mul(f->t, z, term_const(f->t, 32, 5)), term_add(f->t, twice, twice)),
                     z);
    assert_int_equal(term_add(f->t, term_not(f->t, f->x), one), term_neg(f->t, f->x));
    // x + z + 3 == 2 * z + 5 is x == z + 2; 3 * z == 21 is z == 7.
    Term left = term_eq(f->t, term_add(f->t, term_add(f->t, f->x, z), term_const(f->t, 32, 3)),
                        term_add(f->t, term_add(f->t, z, z), term_const(f->t, 32, 5)));
    assert_int_equal(left, term_eq(f->t, f->x, term_add(f->t, z, term_const(f->t, 32, 2))));
    // The address of an element, and back to its index.
    Term i = term_zext(f->t, f->x, 64), four = term_const(f->t, 64, 4);
    Term address = term_add(f->t, term_mul(f->t, i, four), term_const(f->t, 64, 0x1000));
    Term other = term_add(f->t, term_mul(f->t, term_add(f->t, i, i), four), term_const(f->t, 64, 0x1000));
    assert_int_equal(term_sub(f->t, other, address), term_mul(f->t, i, four));
    Term product = term_mul(f->t, term_udiv(f->t, f->x, f->y), term_const(f->t, 32, 3));
    assert_int_equal(term_eq(f->t, product, term_const(f->t, 32, 21)),
                     term_eq(f->t, term_udiv(f->t, f->x, f->y), term_const(f->t, 32, 7)));
}

static void test_comparisons(void **state) {
    struct fixture *f = *state;
    Term wide = term_zext(f->t, f->b0, 32), signed_wide = term_sext(f->t, f->b0, 32);
    assert_int_equal(term_ult(f->t, wide, term_const(f->t, 32, 256)), term_true(f->t));
    assert_int_equal(term_slt(f->t, wide, term_const(f->t, 32, 10)),
                     term_ult(f->t, f->b0, term_const(f->t, 8, 10)));
    assert_int_equal(term_slt(f->t, signed_wide, term_const(f->t, 32, 5)),
                     term_slt(f->t, f->b0, term_const(f->t, 8, 5)));
    assert_int_equal(term_eq(f->t, signed_wide, term_const(f->t, 32, 0xffffff80u)),
                     term_eq(f->t, f->b0, term_const(f->t, 8, 0x80)));
    assert_int_equal(term_eq(f->t, signed_wide, term_const(f->t, 32, 0x80)), term_false(f->t));
    assert_int_equal(term_ult(f->t, term_const(f->t, 8, 5), f->b0),
                     term_not(f->t, term_ult(f->t, f->b0, term_const(f->t, 8, 6))));
    assert_int_equal(term_slt(f->t, wide, term_const(f->t, 32, 0)), term_false(f->t));
    // (cond != 0) of a condition stored in an int.
    Term condition = term_ult(f->t, f->b0, f->b1);
    assert_int_equal(term_ne(f->t, term_zext(f->t, condition, 32), term_const(f->t, 32, 0)), condition);
    assert_int_equal(term_ult(f->t, term_mul(f->t, wide, term_const(f->t, 32, 4)), term_const(f->t, 32, 40)),
                     term_ult(f->t, f->b0, term_const(f->t, 8, 10)));
}

static uint8_t byte_of(void *context, uint32_t var) { return *(const uint8_t *)context; }

static int64_t signed_value(uint64_t value, unsigned width) {
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

// All operations on choices between two constants (and, for the binary ones, a third), in all small widths: what the
// builders make of them has the value that C's operators give.
static void check_choice(struct fixture *f, struct evaluator *evaluator, unsigned width, uint64_t chosen,
                         Term a) {
    uint64_t mask = (1u << width) - 1;
    int64_t number = signed_value(chosen, width);
    assert_int_equal(evaluate(evaluator, term_zext(f->t, a, width + 3)), chosen);
    assert_int_equal(evaluate(evaluator, term_sext(f->t, a, width + 3)),
                     (uint64_t)number & ((1u << (width + 3)) - 1));
    assert_int_equal(evaluate(evaluator, term_not(f->t, a)), ~chosen & mask);
    assert_int_equal(evaluate(evaluator, term_neg(f->t, a)), -chosen & mask);
    for (unsigned low = 0; low < width; low++)
        for (unsigned count = 1; low + count <= width; count++)
            assert_int_equal(evaluate(evaluator, term_extract(f->t, a, low, count)),
                             chosen >> low & ((1u << count) - 1));
    for (uint64_t k = 0; k <= mask; k++) {
        Term b = term_const(f->t, width, k);
        int64_t other = signed_value(k, width);
        assert_int_equal(evaluate(evaluator, term_add(f->t, a, b)), (chosen + k) & mask);
        assert_int_equal(evaluate(evaluator, term_sub(f->t, b, a)), (k - chosen) & mask);
        assert_int_equal(evaluate(evaluator, term_mul(f->t, a, b)), chosen * k & mask);
        assert_int_equal(evaluate(evaluator, term_eq(f->t, a, b)), chosen == k);
        assert_int_equal(evaluate(evaluator, term_ult(f->t, a, b)), chosen < k);
        assert_int_equal(evaluate(evaluator, term_slt(f->t, b, a)), other < number);
        assert_int_equal(evaluate(evaluator, term_concat(f->t, b, a)), k << width | chosen);
    }
}

static void test_choices(void **state) {
    struct fixture *f = *state;
    uint8_t value;
    struct assignment assignment = {.byte = byte_of, .context = &value};
    struct evaluator *evaluator = evaluator_new(f->t);
    Term condition = term_ult(f->t, f->b0, term_const(f->t, 8, 100));
    for (unsigned width = 1; width <= 4; width++)
        for (uint64_t x = 0; x < 1u << width; x++)
            for (uint64_t y = 0; y < 1u << width; y++) {
                Term a = term_ite(f->t, condition, term_const(f->t, width, x), term_const(f->t, width, y));
                for (value = 99; value <= 100; value++) {
                    evaluator_assign(evaluator, &assignment);
                    check_choice(f, evaluator, width, value < 100 ? x : y, a);
                }
            }
    evaluator_free(evaluator);
}

// A comparison of a quotient with a constant becomes a comparison of the dividend.
static void test_quotients(void **state) {
    struct fixture *f = *state;
    uint8_t value;
    struct assignment assignment = {.byte = byte_of, .context = &value};
    struct evaluator *evaluator = evaluator_new(f->t);
    for (unsigned divisor = 3; divisor < 256; divisor += 22) // powers of two are shifts
        for (unsigned k = 0; k < 256; k += k < 90 ? 1 : 19) {
            Term quotient = term_udiv(f->t, f->b0, term_const(f->t, 8, divisor));
            Term below = term_ult(f->t, term_zext(f->t, quotient, 32), term_const(f->t, 32, k));
            Term equal = term_eq(f->t, term_zext(f->t, quotient, 32), term_const(f->t, 32, k));
            for (unsigned v = 0; v < 256; v++) {
                value = (uint8_t)v;
                evaluator_assign(evaluator, &assignment);
                assert_int_equal(evaluate(evaluator, below), v / divisor < k);
                assert_int_equal(evaluate(evaluator, equal), v / divisor == k);
            }
        }
    evaluator_free(evaluator);
    // Digits: x / 10 / 10 < 10.
    Term ten = term_const(f->t, 32, 10), hundreds = term_udiv(f->t, term_udiv(f->t, f->x, ten), ten);
    assert_int_equal(term_ult(f->t, hundreds, ten), term_ult(f->t, f->x, term_const(f->t, 32, 1000)));
    assert_int_equal(term_ult(f->t, term_zext(f->t, hundreds, 64), term_const(f->t, 64, 10)),
                     term_ult(f->t, f->x, term_const(f->t, 32, 1000)));
    // An extract that loses bits is not rewritten.
    Term cut = term_ult(f->t, term_extract(f->t, term_udiv(f->t, f->x, ten), 0, 8), term_const(f->t, 8, 10));
    assert_int_not_equal(cut, term_ult(f->t, f->x, term_const(f->t, 32, 100)));
}

// ---- Normal forms of products, quotients and remainders, for all values of three small numbers

struct small {
    unsigned width;
    Term x, y, z;
    uint32_t first; // index of the byte of x
    uint8_t values[3];
};

static uint8_t small_byte(void *context, uint32_t var) {
    const struct small *small = context;
    assert_in_range(var - small->first, 0, 2);
    return small->values[var - small->first];
}

#define PRODUCT_FORMS 14

// Both sides of an equation that holds for all values.
static void small_equation(struct terms *t, const struct small *s, unsigned form, Term *left, Term *right) {
    Term x = s->x, y = s->y, z = s->z, three = term_const(t, s->width, 3), five = term_const(t, s->width, 5);
    Term xy = term_mul(t, x, y), both = term_add(t, x, y);
    Term forms[PRODUCT_FORMS][2] = {
        {term_mul(t, x, term_mul(t, y, z)), term_mul(t, term_mul(t, z, x), y)},
        {term_mul(t, term_mul(t, x, x), term_mul(t, y, z)),
         term_mul(t, x, term_mul(t, z, term_mul(t, x, y)))},
        {term_add(t, term_mul(t, term_udiv(t, x, y), y), term_urem(t, x, y)), x},
        {term_add(t, term_mul(t, term_sdiv(t, x, y), y), term_srem(t, x, y)), x},
        {term_add(t, term_mul(t, term_udiv(t, x, three), three), term_urem(t, x, three)), x},
        {term_add(t, term_mul(t, term_sdiv(t, x, three), three), term_srem(t, x, three)), x},
        {term_sub(t, x, term_mul(t, term_udiv(t, x, five), five)), term_urem(t, x, five)},
        {term_sub(t, x, term_mul(t, y, term_sdiv(t, x, y))), term_srem(t, x, y)},
        {term_sub(t, both, term_mul(t, z, term_udiv(t, both, z))), term_urem(t, both, z)},
        {term_mul(t, x, term_add(t, y, z)), term_add(t, xy, term_mul(t, x, z))},
        {term_mul(t, both, both),
         term_add(t, term_mul(t, x, x), term_add(t, term_add(t, xy, xy), term_mul(t, y, y)))},
        {term_mul(t, both, term_sub(t, x, y)), term_sub(t, term_mul(t, x, x), term_mul(t, y, y))},
        {term_mul(t, term_add(t, x, three), term_add(t, y, five)),
         term_add(t, xy,
                  term_add(t, term_mul(t, x, five),
                           term_add(t, term_mul(t, y, three), term_mul(t, three, five))))},
        {term_sub(t, term_mul(t, z, five), term_mul(t, five, term_mul(t, x, y))),
         term_mul(t, five, term_sub(t, z, xy))},
    };
    *left = forms[form][0];
    *right = forms[form][1];
}

static Term small_variable(struct terms *t, uint32_t input, unsigned i, unsigned width) {
    return term_extract(t, term_byte(t, input, i), 0, width);
}

// In the widths of C each equation simplifies to true. In small widths each side has its value without simplification.
static void test_products(void **state) {
    struct fixture *f = *state;
    static const unsigned widths[] = {2, 3, 4, 8, 16, 32, 64};
    struct terms *raw = terms_new();
    terms_set_simplify(raw, false);
    uint32_t plain = terms_input(raw, "in", 3), input = terms_input(f->t, "small", 3);
    for (unsigned w = 0; w < COUNT(widths); w++)
        for (unsigned form = 0; form < PRODUCT_FORMS; form++) {
            struct small s = {.width = widths[w], .first = terms_input_var(f->t, input, 0)},
                         r = {.width = widths[w], .first = terms_input_var(raw, plain, 0)};
            bool tiny = s.width <= 4;
            Term left, right, sides[2];
            uint32_t wide = terms_input(f->t, "wide", 24);
            s.x =
                tiny ? small_variable(f->t, input, 0, s.width) : term_input_bits(f->t, wide, 0, s.width / 8);
            s.y =
                tiny ? small_variable(f->t, input, 1, s.width) : term_input_bits(f->t, wide, 8, s.width / 8);
            s.z =
                tiny ? small_variable(f->t, input, 2, s.width) : term_input_bits(f->t, wide, 16, s.width / 8);
            small_equation(f->t, &s, form, &left, &right);
            if (!tiny) {
                if (term_eq(f->t, left, right) != term_true(f->t))
                    fail_msg("form %u, width %u", form, s.width);
                continue;
            }
            r.x = small_variable(raw, plain, 0, r.width);
            r.y = small_variable(raw, plain, 1, r.width);
            r.z = small_variable(raw, plain, 2, r.width);
            small_equation(raw, &r, form, &sides[0], &sides[1]);
            struct evaluator *ours = evaluator_new(f->t), *theirs = evaluator_new(raw);
            for (unsigned v = 0; v < 1u << 3 * s.width; v++) {
                for (unsigned i = 0; i < 3; i++)
                    s.values[i] = r.values[i] = (uint8_t)(v >> i * s.width & mask_bits(s.width));
                evaluator_assign(ours, &(struct assignment){.byte = small_byte, .context = &s});
                evaluator_assign(theirs, &(struct assignment){.byte = small_byte, .context = &r});
                uint64_t value = evaluate(theirs, sides[0]);
                assert_int_equal(evaluate(ours, left), value);
                assert_int_equal(evaluate(ours, right), value);
            }
            evaluator_free(ours);
            evaluator_free(theirs);
        }
    terms_free(raw);
}

// An equation with a common odd factor, or with products that are multiplied out, has the same solutions.
static void test_product_equations(void **state) {
    struct fixture *f = *state;
    struct terms *raw = terms_new();
    terms_set_simplify(raw, false);
    uint32_t plain = terms_input(raw, "in", 3), input = terms_input(f->t, "odd", 3);
    struct evaluator *ours = evaluator_new(f->t), *theirs = evaluator_new(raw);
    for (unsigned a = 0; a < 16; a++)
        for (unsigned b = 0; b < 16; b++)
            for (unsigned form = 0; form < 7; form++) {
                Term conditions[2];
                struct small s = {.width = 4, .first = terms_input_var(f->t, input, 0)},
                             r = {.width = 4, .first = terms_input_var(raw, plain, 0)};
                for (unsigned side = 0; side < 2; side++) {
                    struct terms *t = side ? raw : f->t;
                    Term x = small_variable(t, side ? plain : input, 0, 4),
                         y = small_variable(t, side ? plain : input, 1, 4);
                    Term k = term_const(t, 4, a), l = term_const(t, 4, b), xy = term_mul(t, x, y);
                    Term ax = term_mul(t, x, k), by = term_mul(t, y, l), quotient = term_udiv(t, x, k);
                    conditions[side] =
                        form == 0   ? term_eq(t, term_add(t, ax, by), term_const(t, 4, 6))
                        : form == 1 ? term_eq(t, term_mul(t, term_add(t, x, k), y), term_add(t, xy, l))
                        : form == 2 ? term_eq(t, term_add(t, x, term_mul(t, quotient, l)), y)
                        : form == 3 ? term_eq(t, term_sub(t, term_mul(t, term_sdiv(t, x, k), l), x),
                                              term_mul(t, xy, k))
                        : form == 4 ? term_ult(t, term_urem(t, x, y), a & 1 ? k : y)
                        : form == 5 ? term_ult(t, b & 1 ? x : y, term_urem(t, x, a & 1 ? k : y))
                                    : term_ult(t, b & 1 ? x : y, term_udiv(t, x, a & 1 ? k : y));
                }
                for (unsigned v = 0; v < 256; v++) {
                    s.values[0] = r.values[0] = v & 15;
                    s.values[1] = r.values[1] = (uint8_t)(v >> 4);
                    evaluator_assign(ours, &(struct assignment){.byte = small_byte, .context = &s});
                    evaluator_assign(theirs, &(struct assignment){.byte = small_byte, .context = &r});
                    assert_int_equal(evaluate(ours, conditions[0]), evaluate(theirs, conditions[1]));
                }
            }
    evaluator_free(ours);
    evaluator_free(theirs);
    terms_free(raw);
}

static void test_conditions(void **state) {
    struct fixture *f = *state;
    Term c = term_eq(f->t, f->b0, f->b1), d = term_ult(f->t, f->b2, f->b3);
    assert_int_equal(term_ite(f->t, c, term_true(f->t), term_false(f->t)), c);
    assert_int_equal(term_ite(f->t, term_not(f->t, c), f->x, f->y), term_ite(f->t, c, f->y, f->x));
    Term picked = term_ite(f->t, c, term_const(f->t, 32, 7), term_const(f->t, 32, 9));
    assert_int_equal(term_eq(f->t, picked, term_const(f->t, 32, 9)), term_not(f->t, c));
    assert_int_equal(term_eq(f->t, picked, term_const(f->t, 32, 8)), term_false(f->t));
    assert_int_equal(term_ult(f->t, picked, term_const(f->t, 32, 8)), c);
    assert_int_equal(term_ite(f->t, c, f->x, term_ite(f->t, d, f->x, f->y)),
                     term_ite(f->t, term_or(f->t, c, d), f->x, f->y));
    assert_int_equal(term_and(f->t, c, term_or(f->t, c, d)), c);
    assert_int_equal(term_and(f->t, c, term_not(f->t, c)), term_false(f->t));
    assert_int_equal(term_not(f->t, term_not(f->t, d)), d);
}

static void test_arrays(void **state) {
    struct fixture *f = *state;
    Term i = term_zext(f->t, f->b0, 64), next = term_add(f->t, i, term_const(f->t, 64, 1));
    uint8_t bytes[300];
    for (unsigned k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)(3 * k + 1);
    Term table = term_array_bytes(f->t, 64, 1, bytes, sizeof bytes);
    assert_int_equal(term_value(f->t, term_select(f->t, table, term_const(f->t, 64, 7))), 22);
    assert_int_equal(term_value(f->t, term_select(f->t, table, term_const(f->t, 64, 300))), 0);
    unsigned element_bytes;
    assert_ptr_equal((const uint8_t *)term_literal_packed(f->t, table, &element_bytes) + 0,
                     term_literal_packed(f->t, table, &element_bytes));
    assert_int_equal(element_bytes, 1);
    Term written = term_store(f->t, term_store(f->t, table, i, f->b1), next, f->b2);
    assert_int_equal(term_select(f->t, written, next), f->b2);
    assert_int_equal(term_select(f->t, written, i), f->b1); // i and i + 1 differ
    assert_int_equal(term_select(f->t, written, term_const(f->t, 64, 299)), term_const(f->t, 8, bytes[299]));
    Term object = term_input_array(f->t, f->in, 16, 64);
    assert_int_equal(term_select(f->t, object, term_const(f->t, 64, 3)), f->b3);
    assert_int_equal(varset_count(f->t, term_support(f->t, term_select(f->t, object, i))), 16);
    assert_int_equal(term_single_var(f->t, term_select(f->t, table, i)), terms_input_var(f->t, f->in, 0));
}

static void test_tables(void **state) {
    struct fixture *f = *state;
    struct tabulator *tab = tabulator_new(f->t);
    uint8_t bytes[256];
    for (unsigned k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)(k * k);
    Term deep = f->b0;
    Term table = term_array_bytes(f->t, 8, 1, bytes, sizeof bytes);
    for (unsigned k = 0; k < 20; k++)
        deep = term_select(f->t, table, term_xor(f->t, deep, term_const(f->t, 8, k + 1)));
    uint64_t values[256];
    assert_true(tabulate(tab, deep, values));
    for (unsigned v = 0; v < 256; v++) {
        uint8_t expected = (uint8_t)v;
        for (unsigned k = 0; k < 20; k++) expected = bytes[expected ^ (k + 1)];
        assert_int_equal(values[v], expected);
    }
    assert_false(tabulate(tab, term_add(f->t, f->b0, f->b1), values));
    const uint64_t *set = tabulate_set(tab, term_ult(f->t, f->b0, term_const(f->t, 8, 65)));
    assert_true(set[0] == UINT64_MAX && set[1] == 1 && set[2] == 0);
    tabulator_free(tab);
}

// "The byte is one of every third value below `last`", with one node or more for each of them.
static Term one_of(struct fixture *f, Term byte, unsigned last) {
    Term any = term_false(f->t), wide = term_zext(f->t, byte, 32);
    for (unsigned v = 1; v < last; v += 3)
        any = term_or(f->t, any, term_eq(f->t, wide, term_const(f->t, 32, v)));
    return any;
}

// Terms of one shape have one set, whatever their byte; of another shape, another one.
static void test_shapes(void **state) {
    struct fixture *f = *state;
    struct tabulator *tab = tabulator_new(f->t);
    static const unsigned lasts[] = {2,  5,  12,
                                     32, 62, 250}; // up to 160 nodes: small shapes, large ones, none
    for (unsigned i = 0; i < sizeof lasts / sizeof *lasts; i++) {
        const uint64_t *first = tabulate_set(tab, one_of(f, f->b0, lasts[i]));
        const uint64_t *second = tabulate_set(tab, one_of(f, f->b1, lasts[i]));
        for (unsigned v = 0; v < 256; v++) {
            bool expected = v < lasts[i] && v % 3 == 1;
            assert_int_equal(first[v / 64] >> v % 64 & 1, expected);
            assert_int_equal(second[v / 64] >> v % 64 & 1, expected);
        }
        assert_int_equal(first == second, lasts[i] < 100);
        assert_ptr_equal(first, tabulate_set(tab, one_of(f, f->b0, lasts[i])));
    }
    assert_null(tabulate_set(tab, term_eq(f->t, f->b0, f->b1)));
    tabulator_free(tab);
}

static void test_deep(void **state) {
    struct fixture *f = *state;
    Term t = f->x, array = term_array_variable(f->t, "a", 32, 8), c = term_ult(f->t, f->x, f->y);
    for (unsigned i = 0; i < 100000; i++) {
        t = term_xor(f->t, term_mul(f->t, t, f->y), f->x);
        if (i % 10 == 0) array = term_store(f->t, array, t, f->b0);
        if (i % 100 == 0) c = term_and(f->t, c, term_slt(f->t, t, f->x));
    }
    t = term_add(f->t, t, term_zext(f->t, term_select(f->t, array, f->y), 32));
    struct evaluator *ev = evaluator_new(f->t);
    uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    struct assignment assignment = {.bytes = bytes, .count = 16};
    evaluator_assign(ev, &assignment);
    uint64_t value = evaluate(ev, t);
    struct map map = {0};
    for (unsigned i = 0; i < 16; i++)
        *map_put(&map, term_byte(f->t, f->in, i)) = term_const(f->t, 8, bytes[i]);
    Term replaced = term_substitute(f->t, t, &map, NULL);
    struct text text = {0};
    term_print(f->t, &text, t);
    term_print_smtlib(f->t, &text, c);
    assert_true(text.count > 100000);
    text_free(&text);
    map_free(&map);
    evaluator_assign(ev, &assignment);
    assert_int_equal(evaluate(ev, replaced), value);
    evaluator_free(ev);
    term_retain(f->t, c);
    assert_true(terms_collect(f->t) > 100000);
    assert_true(term_alive(f->t, c));
}

static void test_collect(void **state) {
    struct fixture *f = *state;
    Term kept = term_mul(f->t, f->x, f->y), lost = term_udiv(f->t, f->x, f->y);
    uint64_t generation = terms_generation(f->t);
    term_retain(f->t, kept);
    term_retain(f->t, kept);
    term_release(f->t, kept);
    assert_true(terms_collect(f->t) > 0);
    assert_true(term_alive(f->t, kept) && !term_alive(f->t, lost));
    assert_true(terms_generation(f->t) != generation);
    Term x = term_input_bits(f->t, f->in, 4, 4), y = term_input_bits(f->t, f->in, 8, 4);
    assert_int_equal(term_mul(f->t, y, x), kept);
    assert_true(x == f->x && y == f->y); // operands of retained terms are alive
}

// a == (a / b) * b + a % b, by folding and by evaluation, at larger widths than in the fuzzers.
static void test_wide(void **state) {
    struct fixture *f = *state;
    static const unsigned widths[] = {65, 129, 1000, 4096, 9001};
    uint32_t big = terms_input(f->t, "wide", 2400);
    uint32_t vars = terms_var_count(f->t);
    uint8_t *bytes = mem_alloc_zeroed(vars);
    uint64_t seed = 12345;
    for (uint32_t i = 0; i < vars; i++)
        bytes[i] = (uint8_t)((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 56);
    struct evaluator *ev = evaluator_new(f->t);
    struct assignment assignment = {.bytes = bytes, .count = vars};
    for (unsigned i = 0; i < 5; i++) {
        unsigned w = widths[i], n = (w + 7) / 8;
        Term a = term_extract(f->t, term_input_bits(f->t, big, 0, n), 0, w);
        Term b = term_lshr(f->t, term_extract(f->t, term_input_bits(f->t, big, 1200, n), 0, w),
                           term_const(f->t, w, w / 3));
        Term sum = term_add(f->t, term_mul(f->t, term_udiv(f->t, a, b), b), term_urem(f->t, a, b));
        evaluator_assign(ev, &assignment);
        assert_int_equal(evaluate(ev, term_eq(f->t, sum, a)), 1);
        Term x = evaluate_term(ev, a), y = evaluate_term(ev, b);
        Term q = term_udiv(f->t, x, y), r = term_urem(f->t, x, y);
        assert_int_equal(term_add(f->t, term_mul(f->t, q, y), r), x);
        assert_int_equal(term_ult(f->t, r, y), term_true(f->t));
        assert_int_equal(term_neg(f->t, term_neg(f->t, x)), x);
        assert_int_equal(term_ashr(f->t, term_concat(f->t, x, y), term_const(f->t, 2 * w, w)),
                         term_sext(f->t, x, 2 * w));
    }
    evaluator_free(ev);
    mem_free(bytes, vars);
}

static void test_sets(void **state) {
    struct fixture *f = *state;
    uint32_t big = terms_input(f->t, "big", 5000);
    Term sum = term_const(f->t, 8, 0);
    for (unsigned i = 0; i < 5000; i += 3) sum = term_xor(f->t, sum, term_byte(f->t, big, i));
    VarSet set = term_support(f->t, sum);
    assert_int_equal(varset_count(f->t, set), 1667);
    uint32_t seen = 0, first = terms_input_var(f->t, big, 0);
    for (uint32_t v = varset_next(f->t, set, 0); v != VAR_NONE; v = varset_next(f->t, set, v + 1), seen++)
        assert_int_equal((v - first) % 3, 0);
    assert_int_equal(seen, 1667);
    VarSet other = varset_union(f->t, varset_single(f->t, first + 3), varset_single(f->t, first + 4000));
    assert_false(varset_subset(f->t, other, set));
    assert_true(varset_meets(f->t, other, set));
    assert_false(varset_meets(f->t, varset_single(f->t, first + 4000), set));
    assert_true(varset_subset(f->t, varset_single(f->t, first + 3), set));
    assert_int_equal(varset_union(f->t, set, other), varset_union(f->t, other, set));
}

#define SET_VARS 600

// Builds the set of the vars of `has`, one by one, from a random one on.
static VarSet set_of(struct fixture *f, struct random *random, const bool *has) {
    VarSet set = 0;
    uint32_t start = (uint32_t)random_below(random, SET_VARS);
    for (uint32_t i = 0; i < SET_VARS; i++) {
        uint32_t var = (start + i) % SET_VARS;
        if (has[var]) set = varset_union(f->t, set, varset_single(f->t, var));
    }
    return set;
}

// Random runs of vars, with single vars more or less.
static void random_vars(struct random *random, bool *has) {
    memset(has, 0, SET_VARS);
    for (uint64_t runs = random_below(random, 4); runs > 0; runs--) {
        uint32_t start = (uint32_t)random_below(random, SET_VARS);
        uint32_t length = (uint32_t)random_below(random, random_below(random, 2) ? 300 : 4);
        for (uint32_t i = start; i < MIN(start + length, SET_VARS); i++) has[i] = true;
    }
    if (random_below(random, 2)) has[random_below(random, SET_VARS)] ^= true;
}

static void test_sets_of_runs(void **state) {
    struct fixture *f = *state;
    struct random random = {1};
    for (unsigned round = 0; round < 400; round++) {
        bool a[SET_VARS], b[SET_VARS], both[SET_VARS], less[SET_VARS], meets = false, subset = true;
        random_vars(&random, a);
        random_vars(&random, b);
        uint32_t count = 0;
        for (uint32_t i = 0; i < SET_VARS; i++) {
            if (round % 3 == 0) a[i] = a[i] && b[i];
            both[i] = a[i] || b[i];
            less[i] = a[i] && !b[i];
            meets = meets || (a[i] && b[i]);
            subset = subset && !less[i];
            count += a[i];
        }
        VarSet x = set_of(f, &random, a), y = set_of(f, &random, b), sides[2];
        assert_int_equal(x, set_of(f, &random, a)); // equal sets are equal ids
        assert_int_equal(varset_union(f->t, x, y), set_of(f, &random, both));
        assert_int_equal(varset_minus(f->t, x, y), set_of(f, &random, less));
        assert_int_equal(varset_meets(f->t, x, y), meets);
        assert_int_equal(varset_subset(f->t, x, y), subset);
        assert_int_equal(varset_count(f->t, x), count);
        for (uint32_t i = 0, next = varset_next(f->t, x, 0); i < SET_VARS; i++) {
            assert_int_equal(varset_has(f->t, x, i), a[i]);
            assert_int_equal(a[i], next == i);
            if (next == i) next = varset_next(f->t, x, i + 1);
        }
        if (varset_split(f->t, x, sides)) {
            assert_false(varset_meets(f->t, sides[0], sides[1]));
            assert_int_equal(varset_union(f->t, sides[0], sides[1]), x);
        }
    }
}

static void test_print(void **state) {
    struct fixture *f = *state;
    struct text text = {0};
    Term t = term_and(f->t, term_ne(f->t, f->b0, term_const(f->t, 8, 'a')),
                      term_slt(f->t, f->x, term_const(f->t, 32, 100)));
    term_print(f->t, &text, t);
    assert_string_equal(text.at, "((in[0] != 'a') && (in[4..7] <s 0x64))");
    text_clear(&text);
    term_print(f->t, &text, term_udiv(f->t, term_sub(f->t, f->x, f->y), term_sub(f->t, f->x, f->y)));
    assert_string_equal(text.at, "let t1 = (in[4..7] - in[8..11]);\n(t1 /u t1)");
    text_clear(&text);
    term_print_smtlib(f->t, &text, term_ult(f->t, f->b0, f->b1));
    assert_string_equal(text.at, "(bvult |in[0]| |in[1]|)");
    text_free(&text);
}

static void test_floats(void **state) {
    struct fixture *f = *state;
    uint32_t in = terms_input(f->t, "d", 8);
    Term d = term_input_bits(f->t, in, 0, 8), one = term_const(f->t, 64, 0x3ff0000000000000u);
    Term two = term_fp_binary(f->t, KIND_FP_ADD, FP_DOUBLE, FP_NEAREST_EVEN, one, one);
    assert_int_equal(term_value(f->t, two), 0x4000000000000000u);
    assert_int_equal(term_fp_compare(f->t, KIND_FP_LT, FP_DOUBLE, d, d), term_false(f->t));
    Term negated = term_fp_unary(f->t, KIND_FP_NEG, FP_DOUBLE, 0, d);
    assert_int_equal(term_fp_unary(f->t, KIND_FP_NEG, FP_DOUBLE, 0, negated), d);
    Term third = term_fp_binary(f->t, KIND_FP_DIV, FP_DOUBLE, FP_UPWARD, one,
                                term_const(f->t, 64, 0x4008000000000000u));
    assert_int_equal(term_value(f->t, third), 0x3fd5555555555556u);
    Term narrow =
        term_fp_to_int(f->t, true, FP_DOUBLE, FP_TOWARD_ZERO, term_const(f->t, 64, 0xc059200000000000u), 8);
    assert_int_equal(term_value(f->t, narrow), (uint8_t)-100);
    Term sum = term_fp_binary(f->t, KIND_FP_ADD, FP_DOUBLE, FP_NEAREST_EVEN, d, one);
    assert_int_equal(term_kind(f->t, sum), KIND_FP_ADD);
    assert_int_equal(varset_count(f->t, term_support(f->t, sum)), 8);
}

// When the table of nodes cannot grow any more, the run ends with an error and a remedy. The test does not make the
// nodes, which would take gigabytes.
static void test_too_many_terms(void **state) {
    struct fixture *f = *state;
    int pipes[2], status;
    char said[500] = {0};
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], STDERR_FILENO);
        f->t->capacity = f->t->count = TERM_LIMIT;
        f->t->free_head = 0;
        term_add(f->t, f->x, term_const(f->t, 32, 12345678));
        _exit(0);
    }
    close(pipes[1]);
    for (ssize_t at = 0, got; (got = read(pipes[0], said + at, sizeof said - 1 - (size_t)at)) > 0;) at += got;
    close(pipes[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    assert_non_null(strstr(said, "more than 2^29 terms are in use"));
    assert_non_null(strstr(said, "--max-memory"));
}

int main(void) {
    in_use_before = mem_in_use();
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {TEST(test_bytes_come_together),
                                       TEST(test_too_many_terms),
                                       TEST(test_shifts_assemble_bytes),
                                       TEST(test_linear),
                                       TEST(test_comparisons),
                                       TEST(test_quotients),
                                       TEST(test_choices),
                                       TEST(test_products),
                                       TEST(test_product_equations),
                                       TEST(test_conditions),
                                       TEST(test_arrays),
                                       TEST(test_tables),
                                       TEST(test_shapes),
                                       TEST(test_deep),
                                       TEST(test_collect),
                                       TEST(test_sets),
                                       TEST(test_sets_of_runs),
                                       TEST(test_wide),
                                       TEST(test_print),
                                       TEST(test_floats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
