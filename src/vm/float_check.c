// --check float: division by zero, conversion to an integer that cannot hold the value, and an operation that yields a
// NaN from numbers. Each is a condition over the operands and the result, for concrete values and for terms. Code of
// the C library is not checked.
#include "vm/float_check.h"

#include "vm/choice.h"
#include "vm/numeric.h"
#include "vm/term_ops.h"

#define EQUAL     1u // LLVM's predicates
#define UNORDERED 8u

static bool is_division(enum ir_fn fn) { return fn == IR_FN_FDIV || fn == IR_FN_FREM; }
static bool is_conversion(enum ir_fn fn) { return fn == IR_FN_FTO_SINT || fn == IR_FN_FTO_UINT; }
static bool makes_floats(enum ir_fn fn) {
    return (fn >= IR_FN_FADD && fn <= IR_FN_FREM) || fn == IR_FN_FMA || fn == IR_FN_FSQRT;
}

bool vm_float_is_checked(const struct vm *vm, const struct frame *frame) {
    return check_wanted(vm->options.checks, CHECK_FLOAT) && !frame->function->runtime;
}

static enum step say(struct vm *vm, enum ir_fn fn, enum float_fault fault) {
    switch (fault) {
    case FLOAT_DIVISION:
        vm_report_begin(vm, BUG_DIVISION, "division of a float by zero")->is_fatal = false;
        return vm_report_end(vm);
    case FLOAT_CONVERSION:
        return vm_report_bug(vm, BUG_OVERFLOW, "conversion of a float to an integer that cannot hold it");
    default:
        assert(fault == FLOAT_NAN_MADE);
        return vm_report_bug(vm, BUG_NOT_A_NUMBER, "%s of numbers gives a NaN",
                             fn == IR_FN_FSQRT ? "the square root" : "an operation");
    }
}

static bool holds(unsigned predicate, enum ir_float format, const uint64_t *a, const uint64_t *b) {
    uint64_t result[1];
    float_evaluate(IR_FN_FCMP, format, predicate, result, a, b, NULL);
    return result[0];
}

enum step vm_check_float(struct vm *vm, enum ir_fn fn, enum ir_float format, unsigned extra,
                         const uint64_t *const *operands, const uint64_t *result) {
    static const uint64_t zero[2];
    if (is_division(fn) && holds(EQUAL, format, operands[1], zero)) return say(vm, fn, FLOAT_DIVISION);
    if (is_conversion(fn) && extra <= 64) {
        uint64_t whole[2], back[2];
        float_evaluate(IR_FN_FTRUNC, format, 0, whole, operands[0], NULL, NULL);
        float_evaluate(fn == IR_FN_FTO_SINT ? IR_FN_FFROM_SINT : IR_FN_FFROM_UINT, format, extra, back,
                       result, NULL, NULL);
        if (!holds(EQUAL, format, whole, back)) return say(vm, fn, FLOAT_CONVERSION);
    }
    bool nan = makes_floats(fn) && holds(UNORDERED, format, result, result);
    for (unsigned i = 0; nan && i < ir_fn_info[fn].arity; i++)
        nan = !holds(UNORDERED, format, operands[i], operands[i]);
    return nan ? say(vm, fn, FLOAT_NAN_MADE) : STEP_NEXT;
}

// ---- Terms

struct fault {
    enum ir_fn fn;
    enum float_fault kind;
};

static void say_fault(struct vm *vm, void *context) {
    const struct fault *fault = context;
    say(vm, fault->fn, fault->kind);
}

static Term compare(struct vm *vm, unsigned predicate, enum ir_float format, Term a, Term b) {
    Term valid;
    return vm_term_of_float(vm->terms, IR_FN_FCMP, format, predicate, a, b, 0, &valid);
}

enum step vm_require_float(struct vm *vm, enum ir_fn fn, enum ir_float format, unsigned extra,
                           const Term *operands, Term result) {
    struct terms *terms = vm->terms;
    struct fault fault = {fn, FLOAT_DIVISION};
    Term valid;
    enum step step = STEP_NEXT;
    if (is_division(fn)) {
        Term zero = term_const(terms, ir_float_width(format), 0);
        step = vm_check(vm, "division by zero",
                        term_not(terms, compare(vm, EQUAL, format, operands[1], zero)), say_fault, &fault);
    }
    if (step == STEP_NEXT && is_conversion(fn) && extra <= 64) {
        fault.kind = FLOAT_CONVERSION;
        Term whole = vm_term_of_float(terms, IR_FN_FTRUNC, format, 0, operands[0], 0, 0, &valid);
        Term back = vm_term_of_float(terms, fn == IR_FN_FTO_SINT ? IR_FN_FFROM_SINT : IR_FN_FFROM_UINT,
                                     format, extra, result, 0, 0, &valid);
        step = vm_check(vm, "conversion to an integer", compare(vm, EQUAL, format, whole, back), say_fault,
                        &fault);
    }
    if (step == STEP_NEXT && makes_floats(fn)) {
        fault.kind = FLOAT_NAN_MADE;
        Term nan = compare(vm, UNORDERED, format, result, result);
        for (unsigned i = 0; i < ir_fn_info[fn].arity; i++)
            nan = term_and(terms, nan,
                           term_not(terms, compare(vm, UNORDERED, format, operands[i], operands[i])));
        step = vm_check(vm, "result that is not a number", term_not(terms, nan), say_fault, &fault);
    }
    return step;
}
