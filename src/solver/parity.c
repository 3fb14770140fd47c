// Linear equations over GF(2). CRCs yield such equations, whether they are computed by tables, bit by bit or many bytes
// at once. Clause learning is slow on such systems; Gaussian elimination is fast.
//
// Every condition gives the equations that it implies: an equality one for each bit, a comparison with a constant some
// for the upper bits. The domain of a byte gives the equations that all values of the domain satisfy. The equations are
// added to a reduced system one by one. An equation 0 = 1 refutes the query; the conditions it was derived from are the
// core. Otherwise free bits keep their values in the model, and the equations give the pivot bits. The assignment is
// then evaluated: it is a model only if the other conditions hold, too. So pivots are chosen in bytes that the other
// conditions constrain little. If they do not hold, up to TRIES - 1 more assignments are tried, with other values of
// some bytes. Then SAT is asked about the other conditions alone, if one of them mentions several bytes: a refutation
// refutes the query; near a model, assignments are tried again.
#include "solver/parity.h"

#include "base/random.h"
#include "solver/solver_int.h"

#define BYTES      256u // largest number of bytes of a query
#define CONDITIONS 2048u
#define TRIES      48u        // assignments that are evaluated
#define CONFLICTS  500u       // SAT conflicts for the other conditions
#define WORK       (1u << 24) // limit on the words of equations added

struct parity {
    struct solver *solver;
    struct query *query;
    struct forms forms;
    // An equation: a form that is 0, then the set of conditions that it was derived from.
    uint32_t stride;
    vec(uint64_t) system;
    vec(uint32_t) pivots;   // by equation: its pivot column
    vec(uint32_t) bound;    // by position: number of conditions about this byte that are not equations
    vec(uint64_t) equation; // the equation being added
    vec(Term) open;
    vec(Term) others; // conditions that are not parity equations, and those on single bytes
    bool mixed;       // some of `others` mention several bytes
    bool connected;   // some equation has bits of several bytes; else other layers do better
};

static struct parity *parity_new(struct solver *solver) {
    struct parity *parity = NEW(struct parity);
    parity->solver = solver;
    return parity;
}

void parity_free(struct parity *parity) {
    if (!parity) return;
    parity_forms_free(&parity->forms);
    vec_free(&parity->system);
    vec_free(&parity->pivots);
    vec_free(&parity->bound);
    vec_free(&parity->equation);
    vec_free(&parity->open);
    vec_free(&parity->others);
    DELETE(parity);
}

static uint64_t *row(struct parity *parity, uint32_t i) {
    return parity->system.at + (size_t)i * parity->stride;
}

static bool has(const uint64_t *words, uint32_t i) { return words[i / 64] >> i % 64 & 1; }

// Adds an equation to another; the sum is derived from the conditions of both.
static void combine(struct parity *parity, uint64_t *to, const uint64_t *from) {
    uint32_t words = parity->forms.words;
    limits_poll();
    for (uint32_t i = 0; i < words; i++) to[i] ^= from[i];
    for (uint32_t i = words; i < parity->stride; i++) to[i] |= from[i];
    parity->forms.work += parity->stride;
}

// The column of the equation whose byte is constrained least, later bytes first. UINT32_MAX: there is none.
static uint32_t best_column(const struct parity *parity, const uint64_t *equation) {
    uint32_t best = UINT32_MAX;
    for (uint32_t w = 0; w < parity->forms.words; w++)
        for (uint64_t left = equation[w]; left; left &= left - 1) {
            uint32_t column = 64 * w + (uint32_t)__builtin_ctzll(left);
            if (column >= parity->forms.columns) break; // the constant
            if (best == UINT32_MAX || parity->bound.at[column / 8] <= parity->bound.at[best / 8])
                best = column;
        }
    return best;
}

// Adds parity->equation to the system. False: it contradicts the system.
static bool take_equation(struct parity *parity) {
    uint64_t *equation = parity->equation.at;
    assert(parity->equation.count == parity->stride);
    for (uint32_t i = 0; i < parity->pivots.count; i++)
        if (has(equation, parity->pivots.at[i])) combine(parity, equation, row(parity, i));
    uint32_t column = best_column(parity, equation);
    if (column == UINT32_MAX) return !has(equation, parity->forms.columns);
    for (uint32_t i = 0; i < parity->pivots.count; i++)
        if (has(row(parity, i), column)) combine(parity, row(parity, i), equation);
    vec_push(&parity->pivots, column);
    vec_reserve(&parity->system, parity->stride);
    memcpy(parity->system.at + parity->system.count, equation, parity->stride * sizeof *equation);
    parity->system.count += parity->stride;
    assert(parity->system.count == parity->pivots.count * parity->stride);
    return true;
}

