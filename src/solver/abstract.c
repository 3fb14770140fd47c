// The abstract layer: products, unsigned quotients and unsigned remainders of unknowns become variables.
//
// The circuit of a wide division costs more than all the rest of a query. Most queries need little of it: that a
// remainder is below its divisor, or that equal operands have equal results. So each such operation becomes a
// variable, with a few facts of this kind as further conditions. Every model of the query is a model of this weaker
// query, so a refutation holds. A model of the weaker query is used only if it satisfies the query itself, which is
// evaluated.
//
// The product of a word and an odd constant is a bijection (hashes). It becomes a variable, too, and the model's
// product determines the word. A word and its quotient and remainder by a constant determine each other: if several
// words are hashed by the same constant, these become variables, and the word is computed from them.
//
// If a model violates the query, lemmas about its words (their products, quotients and remainders) and about products
// of two unknowns (product_lemmas.h) are added, and the weaker query is asked again.
#include "base/text.h"
#include "solver/invert.h"
#include "solver/product_lemmas.h"

#define LEAST_WIDTH    12u   // narrower operations are cheap
#define MOST_OPERATORS 64u   // operations in one query
#define MOST_PAIRS     12u   // most operations of a query whose pairs are compared
#define MOST_CONFLICTS 1000u // the weaker query should be easy
#define LEAST_BITS     4     // products with sparser constants are cheap
#define MOST_ROUNDS    8u    // queries, each with the lemmas that the models of the earlier ones violate
// The limits of conflicts and rounds if products have a common factor. That `row * columns + column` is below
// `rows * columns` takes some thousand conflicts, and milliseconds, for sums of 32 bits.
#define PRODUCT_CONFLICTS 30000u
#define PRODUCT_ROUNDS    40u

// A product, and two factors of it. A product of three unknowns has three such pairs of factors.
struct factored {
    Term product, factors[2];
};

// The variables of one width are the elements of an array.
struct model_array {
    uint32_t var;
    struct array_value *value;
};

struct abstraction {
    struct query *query;
    term_list operations;
    bool pays;                      // some operation is a quotient, a remainder or a bijection
    bool has_pair;                  // two products of unknowns have a factor in common
    vec(struct factored) products;  // if has_pair: those of at most 64 bits
    vec(struct model_array) arrays; // the variables of the model that the lemmas are about
    bool has_quotient;              // by a constant
    uint32_t remainders;            // by constants
    struct map variables;           // operation -> variable
    struct map memo;                // results of the substitution
    term_list conditions;           // the query's, in their order, then the facts
};

// Whether t is the product of a hash of an input word and an odd constant of many bits, as hash functions have it.
// Words and products are in bijection, so the product may be the unknown from which the word follows.
static bool is_bijection(struct terms *terms, Term t) {
    return term_width(terms, t) >= LEAST_WIDTH && invert_is_odd_product(terms, t) &&
           __builtin_popcountll(term_value(terms, term_arg(terms, t, 1))) >= LEAST_BITS &&
           invert_may(terms, t);
}

static bool is_by_constant(struct terms *terms, Term t, enum kind kind) {
    return term_kind(terms, t) == kind && term_width(terms, t) >= LEAST_WIDTH && term_width(terms, t) <= 64 &&
           term_is_const(terms, term_arg(terms, t, 1));
}

// Whether t is the remainder of a word by a constant.
static bool is_remainder(struct terms *terms, Term t) {
    return is_by_constant(terms, t, KIND_UREM) && term_value(terms, term_arg(terms, t, 1)) &&
           invert_may(terms, term_arg(terms, t, 0));
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
    bool bijection = is_bijection(terms, t), remainder = is_remainder(terms, t);
    a->has_quotient |= is_by_constant(terms, t, KIND_UDIV);
    a->remainders += remainder;
    if (bijection || remainder || is_hard(terms, t)) {
        vec_push(&a->operations, t);
        a->pays |= bijection || (!remainder && term_kind(terms, t) != KIND_MUL);
    }
    return a->operations.count <= MOST_OPERATORS;
}

