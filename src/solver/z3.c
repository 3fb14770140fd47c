// Z3 through its C API: the last layer, and the second opinion on refutations. Shares nothing with the
// blaster.
#include "solver/solver_int.h"

#include "base/error.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <z3.h>

// Terms are translated once per context; a context is thrown away when it has translated so many, or when ids
// of terms may have changed their meaning.
#define LARGEST_CONTEXT NORMAL_OR_HOSTILE(1000000u, 50u)

struct z3 {
    struct solver *solver;
    struct terms *terms;
    Z3_context context;
    uint64_t generation;
    uint32_t translated;
    vec(Z3_ast) words; // by Term: as a bit-vector or array; NULL: not yet
    vec(Z3_ast) bools; // by Term of width 1
    vec(Term) pending;
    bool failed; // something has no translation
};

static void ignore_error(Z3_context context, Z3_error_code code) {}

static void open_context(struct z3 *z3) {
    Z3_config config = Z3_mk_config();
    z3->context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(z3->context, ignore_error); // asked for after each step that can fail
    z3->generation = terms_generation(z3->terms);
    z3->translated = 0;
    vec_clear(&z3->words);
    vec_clear(&z3->bools);
}

struct z3 *z3_new(struct solver *solver) {
    struct z3 *z3 = NEW(struct z3);
    z3->solver = solver;
    z3->terms = solver->terms;
    open_context(z3);
    return z3;
}

void z3_free(struct z3 *z3) {
    if (!z3) return;
    Z3_del_context(z3->context);
    vec_free(&z3->words);
    vec_free(&z3->bools);
    vec_free(&z3->pending);
    DELETE(z3);
}

// Translation

static Z3_ast word(struct z3 *z3, Term t) {
    if (z3->words.at[t]) return z3->words.at[t];
    Z3_context c = z3->context;
    assert(z3->bools.at[t]); // one bit: made from the truth value
    Z3_sort bit = Z3_mk_bv_sort(c, 1);
    return z3->words.at[t] = Z3_mk_ite(c, z3->bools.at[t], Z3_mk_unsigned_int64(c, 1, bit),
                                       Z3_mk_unsigned_int64(c, 0, bit));
}

static Z3_ast truth(struct z3 *z3, Term t) {
    if (z3->bools.at[t]) return z3->bools.at[t];
    Z3_context c = z3->context;
    Z3_ast one = Z3_mk_unsigned_int64(c, 1, Z3_mk_bv_sort(c, 1));
    return z3->bools.at[t] = Z3_mk_eq(c, z3->words.at[t], one);
}

static Z3_ast constant(struct z3 *z3, unsigned width, const uint64_t *limbs) {
    Z3_context c = z3->context;
    if (width <= 64) return Z3_mk_unsigned_int64(c, limbs[0], Z3_mk_bv_sort(c, width));
    bool *bits = NEW_ARRAY(bool, width);
    for (unsigned i = 0; i < width; i++) bits[i] = limbs[i / 64] >> i % 64 & 1;
    Z3_ast result = Z3_mk_bv_numeral(c, width, bits);
    DELETE_ARRAY(bits, width);
    return result;
}

static Z3_sort array_sort(struct z3 *z3, Term t) {
    Z3_sort index = Z3_mk_bv_sort(z3->context, term_index_width(z3->terms, t));
    return Z3_mk_array_sort(z3->context, index, Z3_mk_bv_sort(z3->context, term_width(z3->terms, t)));
}

static Z3_ast variable(struct z3 *z3, uint32_t var, Z3_sort sort) {
    return Z3_mk_const(z3->context, Z3_mk_int_symbol(z3->context, (int)var), sort);
}

static Z3_ast byte(struct z3 *z3, uint32_t var) { return variable(z3, var, Z3_mk_bv_sort(z3->context, 8)); }

// A table as stores over zeros.
static Z3_ast table(struct z3 *z3, Term t) {
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
            value = byte(z3, terms_input_var(terms, term_array_input(terms, t), i));
        else if (packed)
            value = Z3_mk_unsigned_int64(c, term_literal_value(terms, t, i), element);
        else
            value = word(z3, term_arg(terms, t, i));
        array = Z3_mk_store(c, array, Z3_mk_unsigned_int64(c, i, index), value);
    }
    return array;
}

