// Z3 through its C API: the last layer, and the second opinion on refutations. Shares nothing with the
// blaster.
#include "solver/solver_int.h"

#include "solver/z3_terms.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// A context is thrown away when it has translated so many terms, or when ids of terms may have changed their
// meaning.
#define LARGEST_CONTEXT NORMAL_OR_HOSTILE(1000000u, 50u)

struct z3 {
    struct solver *solver;
    struct terms *terms;
    Z3_context context;
    struct z3_terms *translated;
};

static void ignore_error(Z3_context context, Z3_error_code code) {}

static void open_context(struct z3 *z3) {
    Z3_config config = Z3_mk_config();
    z3->context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(z3->context, ignore_error); // asked for where something can fail
    z3->translated = z3_terms_new(z3->terms, z3->context);
}

static void close_context(struct z3 *z3) {
    z3_terms_free(z3->translated);
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

// Stopping. Z3 has no callback for the deadline and the cancel flag, and where it is told to stop it may go on for minutes
// (in rewriting). So it works in a thread of its own, and this one watches: what does not end soon after it was told to is
// left behind with its context, and the answer is unknown.

#define LOOK_EVERY   5000000u               // nanoseconds
#define GRACE        ((uint64_t)1000000000) // after it was told to stop
#define MOST_LEFT    2                      // that still work: no further question then
#define THREAD_STACK ((size_t)32 << 20)     // Z3 is recursive

struct check {
    pthread_mutex_t mutex;
    pthread_cond_t over;
    bool done, left; // left: nobody waits any more
    Z3_context context;
    Z3_solver solver;
    Z3_lbool result;
};

static int left_behind; // checks that still work though nobody waits

static void check_free(struct check *check) {
    pthread_cond_destroy(&check->over);
    pthread_mutex_destroy(&check->mutex);
    DELETE(check);
}

static void *work(void *argument) {
    struct check *check = argument;
    Z3_lbool result = Z3_solver_check(check->context, check->solver);
    pthread_mutex_lock(&check->mutex);
    check->result = result;
    check->done = true;
    pthread_cond_signal(&check->over);
    if (check->left) __atomic_sub_fetch(&left_behind, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&check->mutex);
    return NULL;
}

// The library's own cleaning up would take away what a check that was left behind still works on.
static void leave_at_once(int status, void *unused) {
    (void)unused;
    if (!__atomic_load_n(&left_behind, __ATOMIC_SEQ_CST)) return;
    fflush(NULL);
    _exit(status);
}

static bool start_work(struct check *check) {
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, THREAD_STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before); // signals are for the threads that were there before
    bool good = pthread_create(&thread, &attributes, work, check) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return good;
}

// Until it is done; false: it has to be left behind. The mutex is held before and after.
static bool wait_for(struct check *check, uint64_t deadline, const volatile int *cancel) {
    uint64_t told = 0;
    while (!check->done) {
        uint64_t now = sat_now();
        if (*cancel || (deadline && now >= deadline)) {
            if (told && now - told >= GRACE) return false;
            if (!told) told = now;
            Z3_interrupt(check->context);
        }
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_EVERY;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&check->over, &check->mutex, &until);
    }
    return true;
}

// `left`: set when the context is lost to a check that does not end.
static Z3_lbool check_watched(struct z3 *z3, Z3_solver solver, uint64_t deadline, bool *left) {
    static bool prepared;
    *left = false;
    if (__atomic_load_n(&left_behind, __ATOMIC_SEQ_CST) >= MOST_LEFT) return Z3_L_UNDEF;
    struct check *check = NEW(struct check);
    check->context = z3->context;
    check->solver = solver;
    check->result = Z3_L_UNDEF;
    pthread_mutex_init(&check->mutex, NULL);
    pthread_cond_init(&check->over, NULL);
    pthread_mutex_lock(&check->mutex);
    *left = start_work(check) && !wait_for(check, deadline, &z3->solver->cancel);
    Z3_lbool result = check->result;
    if (*left) {
        check->left = true;
        __atomic_add_fetch(&left_behind, 1, __ATOMIC_SEQ_CST);
        if (!prepared) prepared = on_exit(leave_at_once, NULL) == 0;
    }
    pthread_mutex_unlock(&check->mutex);
    if (!*left) check_free(check);
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

static void take_model(struct z3 *z3, struct query *query, Z3_model model) {
    for (uint32_t i = 0; i < query->vars.count; i++) {
        uint32_t var = query->vars.at[i];
        if (terms_var_is_array(z3->terms, var)) {
            Z3_ast array = z3_terms_array(z3->translated, var);
            array_release(query->found_arrays.at[i]);
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
    if (!z3_terms_current(z3->translated) || z3_terms_count(z3->translated) > LARGEST_CONTEXT) {
        close_context(z3);
        open_context(z3);
    }
    Z3_context c = z3->context;
    Z3_solver solver = Z3_mk_solver(c);
    Z3_solver_inc_ref(c, solver);
    bool translated = true;
    for (uint32_t i = 0; i < count && translated; i++) {
        Z3_ast condition = z3_terms_truth(z3->translated, conditions[i]);
        translated = condition != NULL;
        if (condition) Z3_solver_assert(c, solver, condition);
    }
    enum answer answer = ANSWER_UNKNOWN;
    if (translated && Z3_get_error_code(c) == Z3_OK) {
        bool left;
        Z3_lbool result = check_watched(z3, solver, query->deadline, &left);
        if (left) { // so are the context, its terms and the solver: nobody but that check may touch them
            open_context(z3);
            return ANSWER_UNKNOWN;
        }
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