// Keeps remainders by constants only if several words are hashed. A single one is easy for SAT, and one beside a
// quotient is a digit of a number.
static void choose_remainders(struct abstraction *a) {
    struct terms *terms = a->query->solver->terms;
    uint32_t kept = 0;
    bool keep = a->remainders > 1 && !a->has_quotient;
    a->pays |= keep;
    vec_each (Term, operation, &a->operations)
        if (keep || !is_remainder(terms, *operation)) a->operations.at[kept++] = *operation;
    a->operations.count = kept;
}

static bool is_product(const struct terms *terms, Term t) {
    return is_hard(terms, t) && term_kind(terms, t) == KIND_MUL && term_width(terms, t) <= 64;
}

// Whether two products have a factor that depends on the same inputs: `row * columns` and `rows * columns`.
static bool has_pair(const struct abstraction *a) {
    struct terms *terms = a->query->solver->terms;
    for (uint32_t i = 0; i < a->operations.count; i++)
        for (uint32_t k = 0; k < i; k++) {
            Term x = a->operations.at[i], y = a->operations.at[k];
            if (!is_product(terms, x) || !is_product(terms, y)) continue;
            for (unsigned sides = 0; sides < 4; sides++)
                if (term_support(terms, term_arg(terms, x, sides & 1)) ==
                    term_support(terms, term_arg(terms, y, sides >> 1)))
                    return true;
        }
    return false;
}

static void add_operation(struct abstraction *a, Term t) {
    vec_each (Term, operation, &a->operations)
        if (*operation == t) return;
    vec_push(&a->operations, t);
}

// Lists the products with their factors. (x * y) * z is also (x * z) * y and (y * z) * x: the products in parentheses
// become operations. `(plane * rows + row) * columns` needs rows * columns and planes * rows.
static void list_products(struct abstraction *a) {
    struct terms *terms = a->query->solver->terms;
    assert(a->has_pair && !a->products.count);
    for (uint32_t i = 0, had = a->operations.count; i < had; i++) {
        Term t = a->operations.at[i];
        if (!is_product(terms, t)) continue;
        Term sides[2] = {term_arg(terms, t, 0), term_arg(terms, t, 1)};
        vec_push(&a->products, ((struct factored){t, {sides[0], sides[1]}}));
        for (unsigned side = 0; side < 2; side++) {
            if (!is_product(terms, sides[side])) continue;
            for (unsigned k = 0; k < 2; k++) {
                Term inner = term_mul(terms, term_arg(terms, sides[side], k), sides[!side]);
                if (!is_product(terms, inner)) continue;
                vec_push(&a->products, ((struct factored){t, {inner, term_arg(terms, sides[side], !k)}}));
                add_operation(a, inner);
            }
        }
    }
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
    Term quotient;            // 0: not a remainder by a constant
};

static struct operation operation_of(struct abstraction *a, Term t) {
    struct terms *terms = a->query->solver->terms;
    struct operation o = {abstracted(a, term_arg(terms, t, 0)), abstracted(a, term_arg(terms, t, 1)),
                          (Term)*map_get(&a->variables, t), 0};
    if (is_remainder(terms, t)) {
        uint32_t number = (uint32_t)term_value(terms, term_arg(terms, o.result, 1));
        o.quotient = new_variable(terms, term_width(terms, t), MOST_OPERATORS + number);
    }
    return o;
}

// For a bijection or a remainder by a constant: if and only if its word is the constant `word`, it has the results that
// follow from it.
static void add_lemma(struct abstraction *a, Term t, uint64_t word) {
    struct terms *terms = a->query->solver->terms;
    struct operation o = operation_of(a, t);
    unsigned width = term_width(terms, t);
    assert(is_bijection(terms, t) || is_remainder(terms, t));
    uint64_t constant = term_value(terms, o.right);
    assert(constant && word <= mask_bits(width));
    Term is_word = term_eq(terms, o.left, term_const(terms, width, word)), follows;
    if (o.quotient)
        follows = term_and(terms, term_eq(terms, o.quotient, term_const(terms, width, word / constant)),
                           term_eq(terms, o.result, term_const(terms, width, word % constant)));
    else
        follows = term_eq(terms, o.result, term_const(terms, width, word * constant & mask_bits(width)));
    add_fact(a, is_word, follows);
    add_fact(a, follows, is_word);
}