// Operations whose result is a truth value; NULL: not one of them.
static Z3_ast translate_truth(struct z3 *z3, Term t) {
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
    default: return NULL;
    }
}

static Z3_ast translate_binary(struct z3 *z3, enum kind kind, Z3_ast a, Z3_ast b) {
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

static Z3_ast translate_word(struct z3 *z3, Term t) {
    struct terms *terms = z3->terms;
    Z3_context c = z3->context;
    enum kind kind = term_kind(terms, t);
    unsigned width = term_width(terms, t), low;
    uint32_t arity = term_arity(terms, t);
    switch (kind) {
    case KIND_CONST: return constant(z3, width, term_limbs(terms, t));
    case KIND_BYTE: return byte(z3, term_var(terms, t));
    case KIND_ARRAY_VAR: return variable(z3, term_var(terms, t), array_sort(z3, t));
    case KIND_ARRAY_INPUT:
    case KIND_ARRAY_LITERAL: return table(z3, t);
    default: break;
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

static void translate_node(struct z3 *z3, Term t) {
    bool one = !term_is_array(z3->terms, t) && term_width(z3->terms, t) == 1;
    if (one) z3->bools.at[t] = translate_truth(z3, t);
    if (!z3->bools.at[t]) z3->words.at[t] = translate_word(z3, t);
    z3->failed |= !z3->bools.at[t] && !z3->words.at[t];
    z3->failed |= Z3_get_error_code(z3->context) != Z3_OK;
    z3->translated++;
}

static bool is_translated(const struct z3 *z3, Term t) { return z3->words.at[t] || z3->bools.at[t]; }

static bool push_operands(struct z3 *z3, Term t) {
    uint32_t before = z3->pending.count;
    unsigned bytes;
    bool packed = term_kind(z3->terms, t) == KIND_ARRAY_LITERAL && term_literal_packed(z3->terms, t, &bytes);
    for (uint32_t i = 0; !packed && i < term_arity(z3->terms, t); i++) {
        Term operand = term_arg(z3->terms, t, i);
        if (!is_translated(z3, operand)) vec_push(&z3->pending, operand);
    }
    return z3->pending.count > before;
}

static Z3_ast translate(struct z3 *z3, Term t) {
    while (z3->words.count < terms_id_limit(z3->terms)) {
        vec_push(&z3->words, NULL);
        vec_push(&z3->bools, NULL);
    }
    vec_push(&z3->pending, t);
    while (z3->pending.count && !z3->failed) {
        Term top = *vec_last(&z3->pending);
        bool floating = kind_infos[term_kind(z3->terms, top)].properties & KP_FLOAT;
        z3->failed |= floating;
        if (!is_translated(z3, top) && !floating) {
            if (push_operands(z3, top)) continue;
            translate_node(z3, top);
        }
        z3->pending.count--;
    }
    vec_clear(&z3->pending);
    return z3->failed ? NULL : truth(z3, t);
}

// Stopping: a thread watches the deadline and the cancel flag, since Z3 has no callback for them.

struct watch {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t over;
    bool done;
    Z3_context context;
    uint64_t deadline;
    const volatile int *cancel;
};

static void *keep_watch(void *argument) {
    struct watch *watch = argument;
    pthread_mutex_lock(&watch->mutex);
    while (!watch->done) {
        uint64_t now = sat_now();
        if (*watch->cancel || (watch->deadline && now >= watch->deadline)) Z3_interrupt(watch->context);
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 5000000;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&watch->over, &watch->mutex, &until);
    }
    pthread_mutex_unlock(&watch->mutex);
    return NULL;
}

static Z3_lbool check_watched(struct z3 *z3, Z3_solver solver, uint64_t deadline) {
    struct watch watch = {.context = z3->context, .deadline = deadline, .cancel = &z3->solver->cancel};
    pthread_mutex_init(&watch.mutex, NULL);
    pthread_cond_init(&watch.over, NULL);
    bool watched = pthread_create(&watch.thread, NULL, keep_watch, &watch) == 0;
    Z3_lbool result = watched ? Z3_solver_check(z3->context, solver) : Z3_L_UNDEF;
    pthread_mutex_lock(&watch.mutex);
    watch.done = true;
    pthread_cond_signal(&watch.over);
    pthread_mutex_unlock(&watch.mutex);
    if (watched) pthread_join(watch.thread, NULL);
    pthread_cond_destroy(&watch.over);
    pthread_mutex_destroy(&watch.mutex);
    return result;
}

// Models

static bool numeral(struct z3 *z3, Z3_ast ast, uint64_t *limbs, unsigned width) {
    Z3_context c = z3->context;
    if (!ast || Z3_get_ast_kind(c, ast) != Z3_NUMERAL_AST) return false;
    if (width <= 64) return Z3_get_numeral_uint64(c, ast, limbs);
    const char *digits = Z3_get_numeral_binary_string(c, ast);
    size_t count = strlen(digits);
    for (unsigned i = 0; i < width && i < count; i++)
        limbs[i / 64] |= (uint64_t)(digits[count - 1 - i] == '1') << i % 64;
    return true;
}

struct array_reader {
    struct z3 *z3;
    struct array_value *array;
    unsigned index_width, width;
    uint64_t *index, *element;
};

static bool read_default(struct array_reader *reader, Z3_ast value) {
    memset(reader->element, 0, (reader->width + 63) / 64 * 8);
    if (!numeral(reader->z3, value, reader->element, reader->width)) return false;
    array_value_set_default(reader->array, reader->element);
    return true;
}

static bool read_entry(struct array_reader *reader, Z3_ast index, Z3_ast value) {
    memset(reader->index, 0, (reader->index_width + 63) / 64 * 8);
    memset(reader->element, 0, (reader->width + 63) / 64 * 8);
    if (!numeral(reader->z3, index, reader->index, reader->index_width)) return false;
    if (!numeral(reader->z3, value, reader->element, reader->width)) return false;
    array_value_set(reader->array, reader->index, reader->element);
    return true;
}

static bool read_function(struct array_reader *reader, Z3_model model, Z3_func_decl function) {
    Z3_context c = reader->z3->context;
    Z3_func_interp interpretation = Z3_model_get_func_interp(c, model, function);
    if (!interpretation) return false;
    Z3_func_interp_inc_ref(c, interpretation);
    bool ok = read_default(reader, Z3_func_interp_get_else(c, interpretation));
    for (unsigned i = 0; ok && i < Z3_func_interp_get_num_entries(c, interpretation); i++) {
        Z3_func_entry entry = Z3_func_interp_get_entry(c, interpretation, i);
        Z3_func_entry_inc_ref(c, entry);
        ok = read_entry(reader, Z3_func_entry_get_arg(c, entry, 0), Z3_func_entry_get_value(c, entry));
        Z3_func_entry_dec_ref(c, entry);
    }
    Z3_func_interp_dec_ref(c, interpretation);
    return ok;
}

// Stores over a constant array, or a function. Outer stores win: they are applied last.
static bool read_array(struct array_reader *reader, Z3_model model, Z3_ast value) {
    Z3_context c = reader->z3->context;
    vec(Z3_ast) stores = {0};
    bool ok = false;
    while (value && Z3_get_ast_kind(c, value) == Z3_APP_AST) {
        Z3_app app = Z3_to_app(c, value);
        Z3_func_decl function = Z3_get_app_decl(c, app);
        Z3_decl_kind kind = Z3_get_decl_kind(c, function);
        if (kind == Z3_OP_STORE) {
            vec_push(&stores, value);
            value = Z3_get_app_arg(c, app, 0);
            continue;
        }
        if (kind == Z3_OP_CONST_ARRAY) ok = read_default(reader, Z3_get_app_arg(c, app, 0));
        if (kind == Z3_OP_AS_ARRAY) ok = read_function(reader, model, Z3_get_as_array_func_decl(c, value));
        break;
    }
    while (ok && stores.count) {
        Z3_app app = Z3_to_app(c, vec_pop(&stores));
        ok = read_entry(reader, Z3_get_app_arg(c, app, 1), Z3_get_app_arg(c, app, 2));
    }
    vec_free(&stores);
    return ok;
}

static struct shared_array *array_value_of(struct z3 *z3, Z3_model model, Z3_ast constant_ast) {
    Z3_context c = z3->context;
    Z3_ast value = NULL;
    if (!Z3_model_eval(c, model, constant_ast, true, &value)) return NULL;
    Z3_sort sort = Z3_get_sort(c, constant_ast);
    struct array_reader reader = {.z3 = z3,
                                  .index_width = Z3_get_bv_sort_size(c, Z3_get_array_sort_domain(c, sort)),
                                  .width = Z3_get_bv_sort_size(c, Z3_get_array_sort_range(c, sort))};
    unsigned index_limbs = (reader.index_width + 63) / 64, limbs = (reader.width + 63) / 64;
    reader.array = array_value_new(reader.index_width, reader.width);
    reader.index = NEW_ARRAY(uint64_t, index_limbs);
    reader.element = NEW_ARRAY(uint64_t, limbs);
    bool ok = read_array(&reader, model, value);
    DELETE_ARRAY(reader.index, index_limbs);
    DELETE_ARRAY(reader.element, limbs);
    if (!ok) {
        array_value_free(reader.array);
        return NULL;
    }
    struct shared_array *array = NEW(struct shared_array);
    *array = (struct shared_array){1, reader.array};
    return array;
}

// The declared arrays' terms are found among the translated ones.
static Z3_ast declared_array(struct z3 *z3, uint32_t var) {
    for (Term t = 1; t < z3->words.count; t++)
        if (z3->words.at[t] && term_kind(z3->terms, t) == KIND_ARRAY_VAR && term_var(z3->terms, t) == var)
            return z3->words.at[t];
    return NULL;
}

static void take_model(struct z3 *z3, struct query *query, Z3_model model) {
    for (uint32_t i = 0; i < query->vars.count; i++) {
        uint32_t var = query->vars.at[i];
        if (terms_var_is_array(z3->terms, var)) {
            Z3_ast array = declared_array(z3, var);
            array_release(query->found_arrays.at[i]);
            query->found_arrays.at[i] = array ? array_value_of(z3, model, array) : NULL;
            continue;
        }
        Z3_ast value = NULL;
        uint64_t number = query->start.at[i];
        if (Z3_model_eval(z3->context, model, byte(z3, var), false, &value)) numeral(z3, value, &number, 8);
        query->found.at[i] = (uint8_t)number;
    }
}

enum answer z3_solve(struct z3 *z3, struct query *query, const Term *conditions, uint32_t count,
                     bool want_model) {
    if (z3->generation != terms_generation(z3->terms) || z3->translated > LARGEST_CONTEXT) {
        Z3_del_context(z3->context);
        open_context(z3);
    }
    Z3_context c = z3->context;
    Z3_solver solver = Z3_mk_solver(c);
    Z3_solver_inc_ref(c, solver);
    z3->failed = false;
    for (uint32_t i = 0; i < count && !z3->failed; i++) {
        Z3_ast condition = translate(z3, conditions[i]);
        if (condition) Z3_solver_assert(c, solver, condition);
    }
    enum answer answer = ANSWER_UNKNOWN;
    if (!z3->failed && Z3_get_error_code(c) == Z3_OK) {
        Z3_lbool result = check_watched(z3, solver, query->deadline);
        answer = result == Z3_L_TRUE ? ANSWER_YES : result == Z3_L_FALSE ? ANSWER_NO : ANSWER_UNKNOWN;
    }
    if (answer == ANSWER_YES && want_model) {
        Z3_model model = Z3_solver_get_model(c, solver);
        Z3_model_inc_ref(c, model);
        take_model(z3, query, model);
        Z3_model_dec_ref(c, model);
        if (!query_holds(query)) answer = ANSWER_UNKNOWN; // Z3's model, or our reading of it, is no use
    }
    Z3_solver_dec_ref(c, solver);
    return answer;
}
