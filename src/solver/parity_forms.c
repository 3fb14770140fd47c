// Finds the bits of terms that are parities of input bits. Extraction, concatenation, shifts and exclusive or keep
// parities. For other operations it depends on the operands: a bit of a sum is a parity if the carry into it is a
// parity, too. A table of constants acts as exclusive ors if it is linear in the bits of its index, as the tables of
// CRCs are; its elements are checked for that.
#include "solver/parity.h"

#include "solver/solver_int.h"

#define TERMS      4096u      // largest number of terms of a query
#define POOL       (1u << 20) // words
#define INDEX_BITS 12u        // largest number of symbolic bits of a table's index

void parity_forms_free(struct forms *forms) {
    map_free(&forms->known);
    vec_free(&forms->bits);
    vec_free(&forms->pool);
}

uint32_t parity_form_of(const struct forms *forms, Term t, uint32_t i) {
    assert(map_get(&forms->known, t) && i < term_width(forms->query->solver->terms, t));
    return forms->bits.at[*map_get(&forms->known, t) - 1 + i];
}

static uint32_t constant(const struct forms *forms, bool one) { return one ? forms->words : 0; }

static bool same(const struct forms *forms, uint32_t a, uint32_t b) {
    if (a == b || a == UNKNOWN_FORM || b == UNKNOWN_FORM) return a == b && a != UNKNOWN_FORM;
    return !memcmp(forms->pool.at + a, forms->pool.at + b, forms->words * sizeof(uint64_t));
}

static uint32_t add(struct forms *forms, uint32_t a, uint32_t b) {
    if (a == UNKNOWN_FORM || b == UNKNOWN_FORM) return UNKNOWN_FORM;
    if (!a || !b) return a + b; // zero is the first form
    if (same(forms, a, b)) return 0;
    uint32_t sum = forms->pool.count;
    for (uint32_t i = 0; i < forms->words; i++)
        vec_push(&forms->pool, forms->pool.at[a + i] ^ forms->pool.at[b + i]);
    forms->work += forms->words;
    return same(forms, sum, forms->words) ? forms->words : sum;
}

static uint32_t invert(struct forms *forms, uint32_t a) { return add(forms, a, forms->words); }

// Whether one is the complement of the other.
static bool opposite(const struct forms *forms, uint32_t a, uint32_t b) {
    if (a == UNKNOWN_FORM || b == UNKNOWN_FORM) return false;
    const uint64_t *one = forms->pool.at + a, *other = forms->pool.at + b;
    for (uint32_t i = 0; i < forms->words; i++)
        if ((one[i] ^ other[i]) != forms->pool.at[forms->words + i]) return false;
    return true;
}

// The majority of three bits: the value of two equal ones, or the third if two are complements.
static uint32_t majority(const struct forms *forms, uint32_t a, uint32_t b, uint32_t c) {
    if (same(forms, a, b) || same(forms, a, c)) return a;
    if (same(forms, b, c)) return b;
    if (opposite(forms, a, b)) return c;
    if (opposite(forms, a, c)) return b;
    return opposite(forms, b, c) ? a : UNKNOWN_FORM;
}

static uint32_t choose(struct forms *forms, uint32_t condition, uint32_t then, uint32_t otherwise) {
    if (same(forms, then, otherwise)) return then;
    if (condition == UNKNOWN_FORM) return UNKNOWN_FORM;
    if (form_constant(forms, condition)) return form_is_one(forms, condition) ? then : otherwise;
    return opposite(forms, then, otherwise) ? add(forms, otherwise, condition) : UNKNOWN_FORM;
}

static uint32_t input_bit(struct forms *forms, uint32_t position, unsigned bit) {
    uint32_t form = forms->pool.count, column = 8 * position + bit;
    assert(bit < 8 && column < forms->columns);
    for (uint32_t i = 0; i < forms->words; i++)
        vec_push(&forms->pool, i == column / 64 ? (uint64_t)1 << column % 64 : 0);
    return form;
}

// Splits the bits of an index into symbolic ones and the value of the constant ones. False: some bit is not a parity,
// or too many are symbolic.
static bool look_at_index(const struct forms *forms, Term index, uint32_t *varying, unsigned *count,
                          uint64_t *base) {
    *count = 0;
    *base = 0;
    for (uint32_t i = 0; i < term_width(forms->query->solver->terms, index); i++) {
        uint32_t form = parity_form_of(forms, index, i);
        if (form == UNKNOWN_FORM) return false;
        if (form_constant(forms, form)) {
            if (form_is_one(forms, form)) *base |= (uint64_t)1 << MIN(i, 63);
        } else if (*count == INDEX_BITS || i >= 32) {
            return false;
        } else {
            varying[(*count)++] = i;
        }
    }
    return true;
}

static uint64_t element(struct terms *terms, Term table, uint64_t index) {
    return index < term_arity(terms, table) ? term_literal_value(terms, table, (uint32_t)index) : 0;
}