// A word is its quotient times the constant, plus its remainder.
static void add_remainder_facts(struct abstraction *a, Term t) {
    struct terms *terms = a->query->solver->terms;
    struct operation o = operation_of(a, t);
    unsigned width = term_width(terms, t);
    assert(o.quotient && is_remainder(terms, t));
    uint64_t constant = term_value(terms, o.right), most = mask_bits(width);
    Term always = term_true(terms), largest = term_const(terms, width, most / constant);
    Term is_small = term_eq(terms, o.quotient, term_const(terms, width, 0));
    add_fact(a, always, term_ult(terms, o.result, o.right));
    add_fact(a, always, term_ule(terms, o.quotient, largest));
    add_fact(a, term_eq(terms, o.quotient, largest),
             term_ule(terms, o.result, term_const(terms, width, most % constant)));
    add_fact(a, is_small, term_eq(terms, o.left, o.result));
    add_fact(a, term_ult(terms, o.left, o.right), is_small);
    add_lemma(a, t, 0);
}

static void add_facts(struct abstraction *a, Term t) {
    struct terms *terms = a->query->solver->terms;
    if (is_remainder(terms, t)) {
        add_remainder_facts(a, t);
        return;
    }
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
        if (is_bijection(terms, t)) add_lemma(a, t, 0);
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
            bool by_constant = p.quotient && q.quotient && p.right == q.right;
            if (by_constant) same = term_and(terms, same, term_eq(terms, p.quotient, q.quotient));
            add_fact(a, term_and(terms, term_eq(terms, p.left, q.left), term_eq(terms, p.right, q.right)),
                     same);
            if (by_constant || (is_bijection(terms, x) && is_bijection(terms, y) && p.right == q.right))
                add_fact(a, same, term_eq(terms, p.left, q.left));
        }
}

// Adds the range that the operation has for all inputs. (Facts about the query's bytes would need its conditions, and
// a refutation could then be learned for too few of them.)
static void add_range(struct abstraction *a, Term t) {
    struct terms *terms = a->query->solver->terms;
    unsigned width = term_width(terms, t);
    if (width > 64) return;
    Term variable = (Term)*map_get(&a->variables, t);
    struct facts facts = term_facts(terms, t);
    add_fact(a, term_true(terms), term_ule(terms, term_const(terms, width, facts.low), variable));
    add_fact(a, term_true(terms), term_ule(terms, variable, term_const(terms, width, facts.high)));
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
    vec_each (Term, operation, &a->operations) {
        add_facts(a, *operation);
        add_range(a, *operation);
    }
    add_congruence(a);
    return true;
}

// The value of a variable in the model. False: the model has none.
static bool value_of(struct abstraction *a, Term variable, uint64_t *value) {
    struct terms *terms = a->query->solver->terms;
    uint64_t index = term_value(terms, term_arg(terms, variable, 1));
    struct array_value *array =
        blaster_array(a->query->solver->blaster, term_var(terms, term_arg(terms, variable, 0)));
    if (!array) return false;
    *value = *array_value_get(array, &index);
    array_value_free(array);
    return true;
}

// Gives the words of bijections and remainders the values that follow from the model. Operations come after those in
// their operands: the last one for a word decides.
static void take_words(struct abstraction *a) {
    struct terms *terms = a->query->solver->terms;
    for (uint32_t i = 0; i < a->operations.count; i++) {
        Term t = a->operations.at[i];
        uint64_t result, quotient;
        if (!is_bijection(terms, t) && !is_remainder(terms, t)) continue;
        struct operation o = operation_of(a, t);
        if (!value_of(a, o.result, &result)) continue;
        if (!o.quotient)
            invert_assign(a->query, t, result);
        else if (value_of(a, o.quotient, &quotient))
            invert_assign(a->query, term_arg(terms, t, 0),
                          (quotient * term_value(terms, o.right) + result) & mask_bits(term_width(terms, t)));
    }
}

static const struct array_value *array_in_model(void *context, uint32_t var) {
    struct abstraction *a = context;
    vec_each (struct model_array, array, &a->arrays)
        if (array->var == var) return array->value;
    struct model_array array = {var, blaster_array(a->query->solver->blaster, var)};
    vec_push(&a->arrays, array);
    return array.value;
}

