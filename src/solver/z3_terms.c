// Translates terms to Z3 expressions, each once per context.
#include "solver/z3_terms.h"

#include "base/vec.h"
#include "solver/z3_float.h"

#include <string.h>

struct z3_terms {
    struct terms *terms;
    Z3_context context;
    uint64_t generation;
    uint32_t translated;
    vec(Z3_ast) words; // by Term: as a bit-vector or array; NULL: not yet
    vec(Z3_ast) bools; // by Term of width 1
    vec(Term) pending;
    bool failed; // something has no translation
};

struct z3_terms *z3_terms_new(struct terms *terms, Z3_context context) {
    struct z3_terms *z3 = NEW(struct z3_terms);
    z3->terms = terms;
    z3->context = context;
    z3->generation = terms_generation(terms);
    return z3;
}

void z3_terms_free(struct z3_terms *z3) {
    if (!z3) return;
    vec_free(&z3->words);
    vec_free(&z3->bools);
    vec_free(&z3->pending);
    DELETE(z3);
}

uint32_t z3_terms_count(const struct z3_terms *z3) { return z3->translated; }
bool z3_terms_current(const struct z3_terms *z3) { return z3->generation == terms_generation(z3->terms); }

static Z3_ast word(struct z3_terms *z3, Term t) {
    if (z3->words.at[t]) return z3->words.at[t];
    Z3_context c = z3->context;
    assert(z3->bools.at[t]); // a term of one bit: made from the Boolean
    Z3_sort bit = Z3_mk_bv_sort(c, 1);
    return z3->words.at[t] = Z3_mk_ite(c, z3->bools.at[t], Z3_mk_unsigned_int64(c, 1, bit),
                                       Z3_mk_unsigned_int64(c, 0, bit));
}

static Z3_ast truth(struct z3_terms *z3, Term t) {
    if (z3->bools.at[t]) return z3->bools.at[t];
    assert(z3->words.at[t] && term_width(z3->terms, t) == 1);
    Z3_context c = z3->context;
    Z3_ast one = Z3_mk_unsigned_int64(c, 1, Z3_mk_bv_sort(c, 1));
    return z3->bools.at[t] = Z3_mk_eq(c, z3->words.at[t], one);
}

static Z3_ast constant(struct z3_terms *z3, unsigned width, const uint64_t *limbs) {
    Z3_context c = z3->context;
    if (width <= 64) return Z3_mk_unsigned_int64(c, limbs[0], Z3_mk_bv_sort(c, width));
    bool *bits = NEW_ARRAY(bool, width);
    for (unsigned i = 0; i < width; i++) bits[i] = limbs[i / 64] >> i % 64 & 1;
    Z3_ast result = Z3_mk_bv_numeral(c, width, bits);
    DELETE_ARRAY(bits, width);
    return result;
}

static Z3_sort array_sort(struct z3_terms *z3, Term t) {
    Z3_sort index = Z3_mk_bv_sort(z3->context, term_index_width(z3->terms, t));
    return Z3_mk_array_sort(z3->context, index, Z3_mk_bv_sort(z3->context, term_width(z3->terms, t)));
}

static Z3_ast variable(struct z3_terms *z3, uint32_t var, Z3_sort sort) {
    return Z3_mk_const(z3->context, Z3_mk_int_symbol(z3->context, (int)var), sort);
}

Z3_ast z3_terms_byte(struct z3_terms *z3, uint32_t var) {
    return variable(z3, var, Z3_mk_bv_sort(z3->context, 8));
}

// A table as stores over an array of zeros.
static Z3_ast table(struct z3_terms *z3, Term t) {
    struct terms *terms = z3->terms;
    Z3_context c = z3->context;
    unsigned index_width = term_index_width(terms, t), width = term_width(terms, t), bytes;
    bool input = term_kind(terms, t) == KIND_ARRAY_INPUT,
         packed = !input && term_literal_packed(terms, t, &bytes);
    uint32_t count = input ? term_array_input_size(terms, t) : term_arity(terms, t);
    Z3_sort index = Z3_mk_bv_sort(c, index_width), element = Z3_mk_bv_sort(c, width);
    Z3_ast array = Z3_mk_const_array(c, index, Z3_mk_unsigned_int64(c, 0, element));
    for (uint32_t i = 0; i < count; i++) {
        if (index_width < 32 && i >> index_width) break;
        Z3_ast value;
        if (input)
            value = z3_terms_byte(z3, terms_input_var(terms, term_array_input(terms, t), i));
        else if (packed)
            value = Z3_mk_unsigned_int64(c, term_literal_value(terms, t, i), element);
        else
            value = word(z3, term_arg(terms, t, i));
        array = Z3_mk_store(c, array, Z3_mk_unsigned_int64(c, i, index), value);
    }
    return array;
}

static bool is_table(struct terms *terms, Term t) {
    return term_kind(terms, t) == KIND_ARRAY_LITERAL || term_kind(terms, t) == KIND_ARRAY_INPUT;
}