static void start_equation(struct parity *parity, uint32_t reason) {
    parity->equation.count = 0;
    for (uint32_t i = 0; i < parity->stride; i++) vec_push(&parity->equation, 0);
    if (reason != UINT32_MAX)
        parity->equation.at[parity->forms.words + reason / 64] |= (uint64_t)1 << reason % 64;
}

static void add_form(struct parity *parity, uint32_t form) {
    for (uint32_t i = 0; i < parity->forms.words; i++)
        parity->equation.at[i] ^= parity->forms.pool.at[form + i];
}

// Whether the new equation has bits of several bytes.
static bool is_connected(const struct parity *parity) {
    const uint64_t *equation = parity->equation.at;
    uint32_t bytes = 0;
    for (uint32_t p = 0; p < parity->forms.columns / 8 && bytes < 2; p++)
        bytes += (equation[p / 8] >> 8 * (p % 8) & 0xff) != 0;
    return bytes > 1;
}

// Adds the equation a + b = value; both forms are known.
static bool equate(struct parity *parity, uint32_t a, uint32_t b, bool value, uint32_t reason) {
    assert(a != UNKNOWN_FORM && b != UNKNOWN_FORM && reason < parity->query->conditions.count);
    start_equation(parity, reason);
    add_form(parity, a);
    add_form(parity, b);
    if (value) add_form(parity, parity->forms.words);
    parity->connected = parity->connected || is_connected(parity);
    return take_equation(parity);
}

// Adds equations for the upper bits of a, compared with a constant c. If a < c, the bits above the highest set bit of
// c - 1 are 0. If a >= c, the bits at the leading ones of c are 1.
static bool compare(struct parity *parity, Term a, Term c, bool below, uint32_t reason) {
    struct terms *terms = parity->solver->terms;
    if (!term_is_const(terms, c) || term_width(terms, c) > 64) return true;
    uint64_t limit = term_value(terms, c) - below;
    if (below && term_is_zero(terms, c)) return true; // unsatisfiable: left to other layers
    for (uint32_t i = term_width(terms, a); i > 0 && (limit >> (i - 1) & 1) != below; i--) {
        uint32_t form = parity_form_of(&parity->forms, a, i - 1);
        if (form != UNKNOWN_FORM && !equate(parity, form, 0, !below, reason)) return false;
    }
    return true;
}

// Adds the equations implied by t, or by its negation. False: they contradict the system.
static bool take_part(struct parity *parity, Term t, bool holds, uint32_t reason) {
    struct terms *terms = parity->solver->terms;
    uint32_t form = parity_form_of(&parity->forms, t, 0);
    if (form != UNKNOWN_FORM) return equate(parity, form, 0, holds, reason);
    Term a = term_arity(terms, t) ? term_arg(terms, t, 0) : 0;
    Term b = term_arity(terms, t) > 1 ? term_arg(terms, t, 1) : 0;
    if (term_kind(terms, t) == KIND_EQ && holds) {
        for (uint32_t i = 0; i < term_width(terms, a); i++) {
            uint32_t one = parity_form_of(&parity->forms, a, i), other = parity_form_of(&parity->forms, b, i);
            if (one != UNKNOWN_FORM && other != UNKNOWN_FORM && !equate(parity, one, other, false, reason))
                return false;
        }
        return true;
    }
    return term_kind(terms, t) != KIND_ULT || compare(parity, a, b, holds, reason);
}

// Whether all bits that the comparison reads are parities.
static bool is_about_parities(const struct parity *parity, Term t) {
    struct terms *terms = parity->solver->terms;
    enum kind kind = term_kind(terms, t);
    if (parity_form_of(&parity->forms, t, 0) != UNKNOWN_FORM) return true;
    if (kind != KIND_EQ && kind != KIND_ULT && kind != KIND_SLT) return false;
    for (uint32_t k = 0; k < 2; k++) {
        Term side = term_arg(terms, t, k);
        for (uint32_t i = 0; i < term_width(terms, side); i++)
            if (parity_form_of(&parity->forms, side, i) == UNKNOWN_FORM) return false;
    }
    return true;
}

