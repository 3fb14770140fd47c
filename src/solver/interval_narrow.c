// Narrowing of ranges. Every step keeps all values that some assignment of the inputs gives. So an empty range proves
// that the conditions are unsatisfiable.
#include "solver/interval.h"

#include "base/run_limits.h"

#define MOST_ROUNDS 12u

static struct interval *at(struct intervals *intervals, uint32_t number) {
    assert(number < intervals->list.count);
    return &intervals->list.at[number];
}

static void meet_floats(struct intervals *intervals, uint32_t number, struct float_range range) {
    struct interval *interval = at(intervals, number);
    assert(interval->format); // not an integer
    struct float_range now = float_range_meet(interval->floats, range), old = interval->floats;
    if (float_range_is_empty(now)) intervals->contradiction = true;
    if (now.low == old.low && now.high == old.high && now.nan == old.nan) return;
    intervals->changed = true;
    interval->floats = now;
}

static void meet_ints(struct intervals *intervals, uint32_t number, struct int_range range) {
    struct interval *interval = at(intervals, number);
    assert(!interval->format);
    struct int_range old = interval->ints, now = {MAX(old.low, range.low), MIN(old.high, range.high)};
    if (now.low > now.high) {
        intervals->contradiction = true;
        return;
    }
    if (now.low == old.low && now.high == old.high) return;
    intervals->changed = true;
    interval->ints = now;
}

static void meet_truth(struct intervals *intervals, uint32_t number, struct truth truth) {
    if (!truth.no && !truth.yes)
        intervals->contradiction = true; // an operand has an empty range
    else
        meet_ints(intervals, number, (struct int_range){!truth.no, truth.yes});
}

static struct truth truth_of(struct intervals *intervals, uint32_t number) {
    struct int_range range = at(intervals, number)->ints;
    assert(range.low >= 0 && range.low <= range.high && range.high <= 1);
    return (struct truth){range.low == 0, range.high == 1};
}
static bool is_true(struct truth truth) { return !truth.no; }
static bool is_false(struct truth truth) { return !truth.yes; }
static void set_bit(struct intervals *intervals, uint32_t number, bool value) {
    meet_ints(intervals, number, (struct int_range){value, value});
}

// ---- Integers

// The range as unsigned numbers; false if it contains both signs.
static bool as_unsigned(struct int_range *range, unsigned width) {
    if (range->low < 0 && range->high >= 0) return false;
    if (range->low >= 0) return true;
    range->low += (__int128)1 << width;
    range->high += (__int128)1 << width;
    return true;
}

static struct truth compare_ints(enum kind kind, struct int_range a, struct int_range b, unsigned width) {
    struct truth truth = {true, true};
    if (kind == KIND_ULT && (!as_unsigned(&a, width) || !as_unsigned(&b, width))) return truth;
    if (kind == KIND_EQ) {
        if (a.high < b.low || b.high < a.low) truth.yes = false;
        if (a.low == a.high && b.low == b.high && a.low == b.low) truth.no = false;
    } else {
        if (a.high < b.low) truth.no = false;
        if (a.low >= b.high) truth.yes = false;
    }
    return truth;
}

// Narrows both for a < b, or a <= b.
static void order_ints(struct intervals *intervals, uint32_t a, uint32_t b, bool strict) {
    struct int_range x = at(intervals, a)->ints, y = at(intervals, b)->ints;
    meet_ints(intervals, a, (struct int_range){x.low, y.high - strict});
    if (!intervals->contradiction) meet_ints(intervals, b, (struct int_range){x.low + strict, y.high});
}

static void back_compare_ints(struct intervals *intervals, const struct interval *interval, bool value) {
    uint32_t a = interval->args[0], b = interval->args[1];
    struct int_range x = at(intervals, a)->ints, y = at(intervals, b)->ints;
    unsigned width = term_width(intervals->terms, at(intervals, a)->term);
    assert(width > 1 && width <= 64);
    __int128 most = ((__int128)1 << (width - 1)) - 1;
    switch (interval->shape.kind) {
    case KIND_EQ:
        if (!value) return;
        meet_ints(intervals, a, y);
        if (!intervals->contradiction) meet_ints(intervals, b, x);
        return;
    case KIND_ULT:
        // An unsigned number below one without sign bit has no sign bit, either.
        if (value && y.low >= 0) meet_ints(intervals, a, (struct int_range){0, most});
        if (!value && x.low >= 0) meet_ints(intervals, b, (struct int_range){0, most});
        if (intervals->contradiction) return;
        x = at(intervals, a)->ints;
        y = at(intervals, b)->ints;
        if ((x.low < 0) != (x.high < 0) || (y.low < 0) != (y.high < 0) || (x.low < 0) != (y.low < 0)) return;
        break; // both have one sign: as for signed numbers
    default: break;
    }
    value ? order_ints(intervals, a, b, true) : order_ints(intervals, b, a, false);
}

