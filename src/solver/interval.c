// Interval propagation: building the intervals of all terms of a query (this file), and narrowing them
// (interval_narrow.c).
#include "solver/interval.h"

#define MOST_INTERVALS 3000u

static uint64_t key_of(Term t, fp_format format) { return (uint64_t)format << 32 | t; }

// The interval of a term. False: it has none yet and was put on the worklist.
static bool want(struct intervals *intervals, Term t, fp_format format, uint32_t *number) {
    uint64_t *known = map_get(&intervals->known, key_of(t, format));
    if (known) {
        *number = (uint32_t)*known;
        return true;
    }
    vec_push(&intervals->pending, key_of(t, format));
    return false;
}

static struct int_range range_of_facts(struct facts facts, unsigned width) {
    assert(width <= 64 && facts.low <= facts.high);
    if (width == 1) return (struct int_range){facts.low, facts.high};
    uint64_t sign = (uint64_t)1 << (width - 1);
    if ((facts.low ^ facts.high) & sign) return (struct int_range){-(__int128)sign, (__int128)sign - 1};
    return (struct int_range){sign_extend(facts.low, width), sign_extend(facts.high, width)};
}

// ---- Floats as bits

// The float whose negation t is; 0: none. For a negation, inverting the sign bit of t simplifies to that float.
static Term negated(struct terms *terms, Term t) {
    if (term_kind(terms, t) != KIND_CONCAT) return 0;
    Term sign = term_arg(terms, t, 0), rest = term_arg(terms, t, 1);
    if (term_width(terms, sign) != 1 || term_is_const(terms, sign)) return 0;
    Term other = term_concat(terms, term_not(terms, sign), rest);
    bool again = term_kind(terms, other) == KIND_CONCAT && term_width(terms, term_arg(terms, other, 0)) == 1;
    return again ? 0 : other;
}

// The float whose magnitude t is; 0: none. t has the bits of that float, with a zero as sign bit.
static Term signed_one(struct terms *terms, Term t) {
    if (term_kind(terms, t) != KIND_CONCAT || !term_is_zero(terms, term_arg(terms, t, 0))) return 0;
    if (term_width(terms, term_arg(terms, t, 0)) != 1) return 0;
    Term rest = term_arg(terms, t, 1), top = rest;
    if (term_kind(terms, rest) == KIND_CONCAT) top = term_arg(terms, rest, 0);
    if (term_kind(terms, top) != KIND_EXTRACT) return 0;
    Term whole = term_arg(terms, top, 0);
    unsigned end = term_low(terms, top) + term_width(terms, top);
    if (end + 1 != term_width(terms, whole)) return 0;
    return term_concat(terms, term_extract(terms, whole, end, 1), rest);
}

static bool take_unary(struct intervals *intervals, struct interval *interval, enum interval_how how,
                       Term arg) {
    interval->how = (uint8_t)how;
    interval->arity = 1;
    return want(intervals, arg, interval->format, &interval->args[0]);
}

static bool add_float(struct intervals *intervals, struct interval *interval) {
    struct terms *terms = intervals->terms;
    enum kind kind = term_kind(terms, interval->term);
    struct shape shape = interval->shape;
    bool ready = true;
    Term other;
    if (kind == KIND_SINT_TO_FP || kind == KIND_UINT_TO_FP) {
        Term arg = term_arg(terms, interval->term, 0);
        if (shape.format != interval->format || term_width(terms, arg) > 64) return true;
        interval->how = INTERVAL_FROM_INT;
        interval->arity = 1;
        return want(intervals, arg, 0, &interval->args[0]);
    }
    if (kind_infos[kind].properties & KP_FLOAT) {
        fp_format source = kind == KIND_FP_TO_FP ? shape.source : shape.format;
        if (shape.format != interval->format || kind == KIND_FP_TO_SINT || kind == KIND_FP_TO_UINT ||
            !float_has_ranks(source))
            return true;
        interval->how = INTERVAL_FLOAT;
        interval->arity = kind_infos[kind].arity;
        for (unsigned i = 0; i < interval->arity; i++)
            ready &= want(intervals, term_arg(terms, interval->term, i), source, &interval->args[i]);
        return ready;
    }
    if (kind == KIND_ITE) {
        interval->how = INTERVAL_ITE;
        interval->arity = 3;
        for (unsigned i = 0; i < 3; i++)
            ready &= want(intervals, term_arg(terms, interval->term, i), i ? interval->format : 0,
                          &interval->args[i]);
        return ready;
    }
    if ((other = negated(terms, interval->term)))
        return take_unary(intervals, interval, INTERVAL_NEGATE, other);
    if ((other = signed_one(terms, interval->term)))
        return take_unary(intervals, interval, INTERVAL_MAGNITUDE, other);
    return true;
}

// ---- Integers and single bits

static bool take_all(struct intervals *intervals, struct interval *interval, enum interval_how how,
                     fp_format format) {
    bool ready = true;
    interval->how = (uint8_t)how;
    interval->arity = kind_infos[interval->shape.kind].arity;
    for (unsigned i = 0; i < interval->arity; i++)
        ready &= want(intervals, term_arg(intervals->terms, interval->term, i), format, &interval->args[i]);
    return ready;
}

