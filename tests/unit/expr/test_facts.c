// Facts against evaluation: every operation, on all facts of small widths and all values that satisfy them.
#include "../check.h"
#include "base/vec.h"
#include "expr/apply.h"
#include "expr/facts.h"

#include <string.h>

#define WIDEST 4u

struct known {
    struct facts facts;
    uint32_t values; // bit v: the value v fits
};
typedef vec(struct known) known_list;

static uint32_t values_of(struct facts f, unsigned width) {
    uint32_t values = 0;
    for (uint64_t v = 0; v <= mask_bits(width); v++)
        if (!(v & f.zeros) && (v & f.ones) == f.ones && v >= f.low && v <= f.high) values |= 1u << v;
    return values;
}

// All tight facts of a width that some value satisfies.
static known_list list_facts(unsigned width) {
    known_list list = {0};
    uint64_t mask = mask_bits(width);
    for (uint64_t zeros = 0; zeros <= mask; zeros++)
        for (uint64_t ones = 0; ones <= mask; ones++)
            for (uint64_t low = 0; low <= mask; low++)
                for (uint64_t high = low; high <= mask; high++) {
                    struct facts f = {zeros, ones, low, high};
                    uint32_t values = values_of(f, width);
                    if (!values) continue;
                    f = facts_tighten(f, width);
                    assert_int_equal(values_of(f, width), values);
                    bool seen = false;
                    vec_each (struct known, known, &list) seen |= !memcmp(&known->facts, &f, sizeof f);
                    if (!seen) vec_push(&list, ((struct known){f, values}));
                }
    return list;
}

static uint64_t next_value(uint32_t *values) {
    unsigned v = (unsigned)__builtin_ctz(*values);
    *values &= *values - 1;
    return v;
}

// The facts of the result are consistent, and every value of `results` fits them. `exact`: the operands
// are known exactly, and the kind promises an exact result for such operands.
static void check(struct facts_operation op, const struct facts *operands, uint32_t results, bool exact) {
    struct facts f = facts_tighten(facts_apply(op, operands), op.width);
    uint32_t fitting = values_of(f, op.width);
    if (results & ~fitting)
        fail_msg("kind %s, width %u: a result does not fit", kind_infos[op.kind].text, op.width);
    if (exact && !facts_exact(f))
        fail_msg("kind %s, width %u: not exact", kind_infos[op.kind].text, op.width);
}

static void check_pairs(enum kind kind, unsigned width, const known_list *list, bool promised) {
    struct facts_operation op = {.kind = kind, .width = width, .operand_width = width};
    if (kind_infos[kind].properties & KP_PREDICATE) op.width = 1;
    uint8_t table[1u << WIDEST][1u << WIDEST];
    for (uint64_t a = 0; a <= mask_bits(width); a++)
        for (uint64_t b = 0; b <= mask_bits(width); b++)
            table[a][b] =
                (uint8_t)(kind == KIND_SUB ? (a - b) & mask_bits(width) : apply_small(kind, width, a, b));
    vec_each (const struct known, a, list)
        vec_each (const struct known, b, list) {
            uint32_t results = 0;
            for (uint32_t x = a->values; x;) {
                uint64_t left = next_value(&x);
                for (uint32_t y = b->values; y;) results |= 1u << table[left][next_value(&y)];
            }
            struct facts operands[] = {a->facts, b->facts};
            check(op, operands, results, promised && facts_exact(a->facts) && facts_exact(b->facts));
        }
}

static void test_pairs(void **state) {
    static const enum kind exact[] = {KIND_AND,  KIND_OR,   KIND_XOR, KIND_ADD, KIND_MUL,
                                      KIND_UDIV, KIND_LSHR, KIND_EQ,  KIND_ULT, KIND_SLT};
    static const enum kind others[] = {KIND_UREM, KIND_SDIV, KIND_SREM, KIND_SHL, KIND_ASHR, KIND_SUB};
    for (unsigned width = 1; width <= WIDEST; width++) {
        known_list list = list_facts(width);
        for (unsigned i = 0; i < COUNT(exact); i++) check_pairs(exact[i], width, &list, true);
        for (unsigned i = 0; i < COUNT(others); i++) check_pairs(others[i], width, &list, false);
        vec_free(&list);
    }
}