static struct int_range sum_ints(struct int_range a, struct int_range b, unsigned width) {
    __int128 span = (__int128)1 << (width - 1);
    struct int_range r = {a.low + b.low, a.high + b.high};
    if (r.low < -span || r.high >= span) r = (struct int_range){-span, span - 1}; // the sum may wrap
    return r;
}

// ---- Forward: from operands to results

static void forward_ite(struct intervals *intervals, uint32_t number) {
    const struct interval *interval = at(intervals, number);
    struct truth condition = truth_of(intervals, interval->args[0]);
    const struct interval *yes = at(intervals, interval->args[1]), *no = at(intervals, interval->args[2]);
    if (interval->format) {
        struct float_range r = is_true(condition)    ? yes->floats
                               : is_false(condition) ? no->floats
                                                     : float_range_join(yes->floats, no->floats);
        meet_floats(intervals, number, r);
    } else {
        struct int_range a = yes->ints, b = no->ints;
        struct int_range both = {MIN(a.low, b.low), MAX(a.high, b.high)};
        meet_ints(intervals, number, is_true(condition) ? a : is_false(condition) ? b : both);
    }
}

static void forward(struct intervals *intervals, uint32_t number) {
    const struct interval interval = *at(intervals, number);
    const uint32_t *args = interval.args;
    struct truth a, b;
    struct float_range floats[3];
    struct int_range ints[2] = {{0}};
    for (unsigned i = 0; i < interval.arity; i++) {
        if (at(intervals, args[i])->format)
            floats[i] = at(intervals, args[i])->floats;
        else if (i < 2)
            ints[i] = at(intervals, args[i])->ints;
    }
    unsigned width = interval.arity ? term_width(intervals->terms, at(intervals, args[0])->term) : 0;
    switch (interval.how) {
    case INTERVAL_LEAF: break;
    case INTERVAL_NOT:
        a = truth_of(intervals, args[0]);
        meet_truth(intervals, number, (struct truth){a.yes, a.no});
        break;
    case INTERVAL_AND:
    case INTERVAL_OR:
        a = truth_of(intervals, args[0]);
        b = truth_of(intervals, args[1]);
        meet_truth(intervals, number,
                   interval.how == INTERVAL_AND ? (struct truth){a.no || b.no, a.yes && b.yes}
                                                : (struct truth){a.no && b.no, a.yes || b.yes});
        break;
    case INTERVAL_ITE: forward_ite(intervals, number); break;
    case INTERVAL_COMPARE:
        meet_truth(intervals, number, compare_ints(interval.shape.kind, ints[0], ints[1], width));
        break;
    case INTERVAL_ADD: meet_ints(intervals, number, sum_ints(ints[0], ints[1], interval.shape.width)); break;
    case INTERVAL_SAME: meet_ints(intervals, number, ints[0]); break;
    case INTERVAL_FLOAT_COMPARE:
        meet_truth(intervals, number, float_range_compare(interval.shape.kind, floats[0], floats[1]));
        break;
    case INTERVAL_FLOAT: meet_floats(intervals, number, float_range_apply(interval.shape, floats)); break;
    case INTERVAL_NEGATE: meet_floats(intervals, number, float_range_negate(floats[0])); break;
    case INTERVAL_MAGNITUDE: meet_floats(intervals, number, float_range_magnitude(floats[0])); break;
    case INTERVAL_FROM_INT:
        if (interval.shape.kind == KIND_UINT_TO_FP && width > 1 && !as_unsigned(&ints[0], width))
            ints[0] = (struct int_range){0, ((__int128)1 << width) - 1};
        if (interval.shape.kind == KIND_SINT_TO_FP && width == 1) // a single bit is 0 or -1
            ints[0] = (struct int_range){-ints[0].high, -ints[0].low};
        meet_floats(intervals, number, float_range_from_int(interval.shape, ints[0]));
        break;
    case INTERVAL_TO_INT:
        ints[0] = float_range_to_int(interval.shape, floats[0]);
        if (interval.shape.kind == KIND_FP_TO_UINT && ints[0].high >> (interval.shape.width - 1)) break;
        meet_ints(intervals, number, ints[0]);
        break;
    case INTERVAL_IS_NAN: // args: the test, then the float
        meet_truth(intervals, args[0], (struct truth){float_range_has_numbers(floats[1]), floats[1].nan});
        break;
    }
}

// ---- Backward: from results to operands

static bool fits(const struct interval *a, const struct interval *b) {
    if (a->format) return !float_range_is_empty(float_range_meet(a->floats, b->floats));
    return a->ints.low <= b->ints.high && b->ints.low <= a->ints.high;
}

static void back_ite(struct intervals *intervals, const struct interval *interval) {
    const uint32_t *args = interval->args;
    for (unsigned side = 0; side < 2; side++)
        if (!fits(interval, at(intervals, args[1 + side]))) set_bit(intervals, args[0], side);
    if (intervals->contradiction) return;
    struct truth condition = truth_of(intervals, args[0]);
    if (!is_true(condition) && !is_false(condition)) return;
    uint32_t taken = args[is_true(condition) ? 1 : 2];
    if (interval->format)
        meet_floats(intervals, taken, interval->floats);
    else
        meet_ints(intervals, taken, interval->ints);
}

