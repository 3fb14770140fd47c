// Z3 through its C API: the last layer, and the check of refutations. Shares no code with the blaster.
#include "solver/solver_int.h"

#include "base/clock.h"
#include "solver/z3_terms.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// A context is replaced when it has translated this many terms, or when ids of terms may have changed their meaning.
#define LARGEST_CONTEXT NORMAL_OR_HOSTILE(1000000u, 50u)

struct z3 {
    struct solver *solver;
    struct terms *terms;
    Z3_context context;
    Z3_params params;
    struct z3_terms *translated;
    bool is_spoilt; // memory ran out within Z3: the context is replaced before the next query
};

static void ignore_error(Z3_context context, Z3_error_code code) {}

static void open_context(struct z3 *z3) {
    Z3_config config = Z3_mk_config();
    z3->context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(z3->context, ignore_error); // errors are checked where they can occur
    z3->translated = z3_terms_new(z3->terms, z3->context);
    // Without this setting Z3 would handle Ctrl-C while it solves: the query would end, and the run would continue.
    z3->params = Z3_mk_params(z3->context);
    Z3_params_inc_ref(z3->context, z3->params);
    Z3_params_set_bool(z3->context, z3->params, Z3_mk_string_symbol(z3->context, "ctrl_c"), false);
}

static void close_context(struct z3 *z3) {
    z3_terms_free(z3->translated);
    Z3_params_dec_ref(z3->context, z3->params);
    Z3_del_context(z3->context);
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
    close_context(z3);
    DELETE(z3);
}

// Stopping: a thread checks the deadline and the limits of the run, since Z3 has no callback for them.

struct z3_watch {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t over;
    bool done;
    Z3_context context;
    uint64_t deadline;
};

static void *keep_watch(void *argument) {
    struct z3_watch *watch = argument;
    pthread_mutex_lock(&watch->mutex);
    while (!watch->done) {
        uint64_t now = clock_nanoseconds();
        if (limits_over() || (watch->deadline && now >= watch->deadline)) Z3_interrupt(watch->context);
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 5000000;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&watch->over, &watch->mutex, &until);
    }
    pthread_mutex_unlock(&watch->mutex);
    return NULL;
}

// Some steps of Z3 (the bit-blasting of very wide operands) take hundreds of megabytes between two looks at an
// interruption. So an allocation within Z3 fails where the run would exceed its memory limit by more than this share.
#define BEYOND 16u

static void limit_memory(bool limited) {
    if (!limits_memory()) return;
    char megabytes[32];
    uint64_t most = limits_memory() + limits_memory() / BEYOND, taken = limits_resident();
    uint64_t left = (most > taken ? most - taken : 0) + Z3_get_estimated_alloc_size();
    snprintf(megabytes, sizeof megabytes, "%u", limited ? (unsigned)(left >> 20) + 1 : 0u); // 0: no limit
    Z3_global_param_set("memory_max_size", megabytes);
}

static Z3_lbool check_watched(struct z3 *z3, Z3_solver solver, uint64_t deadline) {
    struct z3_watch watch = {.context = z3->context, .deadline = deadline};
    pthread_mutex_init(&watch.mutex, NULL);
    pthread_cond_init(&watch.over, NULL);
    bool watched = pthread_create(&watch.thread, NULL, keep_watch, &watch) == 0;
    limit_memory(true);
    Z3_lbool result = watched ? Z3_solver_check(z3->context, solver) : Z3_L_UNDEF;
    limit_memory(false);
    z3->is_spoilt = result == Z3_L_UNDEF && limits_is_near();
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

// Reads stores over a constant array, or a function. Outer stores win: they are applied last.
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

static void take_model(struct z3 *z3, struct query *query, Z3_model model) {
    for (uint32_t i = 0; i < query->vars.count; i++) {
        uint32_t var = query->vars.at[i];
        if (terms_var_is_array(z3->terms, var)) {
            assert(query->has_arrays);
            Z3_ast array = z3_terms_array(z3->translated, var);
            model_array_release(query->found_arrays.at[i]);
            query->found_arrays.at[i] = array ? array_value_of(z3, model, array) : NULL;
            continue;
        }
        Z3_ast value = NULL;
        uint64_t number = query->start.at[i];
        if (Z3_model_eval(z3->context, model, z3_terms_byte(z3->translated, var), false, &value))
            numeral(z3, value, &number, 8);
        query->found.at[i] = (uint8_t)number;
    }
}

enum answer z3_solve(struct z3 *z3, struct query *query, const Term *conditions, uint32_t count,
                     bool want_model) {
    if (query->deadline && clock_nanoseconds() >= query->deadline) return ANSWER_UNKNOWN;
    bool is_full = z3_terms_count(z3->translated) > LARGEST_CONTEXT;
    if (!z3_terms_current(z3->translated) || is_full || z3->is_spoilt) {
        close_context(z3);
        open_context(z3);
        z3->is_spoilt = false;
    }
    assert(query->solver->busy && count > 0);
    Z3_context c = z3->context;
    Z3_solver solver = Z3_mk_solver(c);
    Z3_solver_inc_ref(c, solver);
    Z3_solver_set_params(c, solver, z3->params);
    bool translated = true;
    for (uint32_t i = 0; i < count && translated; i++) {
        Z3_ast condition = z3_terms_truth(z3->translated, conditions[i]);
        translated = condition != NULL;
        if (condition) Z3_solver_assert(c, solver, condition);
    }
    enum answer answer = ANSWER_UNKNOWN;
    if (translated && Z3_get_error_code(c) == Z3_OK) {
        Z3_lbool result = check_watched(z3, solver, query->deadline);
        answer = result == Z3_L_TRUE ? ANSWER_YES : result == Z3_L_FALSE ? ANSWER_NO : ANSWER_UNKNOWN;
    }
    if (answer == ANSWER_YES && want_model) {
        Z3_model model = Z3_solver_get_model(c, solver);
        Z3_model_inc_ref(c, model);
        take_model(z3, query, model);
        Z3_model_dec_ref(c, model);
        if (!query_holds(query)) answer = ANSWER_UNKNOWN; // Z3's model, or its translation, is wrong
    }
    Z3_solver_dec_ref(c, solver);
    return answer;
}