static void test_single(void **state) {
    for (unsigned width = 1; width <= WIDEST; width++) {
        known_list list = list_facts(width);
        vec_each (struct known, a, &list) {
            uint32_t not = 0, neg = 0, extended = 0;
            bool exact = facts_exact(a->facts);
            for (uint32_t x = a->values; x;) {
                uint64_t v = next_value(&x);
                not |= 1u << (~v & mask_bits(width));
                neg |= 1u << (-v & mask_bits(width));
                extended |= 1u << ((uint64_t)sign_extend(v, width) & mask_bits(WIDEST));
            }
            check((struct facts_operation){KIND_NOT, width, width, 0}, &a->facts, not, exact);
            check((struct facts_operation){KIND_NEG, width, width, 0}, &a->facts, neg, exact);
            if (width < WIDEST)
                check((struct facts_operation){KIND_SEXT, WIDEST, width, 0}, &a->facts, extended, exact);
            for (unsigned low = 0; low < width; low++)
                for (unsigned part = 1; low + part <= width; part++) {
                    uint32_t results = 0;
                    for (uint32_t x = a->values; x;)
                        results |= 1u << (next_value(&x) >> low & mask_bits(part));
                    check((struct facts_operation){KIND_EXTRACT, part, width, low}, &a->facts, results,
                          exact);
                }
        }
        vec_free(&list);
    }
}

static void test_concat(void **state) {
    for (unsigned high_width = 1; high_width < WIDEST; high_width++) {
        unsigned low_width = WIDEST - high_width;
        known_list high = list_facts(high_width), low = list_facts(low_width);
        vec_each (struct known, a, &high)
            vec_each (struct known, b, &low) {
                uint32_t results = 0;
                for (uint32_t x = a->values; x;) {
                    uint64_t left = next_value(&x);
                    for (uint32_t y = b->values; y;) results |= 1u << (left << low_width | next_value(&y));
                }
                struct facts operands[] = {a->facts, b->facts};
                check((struct facts_operation){KIND_CONCAT, WIDEST, high_width, 0}, operands, results,
                      facts_exact(a->facts) && facts_exact(b->facts));
            }
        vec_free(&high);
        vec_free(&low);
    }
}

static void test_join_and_meet(void **state) {
    known_list list = list_facts(WIDEST);
    vec_each (struct known, a, &list)
        vec_each (struct known, b, &list) {
            assert_int_equal((a->values | b->values) & ~values_of(facts_join(a->facts, b->facts), WIDEST), 0);
            struct facts both = a->facts;
            bool met = facts_meet(&both, b->facts, WIDEST);
            if (met)
                assert_int_equal(values_of(both, WIDEST), a->values & b->values);
            else
                assert_int_equal(a->values & b->values, 0);
            if (!met) assert_memory_equal(&both, &a->facts, sizeof both);
            struct facts choice[] = {facts_unknown(1), a->facts, b->facts};
            struct facts_operation ite = {.kind = KIND_ITE, .width = WIDEST, .operand_width = 1};
            check(ite, choice, a->values | b->values, false);
            choice[0] = facts_const(1, 1);
            check(ite, choice, a->values, facts_exact(a->facts));
            choice[0] = facts_const(0, 1);
            check(ite, choice, b->values, facts_exact(b->facts));
        }
    vec_free(&list);
}

// Corner cases of masks and shifts at 64 bits.
static void test_full_width(void **state) {
    static const uint64_t values[] = {0, 1, 2, 63, 64, UINT64_MAX >> 1, (uint64_t)1 << 63, UINT64_MAX};
    static const enum kind kinds[] = {KIND_AND,  KIND_OR,   KIND_XOR,  KIND_ADD,  KIND_MUL,
                                      KIND_UDIV, KIND_UREM, KIND_SDIV, KIND_SREM, KIND_SHL,
                                      KIND_LSHR, KIND_ASHR, KIND_EQ,   KIND_ULT,  KIND_SLT};
    for (unsigned k = 0; k < COUNT(kinds); k++)
        for (unsigned i = 0; i < COUNT(values); i++)
            for (unsigned j = 0; j < COUNT(values); j++) {
                bool predicate = kind_infos[kinds[k]].properties & KP_PREDICATE;
                unsigned width = predicate ? 1 : 64;
                uint64_t value = apply_small(kinds[k], 64, values[i], values[j]);
                struct facts operands[] = {facts_const(values[i], 64), facts_const(values[j], 64)};
                struct facts f = facts_tighten(
                    facts_apply((struct facts_operation){kinds[k], width, 64, 0}, operands), width);
                assert_true(f.low <= value && value <= f.high);
                assert_int_equal(value & f.zeros, 0);
                assert_int_equal(value & f.ones, f.ones);
                operands[1] = facts_unknown(64);
                f = facts_tighten(facts_apply((struct facts_operation){kinds[k], width, 64, 0}, operands),
                                  width);
                assert_true(f.low <= value && value <= f.high);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),      cmocka_unit_test(test_single),
        cmocka_unit_test(test_concat),     cmocka_unit_test(test_join_and_meet),
        cmocka_unit_test(test_full_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
