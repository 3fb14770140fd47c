// An equation a = b of width w states that a - b, a sum of terms factor * base, is 0 modulo 2^w. As integers, the bases
// have bounds (their facts) and residues: base = rest + k * modulus. So the sum is in an interval and has a residue,
// too. The equation is refuted if no multiple of 2^w in the interval has this residue.
#include "solver/equation.h"

#define DEEPEST       40u
#define MOST_NODES    2000u // nodes visited for one equation
#define MOST_ELEMENTS 4096u // of a table
#define MOST_WRAPS    64    // multiples of 2^w that are compared

// The values rest + k * modulus; modulus 0: only the rest. Rests are below the modulus.
struct residue {
    uint64_t modulus, rest;
};

struct equation {
    struct terms *terms;
    unsigned width, nodes;
    __int128 low, high; // of the sum
    uint64_t modulus;   // the sum is the constant modulo this; 0: it is the constant
    __int128 constant;
    bool failed;
};

static uint64_t divisor_of(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static struct residue reduced(uint64_t modulus, uint64_t value) {
    return (struct residue){modulus, modulus ? value % modulus : value};
}

static const struct residue any = {1, 0};

// The values of both.
static struct residue join(struct residue a, struct residue b) {
    uint64_t apart = a.rest > b.rest ? a.rest - b.rest : b.rest - a.rest;
    return reduced(divisor_of(divisor_of(a.modulus, b.modulus), apart), a.rest);
}

// Sums and multiples of values that do not exceed 64 bits.
static struct residue add(struct residue a, struct residue b) {
    uint64_t sum;
    if (__builtin_add_overflow(a.rest, b.rest, &sum)) return any;
    return reduced(divisor_of(a.modulus, b.modulus), sum);
}

static struct residue scale(struct residue a, uint64_t factor) {
    uint64_t modulus, rest;
    assert(factor && (!a.modulus || a.rest < a.modulus));
    if (__builtin_mul_overflow(a.modulus, factor, &modulus) || __builtin_mul_overflow(a.rest, factor, &rest))
        return any;
    return reduced(modulus, rest);
}

static struct residue residue_of(struct equation *e, Term t, unsigned depth);

static struct residue residue_of_read(struct equation *e, Term t) {
    struct terms *terms = e->terms;
    Term table = term_arg(terms, t, 0), index = term_arg(terms, t, 1);
    if (!term_is_table(terms, table) || term_width(terms, index) > 64) return any;
    uint32_t count = term_arity(terms, table);
    if (count > MOST_ELEMENTS) return any;
    assert(count > 0);
    struct residue all = {0, term_literal_value(terms, table, 0)};
    for (uint32_t i = 1; i < count && all.modulus != 1; i++)
        all = join(all, (struct residue){0, term_literal_value(terms, table, i)});
    bool inside = term_facts(terms, index).high < count;
    return inside ? all : join(all, (struct residue){0, 0}); // elements past the end are 0
}

// Whether the largest values of both have a sum, or a product, that fits.
static bool fits(struct terms *terms, Term t, bool product) {
    uint64_t a = term_facts(terms, term_arg(terms, t, 0)).high,
             b = term_facts(terms, term_arg(terms, t, 1)).high;
    unsigned __int128 most = product ? (unsigned __int128)a * b : (unsigned __int128)a + b;
    return most <= mask_bits(term_width(terms, t));
}

static struct residue residue_of_operation(struct equation *e, Term t, unsigned depth) {
    struct terms *terms = e->terms;
    Term a = term_arg(terms, t, 0), b = term_arity(terms, t) > 1 ? term_arg(terms, t, 1) : 0;
    switch (term_kind(terms, t)) {
    case KIND_ITE: return join(residue_of(e, b, depth), residue_of(e, term_arg(terms, t, 2), depth));
    case KIND_ADD: return fits(terms, t, false) ? add(residue_of(e, a, depth), residue_of(e, b, depth)) : any;
    case KIND_MUL:
        return term_is_const(terms, b) && fits(terms, t, true)
                   ? scale(residue_of(e, a, depth), term_value(terms, b))
                   : any;
    case KIND_CONCAT:
        return add(scale(residue_of(e, a, depth), 1ull << term_width(terms, b)), residue_of(e, b, depth));
    case KIND_EXTRACT: {
        bool whole = term_low(terms, t) == 0 && term_width(terms, a) <= 64 &&
                     term_facts(terms, a).high <= mask_bits(term_width(terms, t));
        return whole ? residue_of(e, a, depth) : any;
    }
    default: return any;
    }
}

static struct residue residue_of(struct equation *e, Term t, unsigned depth) {
    struct terms *terms = e->terms;
    assert(term_width(terms, t) <= 64);
    if (term_is_const(terms, t)) return (struct residue){0, term_value(terms, t)};
    if (!term_arity(terms, t) || depth >= DEEPEST || ++e->nodes > MOST_NODES) return any;
    if (term_kind(terms, t) == KIND_SELECT) return residue_of_read(e, t);
    return residue_of_operation(e, t, depth + 1);
}

// Adds factor * t, with the factor that is nearest to 0.
static void add_base(struct equation *e, Term t, uint64_t factor) {
    int64_t times = sign_extend(factor & mask_bits(e->width), e->width);
    uint64_t size = times < 0 ? -(uint64_t)times : (uint64_t)times;
    struct facts facts = term_facts(e->terms, t);
    struct residue residue = residue_of(e, t, 0);
    uint64_t modulus = 0;
    if (size >> 32 || __builtin_mul_overflow(residue.modulus, size, &modulus)) {
        e->failed = true;
        return;
    }
    e->low += (__int128)times * (times < 0 ? facts.high : facts.low);
    e->high += (__int128)times * (times < 0 ? facts.low : facts.high);
    e->constant += (__int128)times * residue.rest;
    e->modulus = divisor_of(e->modulus, modulus);
}

// Adds factor * t for a sum t of the equation's width.
static void add_sum(struct equation *e, Term t, uint64_t factor, unsigned depth) {
    struct terms *terms = e->terms;
    if (depth >= DEEPEST || ++e->nodes > MOST_NODES) e->failed = true;
    if (e->failed) return;
    Term a = term_arity(terms, t) ? term_arg(terms, t, 0) : 0;
    switch (term_kind(terms, t)) {
    case KIND_ADD:
        add_sum(e, a, factor, depth + 1);
        add_sum(e, term_arg(terms, t, 1), factor, depth + 1);
        return;
    case KIND_NEG: add_sum(e, a, -factor, depth + 1); return;
    case KIND_MUL:
        if (!term_is_const(terms, term_arg(terms, t, 1))) break;
        add_sum(e, a, factor * term_value(terms, term_arg(terms, t, 1)), depth + 1);
        return;
    default: break;
    }
    add_base(e, t, factor);
}

// The first multiple of 2^w that is at least `low`.
static __int128 first_multiple(__int128 low, unsigned width) {
    __int128 step = (__int128)1 << width, rest = low % step;
    return rest > 0 ? low - rest + step : low - rest;
}

static bool has_solution(const struct equation *e) {
    __int128 step = (__int128)1 << e->width, zero = first_multiple(e->low, e->width);
    assert(e->low <= e->high && zero >= e->low && zero % step == 0);
    for (unsigned i = 0; zero <= e->high; i++, zero += step)
        if (i >= MOST_WRAPS || (e->modulus ? (zero - e->constant) % e->modulus == 0 : zero == e->constant))
            return true;
    return false;
}

bool equation_is_refuted(struct terms *terms, Term condition) {
    for (unsigned i = 0; i < DEEPEST && term_kind(terms, condition) == KIND_AND; i++) {
        if (equation_is_refuted(terms, term_arg(terms, condition, 1))) return true;
        condition = term_arg(terms, condition, 0);
    }
    if (term_kind(terms, condition) != KIND_EQ) return false;
    Term a = term_arg(terms, condition, 0), b = term_arg(terms, condition, 1);
    struct equation e = {.terms = terms, .width = term_width(terms, a)};
    if (e.width > 64) return false;
    add_sum(&e, a, 1, 0);
    add_sum(&e, b, ~0ull, 0);
    return !e.failed && !has_solution(&e);
}