static void back_bits(struct intervals *intervals, const struct interval *interval) {
    const uint32_t *args = interval->args;
    bool conjunction = interval->how == INTERVAL_AND;
    struct truth value = {interval->ints.low == 0, interval->ints.high == 1};
    // A true AND has true operands. A false AND with one true operand has a false one. OR is the dual.
    if (conjunction ? is_true(value) : is_false(value)) {
        set_bit(intervals, args[0], conjunction);
        if (!intervals->contradiction) set_bit(intervals, args[1], conjunction);
    } else if (conjunction ? is_false(value) : is_true(value)) {
        for (unsigned i = 0; i < 2 && !intervals->contradiction; i++) {
            struct truth other = truth_of(intervals, args[!i]);
            if (conjunction ? is_true(other) : is_false(other)) set_bit(intervals, args[i], !conjunction);
        }
    }
}

static void back_float(struct intervals *intervals, const struct interval *interval) {
    for (unsigned i = 0; i < interval->arity && !intervals->contradiction; i++) {
        struct float_range args[3];
        for (unsigned k = 0; k < interval->arity; k++) args[k] = at(intervals, interval->args[k])->floats;
        meet_floats(intervals, interval->args[i],
                    float_range_back(interval->shape, interval->floats, args, i));
    }
}

static void back_float_compare(struct intervals *intervals, const struct interval *interval) {
    uint32_t a = interval->args[0], b = interval->args[1];
    struct float_range x = at(intervals, a)->floats, y = at(intervals, b)->floats;
    float_range_back_compare(interval->shape.kind, interval->shape.format, interval->ints.low, &x, &y);
    meet_floats(intervals, a, x);
    if (!intervals->contradiction) meet_floats(intervals, b, y);
}

static void back_from_int(struct intervals *intervals, const struct interval *interval) {
    uint32_t arg = interval->args[0];
    unsigned width = term_width(intervals->terms, at(intervals, arg)->term);
    struct int_range r = float_range_back_from_int(interval->shape, interval->floats);
    if (width == 1 || (interval->shape.kind == KIND_UINT_TO_FP && r.high >> (width - 1))) return;
    meet_ints(intervals, arg, r);
}

static void backward(struct intervals *intervals, uint32_t number) {
    const struct interval interval = *at(intervals, number);
    const uint32_t *args = interval.args;
    bool decided = !interval.format && interval.ints.low == interval.ints.high;
    switch (interval.how) {
    case INTERVAL_NOT:
        if (decided) set_bit(intervals, args[0], !interval.ints.low);
        break;
    case INTERVAL_AND:
    case INTERVAL_OR: back_bits(intervals, &interval); break;
    case INTERVAL_ITE: back_ite(intervals, &interval); break;
    case INTERVAL_COMPARE:
        if (decided) back_compare_ints(intervals, &interval, interval.ints.low);
        break;
    case INTERVAL_SAME: meet_ints(intervals, args[0], interval.ints); break;
    case INTERVAL_FLOAT_COMPARE:
        if (decided) back_float_compare(intervals, &interval);
        break;
    case INTERVAL_FLOAT: back_float(intervals, &interval); break;
    case INTERVAL_NEGATE: meet_floats(intervals, args[0], float_range_negate(interval.floats)); break;
    case INTERVAL_MAGNITUDE:
        meet_floats(intervals, args[0],
                    float_range_join(interval.floats, float_range_negate(interval.floats)));
        break;
    case INTERVAL_FROM_INT: back_from_int(intervals, &interval); break;
    case INTERVAL_TO_INT:
        if (interval.shape.kind == KIND_FP_TO_SINT || interval.ints.low >= 0)
            meet_floats(intervals, args[0], float_range_back_to_int(interval.shape, interval.ints));
        break;
    case INTERVAL_IS_NAN: {
        struct truth test = truth_of(intervals, args[0]);
        struct float_range r = float_range_all(interval.format);
        if (is_false(test)) r.nan = false;
        if (is_true(test)) r.low = 0, r.high = -1;
        meet_floats(intervals, args[1], r);
        break;
    }
    default: break;
    }
}

bool intervals_narrow(struct intervals *intervals, const Term *conditions, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t *known = map_get(&intervals->known, conditions[i]);
        if (known) set_bit(intervals, (uint32_t)*known, true);
    }
    intervals_link(intervals);
    intervals->changed = true;
    for (unsigned round = 0; round < MOST_ROUNDS && intervals->changed; round++) {
        intervals->changed = false;
        for (uint32_t i = 0; i < intervals->list.count && !intervals->contradiction; i++) {
            limits_poll();
            forward(intervals, i);
        }
        for (uint32_t i = intervals->list.count; i-- > 0 && !intervals->contradiction;) {
            limits_poll();
            backward(intervals, i);
        }
        if (intervals->contradiction) return false;
    }
    return !intervals->contradiction;
}
