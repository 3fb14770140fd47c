// The scan layer against automata: tables of scanners with known reachable states.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/alloc.h"
#include "solver/solver.h"

#include <stdlib.h>
#include <string.h>

#define STATES  24u
#define CLASSES 5u
#define LENGTH  10u

struct automaton {
    uint8_t class_of[256], next[STATES * CLASSES];
};

struct fixture {
    struct terms *terms;
    struct solver *solver;
    uint32_t input;
    Term class_of, next;
};

static struct solver_options scan_alone(void) {
    struct solver_options options = solver_defaults;
#define LAYER(number, name, ...) options.name = false;
    LAYER_TABLE(LAYER)
#undef LAYER
    options.scan = true;
    return options;
}

static void open_it(struct fixture *f, const struct automaton *automaton,
                    const struct solver_options *options) {
    f->terms = terms_new();
    f->solver = solver_new(f->terms, options);
    f->input = terms_input(f->terms, "input", 16);
    f->class_of = term_array_bytes(f->terms, 32, 1, automaton->class_of, 256);
    f->next = term_array_bytes(f->terms, 32, 1, automaton->next, STATES * CLASSES);
}
static void close_it(struct fixture *f) {
    solver_free(f->solver);
    terms_free(f->terms);
}

static void make_automaton(struct automaton *automaton, unsigned seed) {
    srand(seed);
    for (unsigned i = 0; i < 256; i++) automaton->class_of[i] = (uint8_t)(rand() % 3 ? rand() % CLASSES : 0);
    for (unsigned i = 0; i < STATES * CLASSES; i++)
        automaton->next[i] = (uint8_t)(rand() % 4 ? rand() % STATES : i / CLASSES);
}

// Returns the state after byte i, given the state before.
static Term step(struct fixture *f, Term state, unsigned i) {
    struct terms *terms = f->terms;
    Term class = term_select(terms, f->class_of, term_zext(terms, term_byte(terms, f->input, i), 32));
    Term row = term_mul(terms, term_zext(terms, state, 32), term_const(terms, 32, CLASSES));
    return term_select(terms, f->next, term_add(terms, row, term_zext(terms, class, 32)));
}

// Queries every state after every prefix, with some states forbidden before; checks models by running the automaton.
static void walk(unsigned seed) {
    struct automaton automaton;
    struct fixture f;
    struct solver_options options = scan_alone();
    make_automaton(&automaton, seed);
    open_it(&f, &automaton, &options);
    struct path_condition path = {0};
    bool reachable[STATES] = {true};
    uint8_t forbidden[LENGTH];
    Term state = term_const(f.terms, 8, 0);
    for (unsigned i = 0; i < LENGTH; i++) {
        bool after[STATES] = {false};
        for (unsigned s = 0; s < STATES; s++)
            for (unsigned byte = 0; reachable[s] && byte < 256; byte++)
                after[automaton.next[s * CLASSES + automaton.class_of[byte]]] = true;
        state = step(&f, state, i);
        for (unsigned s = 0; s < STATES; s++) {
            struct model *model = NULL;
            Term there = term_eq(f.terms, state, term_const(f.terms, 8, s));
            assert_int_equal(solver_may_be_true(f.solver, &path, there, &model),
                             after[s] ? ANSWER_YES : ANSWER_NO);
            if (!after[s]) continue;
            unsigned now = 0;
            for (unsigned k = 0; k <= i; k++) {
                uint8_t byte = model_byte(model, terms_input_var(f.terms, f.input, k), 0);
                now = automaton.next[now * CLASSES + automaton.class_of[byte]];
                assert_true(k == i ? now == s : now != forbidden[k]);
            }
            model_release(model);
        }
        forbidden[i] = (uint8_t)(rand() % STATES);
        bool others = false;
        for (unsigned s = 0; s < STATES; s++) others |= after[s] && s != forbidden[i];
        if (!others) break;
        after[forbidden[i]] = false;
        path_add(f.solver, &path,
                 term_not(f.terms, term_eq(f.terms, state, term_const(f.terms, 8, forbidden[i]))), NULL);
        memcpy(reachable, after, sizeof after);
    }
    path_free(&path);
    close_it(&f);
}

static void test_automata(void **state) {
    for (unsigned seed = 1; seed <= 12; seed++) walk(seed);
}

// Too many prefix states, or terms that cannot be scanned: the layer gives no answer.
static void test_gives_up(void **state) {
    struct automaton automaton;
    struct fixture f;
    struct solver_options options = scan_alone();
    make_automaton(&automaton, 1);
    open_it(&f, &automaton, &options);
    struct path_condition path = {0};
    Term hash = term_const(f.terms, 64, 5381);
    for (unsigned i = 0; i < 8; i++)
        hash = term_add(f.terms, term_mul(f.terms, hash, term_const(f.terms, 64, 33)),
                        term_zext(f.terms, term_byte(f.terms, f.input, i), 64));
    uint64_t far = 5381; // a condition that needs another first byte, which is tried last
    for (unsigned i = 0; i < 8; i++) far = far * 33 + (i == 0 ? 200 : 0);
    Term found = term_eq(f.terms, hash, term_const(f.terms, 64, far));
    assert_int_equal(solver_may_be_true(f.solver, &path, found, NULL), ANSWER_UNKNOWN);
    Term sum = term_zext(f.terms, term_input_bits(f.terms, f.input, 0, 10), 90);
    Term wide = term_eq(f.terms, term_mul(f.terms, sum, sum), term_const(f.terms, 90, 49));
    assert_int_equal(solver_may_be_true(f.solver, &path, wide, NULL), ANSWER_UNKNOWN);
    assert_int_equal(solver_statistics(f.solver)->layers[LAYER_SCAN].asked, 2);
    path_free(&path);
    close_it(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_automata), cmocka_unit_test(test_gives_up)};
    return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