static Z3_ast element(struct z3_terms *z3, Term t, uint32_t i) {
    struct terms *terms = z3->terms;
    unsigned bytes;
    if (term_kind(terms, t) == KIND_ARRAY_INPUT)
        return z3_terms_byte(z3, terms_input_var(terms, term_array_input(terms, t), i));
    if (!term_literal_packed(terms, t, &bytes)) return word(z3, term_arg(terms, t, i));
    Z3_sort sort = Z3_mk_bv_sort(z3->context, term_width(terms, t));
    return Z3_mk_unsigned_int64(z3->context, term_literal_value(terms, t, i), sort);
}

// A read of a table as a binary tree of comparisons: Z3's array theory takes seconds where this takes milliseconds.
static Z3_ast tree(struct z3_terms *z3, Term table, Z3_ast index, uint32_t from, uint32_t count) {
    Z3_context c = z3->context;
    assert(count > 0);
    if (count == 1) return element(z3, table, from);
    uint32_t half = count / 2;
    Z3_ast low = tree(z3, table, index, from, half), high = tree(z3, table, index, from + half, count - half);
    if (low == high) return low;
    Z3_ast middle = Z3_mk_unsigned_int64(c, from + half, Z3_get_sort(c, index));
    return Z3_mk_ite(c, Z3_mk_bvult(c, index, middle), low, high);
}

static Z3_ast read_table(struct z3_terms *z3, Term table, Term index) {
    struct terms *terms = z3->terms;
    Z3_context c = z3->context;
    bool input = term_kind(terms, table) == KIND_ARRAY_INPUT;
    uint64_t count = input ? term_array_input_size(terms, table) : term_arity(terms, table);
    unsigned width = term_width(terms, index);
    Z3_ast zero = Z3_mk_unsigned_int64(c, 0, Z3_mk_bv_sort(c, term_width(terms, table)));
    if (!count) return zero;
    bool all = width < 32 && count >= 1ull << width;
    if (all) count = 1ull << width;
    Z3_ast read = tree(z3, table, word(z3, index), 0, (uint32_t)count);
    if (all) return read;
    Z3_ast end = Z3_mk_unsigned_int64(c, count, Z3_mk_bv_sort(c, width));
    return Z3_mk_ite(c, Z3_mk_bvult(c, word(z3, index), end), read, zero);
}

static Z3_ast constant_term(void *owner, Term t) {
    struct z3_terms *z3 = owner;
    return constant(z3, term_width(z3->terms, t), term_limbs(z3->terms, t));
}

static Z3_ast translate_float(struct z3_terms *z3, Term t) {
    struct z3_float z = {z3->terms, z3->context, constant_term, z3};
    Z3_ast args[3] = {NULL};
    for (uint32_t i = 0; i < term_arity(z3->terms, t); i++) args[i] = word(z3, term_arg(z3->terms, t, i));
    return z3_float(&z, term_shape(z3->terms, t), args);
}

// Translates an operation whose result is a Boolean. NULL: another operation.
static Z3_ast translate_truth(struct z3_terms *z3, Term t) {
    struct terms *terms = z3->terms;
    Z3_context c = z3->context;
    Term a = term_arity(terms, t) > 0 ? term_arg(terms, t, 0) : 0,
         b = term_arity(terms, t) > 1 ? term_arg(terms, t, 1) : 0;
    switch (term_kind(terms, t)) {
    case KIND_CONST: return term_value(terms, t) ? Z3_mk_true(c) : Z3_mk_false(c);
    case KIND_NOT: return Z3_mk_not(c, truth(z3, a));
    case KIND_AND: return Z3_mk_and(c, 2, (Z3_ast[]){truth(z3, a), truth(z3, b)});
    case KIND_OR: return Z3_mk_or(c, 2, (Z3_ast[]){truth(z3, a), truth(z3, b)});
    case KIND_XOR: return Z3_mk_xor(c, truth(z3, a), truth(z3, b));
    case KIND_EQ:
        if (term_width(terms, a) == 1) return Z3_mk_eq(c, truth(z3, a), truth(z3, b));
        return Z3_mk_eq(c, word(z3, a), word(z3, b));
    case KIND_ARRAY_EQ: return Z3_mk_eq(c, word(z3, a), word(z3, b));
    case KIND_ULT: return Z3_mk_bvult(c, word(z3, a), word(z3, b));
    case KIND_SLT: return Z3_mk_bvslt(c, word(z3, a), word(z3, b));
    case KIND_ITE: return Z3_mk_ite(c, truth(z3, a), truth(z3, b), truth(z3, term_arg(terms, t, 2)));
    case KIND_FP_EQ:
    case KIND_FP_LT:
    case KIND_FP_LE: return translate_float(z3, t);
    default: return NULL;
    }
}