// Pushes the forms of a table read. A bit of the result is linear if in every element it is the sum of the
// contributions of the set index bits.
static void push_table(struct forms *forms, Term table, Term index, unsigned width) {
    struct terms *terms = forms->query->solver->terms;
    uint32_t varying[INDEX_BITS];
    unsigned count;
    uint64_t base, step[INDEX_BITS], wrong = 0;
    bool known = look_at_index(forms, index, varying, &count, &base);
    uint64_t first = known ? element(terms, table, base) : 0;
    for (unsigned k = 0; known && k < count; k++)
        step[k] = element(terms, table, base | (uint64_t)1 << varying[k]) ^ first;
    for (uint32_t i = 0; known && i < 1u << count; i++) {
        uint64_t at = base, sum = first;
        for (unsigned k = 0; k < count; k++)
            if (i >> k & 1) {
                at |= (uint64_t)1 << varying[k];
                sum ^= step[k];
            }
        wrong |= element(terms, table, at) ^ sum;
    }
    forms->work += known ? 1u << count : 0;
    for (unsigned bit = 0; bit < width; bit++) {
        uint32_t form = known && !(wrong >> bit & 1) ? constant(forms, first >> bit & 1) : UNKNOWN_FORM;
        for (unsigned k = 0; k < count && form != UNKNOWN_FORM; k++)
            if (step[k] >> bit & 1) form = add(forms, form, parity_form_of(forms, index, varying[k]));
        vec_push(&forms->bits, form);
    }
}

static void push_sum(struct forms *forms, Term a, Term b, unsigned width) {
    uint32_t carry = 0;
    for (uint32_t i = 0; i < width; i++) {
        uint32_t x = parity_form_of(forms, a, i), y = parity_form_of(forms, b, i);
        vec_push(&forms->bits, add(forms, add(forms, x, y), carry));
        carry = majority(forms, x, y, carry);
    }
}

// Bit i of a bitwise operation.
static uint32_t bitwise(struct forms *forms, Term t, uint32_t i) {
    struct terms *terms = forms->query->solver->terms;
    enum kind kind = term_kind(terms, t);
    Term first = term_arg(terms, t, 0);
    uint32_t a = parity_form_of(forms, first, kind == KIND_ITE ? 0 : i);
    if (kind == KIND_NOT) return invert(forms, a);
    uint32_t b = parity_form_of(forms, term_arg(terms, t, 1), i);
    switch (kind) {
    case KIND_XOR: return add(forms, a, b);
    case KIND_AND: return majority(forms, a, b, constant(forms, false));
    case KIND_OR: return majority(forms, a, b, constant(forms, true));
    case KIND_EQ: return invert(forms, add(forms, a, b));
    default:
        assert(kind == KIND_ITE);
        return choose(forms, a, b, parity_form_of(forms, term_arg(terms, t, 2), i));
    }
}

// Bit i of a concatenation, extraction or sign extension.
static uint32_t moved(const struct forms *forms, Term t, uint32_t i) {
    struct terms *terms = forms->query->solver->terms;
    Term first = term_arg(terms, t, 0);
    if (term_kind(terms, t) == KIND_EXTRACT) return parity_form_of(forms, first, term_low(terms, t) + i);
    if (term_kind(terms, t) == KIND_SEXT)
        return parity_form_of(forms, first, MIN(i, term_width(terms, first) - 1));
    assert(term_kind(terms, t) == KIND_CONCAT);
    Term low = term_arg(terms, t, 1);
    uint32_t below = term_width(terms, low);
    return i < below ? parity_form_of(forms, low, i) : parity_form_of(forms, first, i - below);
}

static void push_bits(struct forms *forms, Term t, unsigned width) {
    struct terms *terms = forms->query->solver->terms;
    enum kind kind = term_kind(terms, t);
    Term first = term_arity(terms, t) ? term_arg(terms, t, 0) : 0;
    if (kind == KIND_ADD) {
        push_sum(forms, first, term_arg(terms, t, 1), width);
        return;
    }
    if (kind == KIND_SELECT && term_is_table(terms, first)) {
        push_table(forms, first, term_arg(terms, t, 1), width);
        return;
    }
    if (kind == KIND_EQ && term_width(terms, first) > 1) kind = KIND_CORE_COUNT; // a conjunction
    for (uint32_t i = 0; i < width; i++) {
        uint32_t form = UNKNOWN_FORM;
        switch (kind) {
        case KIND_CONST: form = constant(forms, term_const_bit(terms, t, i)); break;
        case KIND_BYTE: form = input_bit(forms, query_position(forms->query, term_var(terms, t)), i); break;
        case KIND_NOT:
        case KIND_XOR:
        case KIND_AND:
        case KIND_OR:
        case KIND_EQ:
        case KIND_ITE: form = bitwise(forms, t, i); break;
        case KIND_CONCAT:
        case KIND_EXTRACT:
        case KIND_SEXT: form = moved(forms, t, i); break;
        default: break;
        }
        vec_push(&forms->bits, form);
    }
}

static bool visit(void *context, Term t) {
    struct forms *forms = context;
    struct terms *terms = forms->query->solver->terms;
    if (term_is_array(terms, t)) return true;
    if (forms->known.count >= TERMS || forms->pool.count > POOL || forms->bits.count > POOL) return false;
    uint32_t place = forms->bits.count;
    push_bits(forms, t, term_width(terms, t));
    assert(forms->bits.count == place + term_width(terms, t));
    *map_put(&forms->known, t) = (uint64_t)place + 1;
    return true;
}

bool parity_forms_make(struct forms *forms, struct query *query) {
    forms->query = query;
    forms->columns = 8 * query->vars.count;
    forms->words = forms->columns / 64 + 1;
    forms->bits.count = forms->pool.count = 0;
    forms->work = 0;
    map_clear(&forms->known);
    for (uint32_t i = 0; i < 2 * forms->words; i++) vec_push(&forms->pool, 0);
    forms->pool.at[forms->words + forms->columns / 64] = (uint64_t)1 << forms->columns % 64;
    return term_visit(query->solver->terms, query->conditions.at, query->conditions.count, visit, forms);
}
