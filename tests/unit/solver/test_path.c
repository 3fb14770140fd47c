// Growing path conditions: lists with shared prefixes against plain arrays, sets of inputs, random path conditions
// against a list of their conditions, and the cost of a long path.
#include "../check.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "solver/rope.h"
#include "solver/solver.h"

#include <sys/wait.h>
#include <unistd.h>

// ---- lists

#define ROPES 12

struct plain {
    Term at[4000];
    uint32_t count;
};

static void expect_equal(struct rope rope, const struct plain *plain) {
    term_list list = {0};
    rope_list(rope, &list);
    assert_int_equal(rope_count(rope), plain->count);
    assert_int_equal(list.count, plain->count);
    for (uint32_t i = 0; i < plain->count; i++) assert_int_equal(list.at[i], plain->at[i]);
    if (plain->count) assert_int_equal(rope_last(rope), plain->at[plain->count - 1]);
    vec_free(&list);
}

static void ropes(void **state) {
    struct random random = {7};
    struct rope_chunks chunks = {0};
    struct rope ropes[ROPES] = {0};
    struct plain *plain = NEW_ARRAY(struct plain, ROPES);
    size_t before = mem_in_use();
    for (uint32_t step = 0; step < 20000; step++) {
        uint32_t i = (uint32_t)random_below(&random, ROPES), k = (uint32_t)random_below(&random, ROPES);
        switch (random_below(&random, 20)) {
        case 0: // a copy, or nothing
            rope_free(&chunks, &ropes[i]);
            plain[i].count = 0;
            if (i == k) break;
            ropes[i] = rope_copy(ropes[k]);
            plain[i] = plain[k];
            break;
        case 1:
            if (i == k || plain[i].count + plain[k].count > 2000) break;
            ropes[i] = rope_join(&chunks, ropes[i], rope_copy(ropes[k]));
            memcpy(plain[i].at + plain[i].count, plain[k].at, plain[k].count * sizeof(Term));
            plain[i].count += plain[k].count;
            break;
        default:
            if (plain[i].count == COUNT(plain[i].at)) break;
            rope_add(&chunks, &ropes[i], step);
            plain[i].at[plain[i].count++] = step;
            break;
        }
        if (step % 64 == 0) expect_equal(ropes[i], &plain[i]);
    }
    for (uint32_t i = 0; i < ROPES; i++) expect_equal(ropes[i], &plain[i]);
    for (uint32_t i = 0; i < ROPES; i++) rope_free(&chunks, &ropes[i]);
    assert_null(chunks.first);
    assert_int_equal(mem_in_use(), before);
    DELETE_ARRAY(plain, ROPES);
}

// ---- sets of inputs

#define VARS 700u

static VarSet some_vars(struct terms *terms, struct random *random, bool *has) {
    VarSet set = 0;
    uint32_t first = (uint32_t)random_below(random, VARS), stride = 1 + (uint32_t)random_below(random, 90);
    memset(has, 0, VARS);
    for (uint32_t i = first; i < VARS; i += stride) {
        has[i] = true;
        set = varset_union(terms, set, varset_single(terms, i));
    }
    return set;
}

static void differences(void **state) {
    struct terms *terms = terms_new();
    struct random random = {3};
    terms_input(terms, "input", VARS);
    bool a[VARS], b[VARS];
    for (unsigned round = 0; round < 3000; round++) {
        VarSet x = some_vars(terms, &random, a), y = some_vars(terms, &random, b), expected = 0;
        for (uint32_t i = 0; i < VARS; i++)
            if (a[i] && !b[i]) expected = varset_union(terms, expected, varset_single(terms, i));
        assert_int_equal(varset_minus(terms, x, y), expected);
    }
    terms_free(terms);
}

// ---- path conditions

struct paths {
    struct terms *terms;
    struct solver *solver;
    uint32_t input;
};

static void open_paths(struct paths *p, uint32_t size) {
    p->terms = terms_new();
    p->solver = solver_new(p->terms, &solver_defaults);
    p->input = terms_input(p->terms, "input", size);
}

static void close_paths(struct paths *p) {
    solver_free(p->solver);
    terms_free(p->terms);
}

struct sum {
    uint64_t total;
    uint32_t count;
};

static void add_condition(void *context, Term condition) {
    struct sum *sum = context;
    sum->total += (uint64_t)condition * condition;
    sum->count++;
}

// A random condition over one or two of the bytes.
static Term some_condition(struct paths *p, struct random *random, uint32_t bytes) {
    Term a = term_byte(p->terms, p->input, (uint32_t)random_below(random, bytes));
    Term b = random_below(random, 3) ? term_const(p->terms, 8, random_below(random, 256))
                                     : term_byte(p->terms, p->input, (uint32_t)random_below(random, bytes));
    Term condition = random_below(random, 2) ? term_ult(p->terms, a, b) : term_eq(p->terms, a, b);
    return random_below(random, 2) ? condition : term_not(p->terms, condition);
}