static Z3_ast translate_binary(struct z3_terms *z3, enum kind kind, Z3_ast a, Z3_ast b) {
    Z3_context c = z3->context;
    switch (kind) {
    case KIND_NOT: return Z3_mk_bvnot(c, a);
    case KIND_AND: return Z3_mk_bvand(c, a, b);
    case KIND_OR: return Z3_mk_bvor(c, a, b);
    case KIND_XOR: return Z3_mk_bvxor(c, a, b);
    case KIND_NEG: return Z3_mk_bvneg(c, a);
    case KIND_ADD: return Z3_mk_bvadd(c, a, b);
    case KIND_MUL: return Z3_mk_bvmul(c, a, b);
    case KIND_UDIV: return Z3_mk_bvudiv(c, a, b);
    case KIND_UREM: return Z3_mk_bvurem(c, a, b);
    case KIND_SDIV: return Z3_mk_bvsdiv(c, a, b);
    case KIND_SREM: return Z3_mk_bvsrem(c, a, b);
    case KIND_SHL: return Z3_mk_bvshl(c, a, b);
    case KIND_LSHR: return Z3_mk_bvlshr(c, a, b);
    case KIND_ASHR: return Z3_mk_bvashr(c, a, b);
    case KIND_CONCAT: return Z3_mk_concat(c, a, b);
    case KIND_SELECT: return Z3_mk_select(c, a, b);
    default: return NULL;
    }
}

static Z3_ast translate_word(struct z3_terms *z3, Term t) {
    struct terms *terms = z3->terms;
    Z3_context c = z3->context;
    enum kind kind = term_kind(terms, t);
    unsigned width = term_width(terms, t), low;
    uint32_t arity = term_arity(terms, t);
    switch (kind) {
    case KIND_CONST: return constant(z3, width, term_limbs(terms, t));
    case KIND_BYTE: return z3_terms_byte(z3, term_var(terms, t));
    case KIND_ARRAY_VAR: return variable(z3, term_var(terms, t), array_sort(z3, t));
    case KIND_ARRAY_INPUT:
    case KIND_ARRAY_LITERAL: return table(z3, t);
    case KIND_SELECT:
        if (is_table(terms, term_arg(terms, t, 0)))
            return read_table(z3, term_arg(terms, t, 0), term_arg(terms, t, 1));
        break;
    default:
        if (kind_infos[kind].properties & KP_FLOAT) return translate_float(z3, t);
        break;
    }
    Z3_ast a = word(z3, term_arg(terms, t, 0)), b = arity > 1 ? word(z3, term_arg(terms, t, 1)) : NULL;
    switch (kind) {
    case KIND_EXTRACT: low = term_low(terms, t); return Z3_mk_extract(c, low + width - 1, low, a);
    case KIND_SEXT: return Z3_mk_sign_ext(c, width - term_width(terms, term_arg(terms, t, 0)), a);
    case KIND_ITE:
    case KIND_ARRAY_ITE:
        return Z3_mk_ite(c, truth(z3, term_arg(terms, t, 0)), b, word(z3, term_arg(terms, t, 2)));
    case KIND_STORE: return Z3_mk_store(c, a, b, word(z3, term_arg(terms, t, 2)));
    case KIND_ARRAY_CONST: return Z3_mk_const_array(c, Z3_mk_bv_sort(c, term_index_width(terms, t)), a);
    default: return translate_binary(z3, kind, a, b);
    }
}

static void translate_node(struct z3_terms *z3, Term t) {
    bool one = !term_is_array(z3->terms, t) && term_width(z3->terms, t) == 1;
    if (one) z3->bools.at[t] = translate_truth(z3, t);
    if (!z3->bools.at[t]) z3->words.at[t] = translate_word(z3, t);
    z3->failed |= !z3->bools.at[t] && !z3->words.at[t];
    z3->failed |= Z3_get_error_code(z3->context) != Z3_OK;
    z3->translated++;
}

static bool is_translated(const struct z3_terms *z3, Term t) { return z3->words.at[t] || z3->bools.at[t]; }

static bool push_operands(struct z3_terms *z3, Term t) {
    uint32_t before = z3->pending.count;
    bool packed = term_is_table(z3->terms, t);
    for (uint32_t i = 0; !packed && i < term_arity(z3->terms, t); i++) {
        Term operand = term_arg(z3->terms, t, i);
        if (!is_translated(z3, operand)) vec_push(&z3->pending, operand);
    }
    return z3->pending.count > before;
}

Z3_ast z3_terms_truth(struct z3_terms *z3, Term t) {
    assert(z3_terms_current(z3) && term_width(z3->terms, t) == 1);
    z3->failed = false;
    while (z3->words.count < terms_id_limit(z3->terms)) {
        vec_push(&z3->words, NULL);
        vec_push(&z3->bools, NULL);
    }
    vec_push(&z3->pending, t);
    while (z3->pending.count && !z3->failed) {
        Term top = *vec_last(&z3->pending);
        if (!is_translated(z3, top)) {
            if (push_operands(z3, top)) continue;
            translate_node(z3, top);
        }
        z3->pending.count--;
    }
    vec_clear(&z3->pending);
    return z3->failed ? NULL : truth(z3, t);
}

// Searches the translated terms for the declared array.
Z3_ast z3_terms_array(struct z3_terms *z3, uint32_t var) {
    for (Term t = 1; t < z3->words.count; t++)
        if (z3->words.at[t] && term_kind(z3->terms, t) == KIND_ARRAY_VAR && term_var(z3->terms, t) == var)
            return z3->words.at[t];
    return NULL;
}
