// The abstract layer: products, quotients and remainders of unknowns become variables.
//
// The circuit of a wide division costs more than all the rest of a query. Most queries need little of it: that a
// remainder is below its divisor, or that equal operands have equal results. So each such operation becomes a
// variable, with a few facts of this kind as further conditions. Every model of the query is a model of this weaker
// query, so a refutation holds. A model of the weaker query is used only if it satisfies the query itself, which is
// evaluated.
//
// The product of an input word and an odd constant is a bijection (hashes). It becomes a variable, too, and the model's
// product determines the word.
#include "solver/solver_int.h"

#include "base/text.h"

#define LEAST_WIDTH    12u   // narrower operations are cheap
#define MOST_OPERATORS 64u   // operations in one query
#define MOST_PAIRS     12u   // most operations of a query whose pairs are compared
#define MOST_CONFLICTS 1000u // the weaker query should be easy
#define LEAST_BITS     4     // products with sparser constants are cheap

struct abstraction {
    struct query *query;
    term_list operations;
    bool pays;            // some operation is a quotient, a remainder or a bijection
    struct map variables; // operation -> variable
    struct map memo;      // results of the substitution
    term_list conditions; // the query's, in their order, then the facts
};

// Whether t consists of input bytes.
static bool is_word(struct terms *terms, Term t) {
    for (; term_kind(terms, t) == KIND_CONCAT; t = term_arg(terms, t, 1))
        if (term_kind(terms, term_arg(terms, t, 0)) != KIND_BYTE) return false;
    return term_kind(terms, t) == KIND_BYTE;
}

// Whether t is the product of a word of the input and an odd constant of many bits, as hash functions have it. Words
// and products are in bijection, so the product may be the unknown from which the word follows.
static bool is_bijection(struct terms *terms, Term t) {
    if (term_kind(terms, t) != KIND_MUL || term_width(terms, t) < LEAST_WIDTH || term_width(terms, t) > 64)
        return false;
    Term factor = term_arg(terms, t, 1);
    return term_is_const(terms, factor) && term_value(terms, factor) & 1 &&
           __builtin_popcountll(term_value(terms, factor)) >= LEAST_BITS &&
           is_word(terms, term_arg(terms, t, 0));
}

static bool is_hard(const struct terms *terms, Term t) {
    switch (term_kind(terms, t)) {
    case KIND_MUL:
    case KIND_UDIV:
    case KIND_UREM: break;
    default: return false;
    }
    return term_width(terms, t) >= LEAST_WIDTH &&
           !term_is_const(terms, term_arg((struct terms *)terms, t, 0)) &&
           !term_is_const(terms, term_arg((struct terms *)terms, t, 1));
}

static bool note_operation(void *context, Term t) {
    struct abstraction *a = context;
    struct terms *terms = a->query->solver->terms;
    bool bijection = is_bijection(terms, t);
    if (bijection || is_hard(terms, t)) {
        vec_push(&a->operations, t);
        a->pays |= bijection || term_kind(terms, t) != KIND_MUL;
    }
    return a->operations.count <= MOST_OPERATORS;
}

// Makes a variable that belongs to no input: an element of a declared array.
static Term new_variable(struct terms *terms, unsigned width, uint32_t number) {
    struct text name = {0};
    text_add(&name, "\003abstract %u", width); // no script can declare it
    Term array = term_array_variable(terms, name.at, 32, width);
    text_free(&name);
    assert(array);
    return term_select(terms, array, term_const(terms, 32, number));
}

static Term abstracted(struct abstraction *a, Term t) {
    return term_substitute(a->query->solver->terms, t, &a->variables, &a->memo);
}

static void add_fact(struct abstraction *a, Term condition, Term fact) {
    Term both = term_implies(a->query->solver->terms, condition, fact);
    if (both != term_true(a->query->solver->terms)) vec_push(&a->conditions, both);
}

struct operation {
    Term left, right, result; // with variables in place of the operations in them
};

static struct operation operation_of(struct abstraction *a, Term t) {
    struct terms *terms = a->query->solver->terms;
    return (struct operation){abstracted(a, term_arg(terms, t, 0)), abstracted(a, term_arg(terms, t, 1)),
                              (Term)*map_get(&a->variables, t)};
}

static void add_facts(struct abstraction *a, Term t) {
    struct terms *terms = a->query->solver->terms;
    struct operation o = operation_of(a, t);
    unsigned width = term_width(terms, t);
    Term zero = term_const(terms, width, 0), one = term_const(terms, width, 1);
    Term always = term_true(terms), some = term_ne(terms, o.right, zero);
    switch (term_kind(terms, t)) {
    case KIND_UREM:
        add_fact(a, some, term_ult(terms, o.result, o.right));
        add_fact(a, always, term_ule(terms, o.result, o.left));
        add_fact(a, term_ult(terms, o.left, o.right), term_eq(terms, o.result, o.left));
        add_fact(a, term_eq(terms, o.right, zero), term_eq(terms, o.result, o.left));
        break;
    case KIND_UDIV:
        add_fact(a, some, term_ule(terms, o.result, o.left));
        add_fact(a, term_ult(terms, o.left, o.right), term_eq(terms, o.result, zero));
        add_fact(a, term_and(terms, some, term_ule(terms, o.right, o.left)), term_ule(terms, one, o.result));
        add_fact(a, term_and(terms, term_ult(terms, one, o.right), term_ne(terms, o.left, zero)),
                 term_ult(terms, o.result, o.left));
        add_fact(a, term_eq(terms, o.right, zero), term_eq(terms, o.result, term_not(terms, zero)));
        break;
    default:
        assert(term_kind(terms, t) == KIND_MUL);
        add_fact(a, term_eq(terms, o.left, zero), term_eq(terms, o.result, zero));
        if (is_bijection(terms, t)) add_fact(a, term_eq(terms, o.result, zero), term_eq(terms, o.left, zero));
        add_fact(a, term_eq(terms, o.right, zero), term_eq(terms, o.result, zero));
        add_fact(a, term_eq(terms, o.left, one), term_eq(terms, o.result, o.right));
        add_fact(a, term_eq(terms, o.right, one), term_eq(terms, o.result, o.left));
        add_fact(
            a, always,
            term_eq(terms, term_extract(terms, o.result, 0, 1),
                    term_and(terms, term_extract(terms, o.left, 0, 1), term_extract(terms, o.right, 0, 1))));
        break;
    }
}