static uint8_t byte_in_model(void *context, uint32_t var) {
    const struct abstraction *a = context;
    return a->query->assignment.byte(a->query->assignment.context, var);
}

// Adds lemmas about products that the model of the weaker query violates.
static void add_product_lemmas(struct abstraction *a) {
    struct terms *terms = a->query->solver->terms;
    struct evaluator *evaluator = a->query->solver->evaluator;
    struct assignment assignment = {.byte = byte_in_model, .array = array_in_model, .context = a};
    vec(struct product) products = {0};
    evaluator_assign(evaluator, &assignment);
    assert(a->products.count && !a->arrays.count);
    vec_each (struct factored, factored, &a->products) {
        struct product product = {.result = (Term)*map_get(&a->variables, factored->product)};
        product.value = evaluate(evaluator, product.result);
        for (unsigned i = 0; i < 2; i++) {
            product.high[i] = term_facts(terms, factored->factors[i]).high;
            product.support[i] = term_support(terms, factored->factors[i]);
            product.factors[i] = abstracted(a, factored->factors[i]);
            product.values[i] = evaluate(evaluator, product.factors[i]);
        }
        vec_push(&products, product);
    }
    product_lemmas(terms, products.at, products.count, &a->conditions);
    vec_free(&products);
    vec_each (struct model_array, array, &a->arrays)
        if (array->value) array_value_free(array->value);
    vec_clear(&a->arrays);
}

// Adds lemmas that the model of the weaker query violates. False: there are none.
static bool add_lemmas(struct abstraction *a, const uint8_t *found) {
    struct terms *terms = a->query->solver->terms;
    uint32_t had = a->conditions.count;
    query_assign(a->query, found);
    vec_each (Term, t, &a->operations)
        if (is_bijection(terms, *t) || is_remainder(terms, *t))
            add_lemma(a, *t, evaluate(a->query->solver->evaluator, term_arg(terms, *t, 0)));
    if (a->has_pair) add_product_lemmas(a);
    return a->conditions.count > had;
}

static enum answer ask(struct abstraction *a) {
    struct query *query = a->query;
    uint32_t count = query->found.count;
    uint8_t *found = NEW_ARRAY(uint8_t, count);
    enum answer answer = ANSWER_UNKNOWN;
    unsigned rounds = a->has_pair ? PRODUCT_ROUNDS : MOST_ROUNDS;
    for (unsigned round = 0; round < rounds; round++) {
        answer = query_ask_weaker(query, a->conditions.at, a->conditions.count,
                                  a->has_pair ? PRODUCT_CONFLICTS : MOST_CONFLICTS);
        if (answer != ANSWER_YES) break;
        memcpy(found, query->found.at, count);
        take_words(a);
        if (query_holds(query)) break;
        answer = ANSWER_UNKNOWN;
        if (!add_lemmas(a, found)) break;
    }
    if (answer == ANSWER_YES) cache_learn(query, ANSWER_YES, NULL, 0);
    DELETE_ARRAY(found, count);
    return answer;
}

enum answer solver_layer_abstract(struct query *query) {
    struct abstraction a = {.query = query};
    enum answer answer = ANSWER_UNKNOWN;
    // The layer is used only at full effort and in programs without floats: conversions of numbers in text have
    // products and quotients that the facts say nothing about.
    if (query->solver->effort < EFFORT_FULL || terms_have_floats(query->solver->terms)) return answer;
    term_visit(query->solver->terms, query->conditions.at, query->conditions.count, note_operation, &a);
    choose_remainders(&a);
    a.has_pair = a.operations.count <= MOST_OPERATORS && has_pair(&a);
    if (a.has_pair) list_products(&a);
    // Other products without a division come from conversions of numbers in text, about which the facts decide nothing.
    if ((a.pays || a.has_pair) && a.operations.count <= MOST_OPERATORS) {
        if (build(&a))
            answer = ask(&a);
        else
            cache_learn(query, answer = ANSWER_NO, NULL, 0);
    }
    vec_free(&a.operations);
    vec_free(&a.conditions);
    vec_free(&a.products);
    vec_free(&a.arrays);
    map_free(&a.variables);
    map_free(&a.memo);
    return answer;
}
