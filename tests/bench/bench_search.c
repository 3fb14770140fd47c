// Measures the cost of a pick among 100,000 states, for every strategy, in processor time. After each pick the state
// forks, and now and then a state ends, as in a run. The limit is 5 microseconds, amortised.
#include "../unit/search/traces.h"
#include "base/random.h"
#include "base/vec.h"

#include <stdio.h>
#include <time.h>

#define STATES 100000u
#define PICKS  200000u
#define LIMIT  5.0

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

// A state runs, forks, and as many end as are made: the number of states stays.
static double measure(const char *expression) {
    struct search_error error;
    struct search_options options = {.expression = expression, .random_seed = 1};
    struct search *search = search_new(&options, &error);
    struct random random = {7};
    vec(struct state *) states = {0};
    for (uint32_t i = 0; i < STATES; i++) {
        struct state *state = NEW(struct state);
        struct state *parent = i ? states.at[random_below(&random, i)] : NULL;
        state->number = i;
        if (parent) state->fork.depth = ++parent->fork.depth;
        vec_push(&states, state);
        search_add(search, state, parent);
    }
    double start = now();
    for (uint32_t i = 0; i < PICKS; i++) {
        struct state *state = search_pick(search), *child = states.at[random_below(&random, STATES)];
        struct search_step step = {.state = state, .instructions = 100, .forked = 1, .fresh = i % 100 == 0};
        if (child != state) { // an old one ends, and comes back as the state that was forked
            search_remove(search, child);
            child->number = STATES + i;
            child->fork.depth = ++state->fork.depth;
            search_add(search, child, state);
        }
        search_note(search, &step);
    }
    double each = (now() - start) / PICKS * 1e6;
    for (uint32_t i = 0; i < STATES; i++) search_remove(search, states.at[i]);
    search_free(search);
    vec_each (struct state *, state, &states) DELETE(*state);
    vec_free(&states);
    return each;
}

int main(void) {
    const char *expression;
    int status = 0;
    printf("A choice among %u states, with a fork and an end after each; limit %.0f microseconds\n", STATES,
           LIMIT);
    for (uint32_t i = 0; (expression = sample_expression(i)); i++) {
        double each = measure(expression);
        printf("%-24s %6.2f microseconds\n", expression, each);
        if (each > LIMIT) status = 1;
    }
    if (status) printf("missed\n");
    return status;
}