// After any forks and additions the assignment satisfies every condition, and a copy keeps its own conditions.
static void random_paths(void **state) {
    enum { BYTES = 6, PATHS = 8 };
    struct paths p;
    struct random random = {11};
    open_paths(&p, BYTES);
    struct path_condition paths[PATHS] = {0};
    term_list added[PATHS] = {0};
    for (unsigned step = 0; step < 6000; step++) {
        uint32_t i = (uint32_t)random_below(&random, PATHS), k = (uint32_t)random_below(&random, PATHS);
        if (i != k && random_below(&random, 12) == 0) {
            path_free(&paths[i]);
            paths[i] = path_copy(&paths[k]);
            vec_clear(&added[i]);
            vec_each (Term, condition, &added[k]) vec_push(&added[i], *condition);
        }
        Term condition = some_condition(&p, &random, BYTES);
        struct model *model;
        if (term_is_const(p.terms, condition)) continue;
        if (solver_may_be_true(p.solver, &paths[i], condition, &model) == ANSWER_YES) {
            path_add(p.solver, &paths[i], condition, model);
            vec_push(&added[i], condition);
        }
        model_release(model);
        assert_int_equal(paths[i].without_model, 0);
        vec_each (Term, one, &added[i]) assert_true(solver_evaluate(p.solver, &paths[i], *one));
        if (added[i].count < 12) continue;
        path_free(&paths[i]); // starts with an empty path
        vec_clear(&added[i]);
    }
    for (unsigned i = 0; i < PATHS; i++) {
        path_free(&paths[i]);
        vec_free(&added[i]);
    }
    close_paths(&p);
}

// Follows a path of `count` branches over one hash of eight bytes, and keeps a copy at each. Returns the work of the
// solver.
static uint64_t follow(uint32_t count, size_t *memory) {
    struct paths p;
    open_paths(&p, 8);
    struct terms *terms = p.terms;
    struct path_condition path = {0}, *copies = NEW_ARRAY(struct path_condition, count);
    for (uint32_t i = 0; i < 8; i++)
        path_set_default(&path, terms_input_var(terms, p.input, i), (uint8_t)(7 * i + 1));
    Term hash = term_const(terms, 32, 5381);
    size_t before = mem_in_use();
    for (uint32_t i = 0; i < count; i++) {
        hash = term_add(terms, term_mul(terms, hash, term_const(terms, 32, 33)),
                        term_zext(terms, term_byte(terms, p.input, i % 8), 32));
        Term condition = term_extract(terms, hash, 7, 1);
        if (!solver_evaluate(p.solver, &path, condition)) condition = term_not(terms, condition);
        copies[i] = path_copy(&path);
        path_add(p.solver, &path, condition, NULL);
    }
    struct sum sum = {0};
    path_each(&path, add_condition, &sum);
    assert_true(sum.count > count / 2); // some conditions are about one byte, and implied
    *memory = mem_in_use() - before;
    uint64_t work = solver_work(p.solver);
    for (uint32_t i = 0; i < count; i++) path_free(&copies[i]);
    path_free(&path);
    DELETE_ARRAY(copies, count);
    close_paths(&p);
    return work;
}

// Work and memory grow linearly with the number of branches: exponent below 1.15.
static void long_paths(void **state) {
    size_t small, large;
    uint64_t less = follow(1000, &small), more = follow(4000, &large);
    assert_true(more < 5 * less);
    assert_true(large < 5 * small);
    assert_true(large < (size_t)4000 * 1024);
}

// ---- wrong models

// Adds a condition with a model in another process; returns its exit status.
static int status_of_adding(struct paths *p, Term condition, uint32_t var, uint8_t value) {
    struct path_condition path = {0};
    struct model model = {.count = 1, .vars = &var, .values = &value};
    int status;
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        path_add(p->solver, &path, condition, &model);
        _exit(path.without_model ? 1 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

// A model that does not satisfy its condition ends the process: for one byte (byte.c), and for several (path.c).
static void wrong_models(void **state) {
    struct paths p;
    open_paths(&p, 2);
    Term a = term_byte(p.terms, p.input, 0), b = term_byte(p.terms, p.input, 1);
    uint32_t var = term_single_var(p.terms, term_eq(p.terms, a, term_const(p.terms, 8, 1)));
    Term one = term_eq(p.terms, a, term_const(p.terms, 8, 65)), both = term_ult(p.terms, b, a);
    assert_int_equal(status_of_adding(&p, one, var, 65), 0);
    assert_int_equal(status_of_adding(&p, one, var, 66), EXIT_INTERNAL);
    assert_int_equal(status_of_adding(&p, both, var, 1), 0);
    assert_int_equal(status_of_adding(&p, both, var, 0), EXIT_INTERNAL); // the current assignment
    assert_int_equal(status_of_adding(&p, term_and(p.terms, both, one), var, 7), EXIT_INTERNAL);
    close_paths(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ropes), cmocka_unit_test(differences),
                                       cmocka_unit_test(random_paths), cmocka_unit_test(long_paths),
                                       cmocka_unit_test(wrong_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
