// Float functions on terms against those on concrete values: constants must fold to the same bits.
#include "float_values.h"
#include "vm/numeric.h"
#include "vm/term_ops.h"

#include "../check.h"

#define ROUNDS 4000
#define LARGE  20 // slots of the widest integer

static struct terms *terms;

static void fail_at(enum ir_fn fn, enum ir_float format, unsigned extra, uint64_t (*args)[LARGE],
                    const uint64_t *ours, const uint64_t *wanted) {
    print_message("%s format %d extra %u\n", ir_fn_info[fn].name, format, extra);
    for (unsigned i = 0; i < ir_fn_info[fn].arity; i++)
        print_message("  operand %016llx%016llx\n", (unsigned long long)args[i][1],
                      (unsigned long long)args[i][0]);
    print_message("  term    %016llx%016llx\n  numeric %016llx%016llx\n", (unsigned long long)ours[1],
                  (unsigned long long)ours[0], (unsigned long long)wanted[1], (unsigned long long)wanted[0]);
    fail();
}

static void compare(enum ir_fn fn, enum ir_float format, unsigned extra, uint64_t (*args)[LARGE]) {
    bool from_int = fn == IR_FN_FFROM_SINT || fn == IR_FN_FFROM_UINT;
    Term operands[3] = {0}, valid;
    for (unsigned i = 0; i < ir_fn_info[fn].arity; i++) {
        unsigned width = fn == IR_FN_FLDEXP && i == 1 ? 64 : from_int ? extra : ir_float_width(format);
        operands[i] = term_const_limbs(terms, width, args[i]);
    }
    Term value = vm_term_of_float(terms, fn, format, extra, operands[0], operands[1], operands[2], &valid);
    assert_true(value && term_is_const(terms, value) && term_is_const(terms, valid));
    if (term_is_zero(terms, valid)) return;
    uint64_t wanted[LARGE] = {0}, ours[LARGE] = {0};
    float_evaluate(fn, format, extra, wanted, args[0], args[1], args[2]);
    memcpy(ours, term_limbs(terms, value), ir_slots(term_width(terms, value)) * sizeof *ours);
    if (memcmp(ours, wanted, sizeof ours) != 0) fail_at(fn, format, extra, args, ours, wanted);
}

static void random_integer(unsigned width, uint64_t *a) {
    unsigned slots = ir_slots(width), keep = (unsigned)random_below(&random_state, width) + 1;
    for (unsigned i = 0; i < slots; i++)
        a[i] = random_below(&random_state, 4) ? random_next(&random_state) : 0;
    if (random_next(&random_state) & 1) width = keep;
    for (unsigned i = 0; i < slots; i++) {
        if (width <= 64 * i)
            a[i] = 0;
        else if (width < 64 * i + 64)
            a[i] &= mask_bits(width - 64 * i);
    }
}

static unsigned random_extra(enum ir_fn fn) {
    static const unsigned widths[] = {1,  7,  8,  15,  16,  17,  31,  32,  33,
                                      63, 64, 65, 100, 128, 129, 200, 320, 1100};
    switch (fn) {
    case IR_FN_FCMP: return (unsigned)random_below(&random_state, 16);
    case IR_FN_FIS_CLASS: return (unsigned)random_below(&random_state, 1024);
    case IR_FN_FCONVERT: return (unsigned)random_below(&random_state, IR_FLOAT_COUNT);
    case IR_FN_FLDEXP: return random_next(&random_state) & 1 ? 0 : 64;
    default: return widths[random_below(&random_state, COUNT(widths))];
    }
}

// Sometimes makes the value an invalid x87 encoding.
static void damage(enum ir_float format, uint64_t *a) {
    if (format == IR_F80 && random_below(&random_state, 8) == 0) a[0] ^= (uint64_t)1 << 63;
}

static void test_all_functions(void **state) {
    for (enum ir_fn fn = IR_FN_FADD; fn < IR_FN_COUNT; fn++)
        for (enum ir_float format = IR_F16; format < IR_FLOAT_COUNT; format++) {
            terms = terms_new();
            for (unsigned round = 0; round < ROUNDS; round++) {
                uint64_t args[3][LARGE] = {{0}};
                unsigned extra = random_extra(fn);
                random_float(format, args[0]);
                random_partner(format, args[0], args[1]);
                random_float(format, args[2]);
                for (unsigned i = 0; i < 3; i++) damage(format, args[i]);
                if (fn == IR_FN_FFROM_SINT || fn == IR_FN_FFROM_UINT) random_integer(extra, args[0]);
                if (fn == IR_FN_FLDEXP) {
                    int64_t amount = (int64_t)random_below(&random_state, 400) - 200;
                    if (round % 8 == 0) amount = (int64_t)random_next(&random_state);
                    if (round % 8 == 1) amount *= 120;
                    args[1][0] = extra ? (uint64_t)amount : (uint32_t)amount;
                }
                compare(fn, format, extra, args);
            }
            terms_free(terms);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