// Adds congruence: equal operands have equal results.
static void add_congruence(struct abstraction *a) {
    struct terms *terms = a->query->solver->terms;
    if (a->operations.count > MOST_PAIRS) return;
    for (uint32_t i = 0; i < a->operations.count; i++)
        for (uint32_t j = 0; j < i; j++) {
            Term x = a->operations.at[i], y = a->operations.at[j];
            if (term_kind(terms, x) != term_kind(terms, y) || term_width(terms, x) != term_width(terms, y))
                continue;
            struct operation p = operation_of(a, x), q = operation_of(a, y);
            Term same = term_eq(terms, p.result, q.result);
            add_fact(a, term_and(terms, term_eq(terms, p.left, q.left), term_eq(terms, p.right, q.right)),
                     same);
            if (is_bijection(terms, x) && is_bijection(terms, y) && p.right == q.right)
                add_fact(a, same, term_eq(terms, p.left, q.left));
        }
}

// Builds the weaker query. False: one of its conditions is the constant false.
static bool build(struct abstraction *a) {
    struct query *query = a->query;
    struct terms *terms = query->solver->terms;
    for (uint32_t i = 0; i < a->operations.count; i++)
        *map_put(&a->variables, a->operations.at[i]) =
            new_variable(terms, term_width(terms, a->operations.at[i]), i);
    vec_each (Term, condition, &query->conditions) {
        Term t = abstracted(a, *condition);
        if (term_is_zero(terms, t)) return false;
        vec_push(&a->conditions, t);
    }
    vec_each (Term, operation, &a->operations) add_facts(a, *operation);
    add_congruence(a);
    return true;
}

static uint64_t inverse_of(uint64_t odd) {
    uint64_t inverse = 1;
    for (unsigned i = 0; i < 6; i++) inverse *= 2 - odd * inverse; // Newton's method: correct bits double
    return inverse;
}

// Gives the words of bijections the values that follow from their products in the model.
static void take_words(struct abstraction *a) {
    struct query *query = a->query;
    struct terms *terms = query->solver->terms;
    for (uint64_t i = 0; i < a->operations.count; i++) {
        Term operation = a->operations.at[i];
        if (!is_bijection(terms, operation)) continue;
        Term variable = (Term)*map_get(&a->variables, operation);
        struct array_value *array =
            blaster_array(query->solver->blaster, term_var(terms, term_arg(terms, variable, 0)));
        if (!array) continue;
        uint64_t word =
            *array_value_get(array, &i) * inverse_of(term_value(terms, term_arg(terms, operation, 1)));
        array_value_free(array);
        Term t = term_arg(terms, operation, 0);
        for (unsigned low = term_width(terms, t); low;) {
            bool last = term_kind(terms, t) == KIND_BYTE;
            Term byte = last ? t : term_arg(terms, t, 0);
            low -= 8;
            query->found.at[query_position(query, term_var(terms, byte))] = (uint8_t)(word >> low);
            if (!last) t = term_arg(terms, t, 1);
        }
    }
}

static enum answer ask(struct abstraction *a) {
    struct query *query = a->query;
    enum answer answer = query_ask_weaker(query, a->conditions.at, a->conditions.count, MOST_CONFLICTS);
    if (answer == ANSWER_YES) take_words(a);
    if (answer == ANSWER_YES && !query_holds(query)) return ANSWER_UNKNOWN;
    if (answer == ANSWER_YES) cache_learn(query, ANSWER_YES, NULL, 0);
    return answer;
}

enum answer solver_layer_abstract(struct query *query) {
    struct abstraction a = {.query = query};
    enum answer answer = ANSWER_UNKNOWN;
    // The layer is used only at full effort and in programs without floats: conversions of numbers in text have
    // products and quotients that the facts say nothing about.
    if (query->solver->effort < EFFORT_FULL || terms_have_floats(query->solver->terms)) return answer;
    term_visit(query->solver->terms, query->conditions.at, query->conditions.count, note_operation, &a);
    // Products without a division come from conversions of numbers in text, about which the facts decide nothing.
    if (a.pays && a.operations.count <= MOST_OPERATORS) {
        if (build(&a))
            answer = ask(&a);
        else
            cache_learn(query, answer = ANSWER_NO, NULL, 0);
    }
    vec_free(&a.operations);
    vec_free(&a.conditions);
    map_free(&a.variables);
    map_free(&a.memo);
    return answer;
}