// Adds the equations of a condition: splits it into parts that must hold or must not hold.
static bool take_condition(struct parity *parity, uint32_t number) {
    struct terms *terms = parity->solver->terms;
    Term condition = parity->query->conditions.at[number];
    bool single = term_single_var(terms, condition) != VAR_NONE, other = false;
    vec_clear(&parity->open);
    vec_push(&parity->open, condition);
    while (parity->open.count) {
        Term t = vec_pop(&parity->open);
        bool holds = term_kind(terms, t) != KIND_NOT;
        if (!holds) t = term_arg(terms, t, 0);
        if (holds && term_kind(terms, t) == KIND_AND) {
            vec_push(&parity->open, term_arg(terms, t, 0));
            vec_push(&parity->open, term_arg(terms, t, 1));
            continue;
        }
        if (!take_part(parity, t, holds, number)) return false;
        other |= !is_about_parities(parity, t);
    }
    if (single || other) vec_push(&parity->others, condition);
    parity->mixed |= other && !single;
    return true;
}

// Adds the equations that all values of a byte's domain satisfy: the masks under which all have the same parity.
static bool take_domain(struct parity *parity, uint32_t position) {
    const struct set *set = &parity->query->domains.at[position];
    unsigned first = model_set_next(set, 0), basis[8], count = 0;
    if (first == 256) return true; // empty: left to other layers
    for (unsigned value = first; value < 256 && count < 8; value = model_set_next(set, value + 1)) {
        unsigned left = value ^ first;
        for (unsigned i = 0; i < count; i++) left = MIN(left, left ^ basis[i]);
        if (left) basis[count++] = left;
    }
    for (unsigned mask = 1; mask < 256 && count < 8; mask++) {
        bool constant = true;
        for (unsigned i = 0; i < count; i++) constant &= !__builtin_parity(mask & basis[i]);
        if (!constant) continue;
        start_equation(parity, UINT32_MAX);
        for (uint32_t i = 0; i < parity->query->conditions.count; i++)
            if (term_single_var(parity->solver->terms, parity->query->conditions.at[i]) ==
                parity->query->vars.at[position])
                parity->equation.at[parity->forms.words + i / 64] |= (uint64_t)1 << i % 64;
        parity->equation.at[position / 8] ^= (uint64_t)mask << 8 * (position % 8);
        if (__builtin_parity(mask & first)) add_form(parity, parity->forms.words);
        if (!take_equation(parity)) return false;
    }
    return true;
}

// Computes `bound`: how many conditions that are not equations mention each byte, plus one if its domain is
// restricted.
static void weigh(struct parity *parity) {
    struct query *query = parity->query;
    struct terms *terms = parity->solver->terms;
    parity->bound.count = 0;
    vec_each (const struct set, set, &query->domains) vec_push(&parity->bound, set_count(set) < 256);
    vec_each (const Term, condition, &query->conditions) {
        bool negated = term_kind(terms, *condition) == KIND_NOT;
        Term t = negated ? term_arg(terms, *condition, 0) : *condition;
        if (!negated && term_kind(terms, t) == KIND_EQ) continue;
        VarSet vars = term_support(terms, *condition);
        for (uint32_t var = varset_next(terms, vars, 0); var != VAR_NONE;
             var = varset_next(terms, vars, var + 1))
            parity->bound.at[query_position(query, var)]++;
    }
}

static void learn_refutation(struct parity *parity) {
    vec(Term) core = {0};
    for (uint32_t i = 0; i < parity->query->conditions.count; i++)
        if (has(parity->equation.at + parity->forms.words, i))
            vec_push(&core, parity->query->conditions.at[i]);
    assert(has(parity->equation.at, parity->forms.columns)); // 0 = 1
    cache_learn(parity->query, ANSWER_NO, core.at, core.count);
    vec_free(&core);
}

// Computes the pivot bits from the free bits.
static void complete(struct parity *parity) {
    uint8_t *found = parity->query->found.at;
    uint32_t columns = parity->forms.columns, words = parity->forms.words;
    assert(columns <= 8 * BYTES && words <= BYTES / 8 + 1);
    uint64_t values[BYTES / 8 + 1] = {0};
    for (uint32_t p = 0; p < columns / 8; p++) values[p / 8] |= (uint64_t)found[p] << 8 * (p % 8);
    values[columns / 64] |= (uint64_t)1 << columns % 64; // the constant
    vec_each (const uint32_t, pivot, &parity->pivots) values[*pivot / 64] &= ~((uint64_t)1 << *pivot % 64);
    for (uint32_t i = 0; i < parity->pivots.count; i++) {
        const uint64_t *equation = row(parity, i);
        uint64_t sum = 0;
        for (uint32_t w = 0; w < words; w++) sum ^= equation[w] & values[w];
        uint32_t pivot = parity->pivots.at[i];
        uint8_t bit = (uint8_t)(1u << pivot % 8);
        if (__builtin_parityll(sum))
            found[pivot / 8] |= bit;
        else
            found[pivot / 8] &= (uint8_t)~bit;
    }
    parity->forms.work += (uint64_t)parity->pivots.count * words;
}