// The float operation whose result this bit tests for NaN; 0 if it is another test. A NaN test compares the exponent
// field.
static Term nan_tested_by(struct terms *terms, Term test, fp_format *format) {
    for (unsigned i = 0; i < 2; i++) {
        Term part = term_arg(terms, test, i);
        if (term_kind(terms, part) == KIND_NOT) part = term_arg(terms, part, 0);
        if (term_kind(terms, part) != KIND_EQ) continue;
        Term field = term_arg(terms, part, 0);
        if (term_kind(terms, field) != KIND_EXTRACT) continue;
        Term whole = term_arg(terms, field, 0);
        enum kind kind = term_kind(terms, whole);
        *format = term_shape(terms, whole).format;
        if (!(kind_infos[kind].properties & KP_FLOAT) || !*format || !float_has_ranks(*format) ||
            fp_width(*format) != term_width(terms, whole))
            continue;
        if (term_fp_is(terms, KIND_FP_IS_NAN, *format, whole) == test) return whole;
    }
    return 0;
}

// Adds the operands of a one-bit AND or OR and, if it is the NaN test of a float, that float.
static bool add_bits(struct intervals *intervals, struct interval *interval, enum interval_how how) {
    fp_format format;
    uint32_t number;
    if (interval->shape.width != 1) return true;
    Term tested = nan_tested_by(intervals->terms, interval->term, &format);
    bool ready = !tested || want(intervals, tested, format, &number);
    return take_all(intervals, interval, how, 0) && ready;
}

static bool add_int(struct intervals *intervals, struct interval *interval) {
    struct terms *terms = intervals->terms;
    enum kind kind = term_kind(terms, interval->term);
    struct shape shape = interval->shape;
    bool bit = shape.width == 1;
    unsigned first = term_arity(terms, interval->term) && !(kind_infos[kind].properties & KP_ARRAY)
                         ? term_width(terms, term_arg(terms, interval->term, 0))
                         : 0;
    switch (kind) {
    case KIND_NOT: return bit ? take_all(intervals, interval, INTERVAL_NOT, 0) : true;
    case KIND_AND: return add_bits(intervals, interval, INTERVAL_AND);
    case KIND_OR: return add_bits(intervals, interval, INTERVAL_OR);
    case KIND_EQ:
    case KIND_ULT:
    case KIND_SLT:
        return first > 1 && first <= 64 ? take_all(intervals, interval, INTERVAL_COMPARE, 0) : true;
    case KIND_ITE: return take_all(intervals, interval, INTERVAL_ITE, 0);
    case KIND_ADD: return bit ? true : take_all(intervals, interval, INTERVAL_ADD, 0);
    case KIND_SEXT: return first > 1 ? take_all(intervals, interval, INTERVAL_SAME, 0) : true;
    case KIND_FP_EQ:
    case KIND_FP_LT:
    case KIND_FP_LE:
        return float_has_ranks(shape.format)
                   ? take_all(intervals, interval, INTERVAL_FLOAT_COMPARE, shape.format)
                   : true;
    case KIND_FP_TO_SINT:
    case KIND_FP_TO_UINT:
        return float_has_ranks(shape.source) && shape.width > 1
                   ? take_all(intervals, interval, INTERVAL_TO_INT, shape.source)
                   : true;
    default: return true;
    }
}

// ---- Building

// Adds the NaN test of a float if the conditions contain it: the builder returns the same term for the same test.
static void add_nan_test(struct intervals *intervals, uint32_t number) {
    const struct interval *interval = &intervals->list.at[number];
    fp_format format = interval->format;
    Term nan_term = term_fp_is(intervals->terms, KIND_FP_IS_NAN, format, interval->term);
    uint64_t *known = map_get(&intervals->known, key_of(nan_term, 0));
    if (!known || term_is_const(intervals->terms, nan_term)) return;
    struct interval test = {.how = INTERVAL_IS_NAN,
                            .arity = 2,
                            .format = format,
                            .term = nan_term,
                            .args = {(uint32_t)*known, number}};
    vec_push(&intervals->list, test);
}

static bool add_one(struct intervals *intervals, Term t, fp_format format, interval_facts *facts,
                    void *context) {
    struct terms *terms = intervals->terms;
    unsigned width = term_width(terms, t);
    struct interval interval = {.format = format, .term = t, .shape = term_shape(terms, t)};
    if (!(format ? add_float(intervals, &interval) : add_int(intervals, &interval))) return false;
    if (format && term_is_const(terms, t)) {
        interval.floats = float_range_of(format, term_limbs(terms, t));
    } else if (format && width <= 64) {
        struct facts known = facts(context, t);
        interval.floats = float_range_between(format, known.low, known.high);
    } else if (format) {
        interval.floats = float_range_all(format);
    } else {
        interval.ints = range_of_facts(facts(context, t), width);
    }
    for (unsigned i = 0; i < interval.arity; i++) assert(interval.args[i] < intervals->list.count);
    *map_put(&intervals->known, key_of(t, format)) = intervals->list.count;
    vec_push(&intervals->list, interval);
    return true;
}

bool intervals_add(struct intervals *intervals, Term condition, interval_facts *facts, void *context) {
    assert(term_width(intervals->terms, condition) == 1);
    vec_push(&intervals->pending, key_of(condition, 0));
    while (intervals->pending.count && intervals->list.count < MOST_INTERVALS) {
        uint64_t top = *vec_last(&intervals->pending);
        if (!map_get(&intervals->known, top) &&
            !add_one(intervals, (Term)top, (fp_format)(top >> 32), facts, context))
            continue;
        intervals->pending.count--;
    }
    if (intervals->pending.count) {
        vec_clear(&intervals->pending);
        return false;
    }
    return true;
}

void intervals_link(struct intervals *intervals) {
    for (uint32_t i = 0, end = intervals->list.count; i < end; i++)
        if (intervals->list.at[i].format) add_nan_test(intervals, i);
}

void intervals_free(struct intervals *intervals) {
    vec_free(&intervals->list);
    vec_free(&intervals->pending);
    map_free(&intervals->known);
}