// Computes the pivot bits of `found` and evaluates it.
static bool try_found(struct parity *parity) {
    struct query *query = parity->query;
    complete(parity);
    for (uint32_t p = 0; p < query->vars.count; p++)
        if (!set_has(&query->domains.at[p], query->found.at[p])) return false;
    return query_holds(query);
}

// Tries the given values, then some of them replaced by others of their domains.
static bool find_near(struct parity *parity, const uint8_t *values) {
    struct query *query = parity->query;
    struct random random = {1};
    for (unsigned tried = 0; tried < TRIES; tried++) {
        for (uint32_t p = 0; p < query->vars.count; p++) {
            const struct set *set = &query->domains.at[p];
            query->found.at[p] = values[p];
            if (set_has(set, values[p]) && (!tried || random_below(&random, 4))) continue;
            unsigned value = model_set_next(set, (unsigned)random_below(&random, 256));
            query->found.at[p] = (uint8_t)(value < 256 ? value : model_set_next(set, 0));
        }
        if (try_found(parity)) return true;
    }
    return false;
}

static enum answer find(struct parity *parity) {
    struct query *query = parity->query;
    if (find_near(parity, query->start.at)) return ANSWER_YES;
    if (!parity->solver->options.sat || !parity->mixed) return ANSWER_UNKNOWN;
    enum answer answer = query_ask_sat(query, parity->others.at, parity->others.count, CONFLICTS);
    if (answer != ANSWER_YES) return answer;
    uint8_t values[BYTES];
    memcpy(values, query->found.at, query->vars.count);
    return find_near(parity, values) ? ANSWER_YES : ANSWER_UNKNOWN;
}

// Adds all equations. NO: they contradict each other; UNKNOWN: there are too many.
static enum answer eliminate(struct parity *parity) {
    struct query *query = parity->query;
    parity->stride = parity->forms.words + (query->conditions.count + 63) / 64;
    parity->system.count = parity->pivots.count = 0;
    parity->connected = parity->mixed = false;
    vec_clear(&parity->others);
    weigh(parity);
    for (uint32_t p = 0; p < query->vars.count && parity->forms.work < WORK; p++)
        if (!take_domain(parity, p)) return ANSWER_NO;
    for (uint32_t i = 0; i < query->conditions.count && parity->forms.work < WORK; i++)
        if (!take_condition(parity, i)) return ANSWER_NO;
    return parity->forms.work < WORK ? ANSWER_YES : ANSWER_UNKNOWN;
}

// Whether t is not an exclusive or between terms. The layer is not tried without one.
static bool has_no_exclusive(void *context, Term t) {
    struct terms *terms = context;
    return term_kind(terms, t) != KIND_XOR || term_width(terms, t) < 8 ||
           term_is_const(terms, term_arg(terms, t, 1));
}

enum answer solver_layer_parity(struct query *query) {
    struct solver *solver = query->solver;
    if (query->has_arrays || query->vars.count > BYTES || query->conditions.count > CONDITIONS)
        return ANSWER_UNKNOWN;
    if (!query->vars.count || term_visit(solver->terms, query->conditions.at, query->conditions.count,
                                         has_no_exclusive, solver->terms))
        return ANSWER_UNKNOWN;
    if (!solver->parity) solver->parity = parity_new(solver);
    struct parity *parity = solver->parity;
    parity->query = query;
    enum answer answer = parity_forms_make(&parity->forms, query) ? eliminate(parity) : ANSWER_UNKNOWN;
    if (answer == ANSWER_NO) learn_refutation(parity);
    if (answer == ANSWER_YES) answer = parity->connected ? find(parity) : ANSWER_UNKNOWN;
    solver->work += parity->forms.work * WORK_FORM;
    if (answer == ANSWER_YES) cache_learn(query, ANSWER_YES, NULL, 0);
    return answer;
}
