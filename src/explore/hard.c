// Hard states: pending states whose condition the solver did not decide with a small budget (REVIVAL_HARD). They wait
// here, outside of the search, in order of arrival. Each attempt gets a larger budget. Together they get 1/HARD_SHARE
// of the run's cost, and all of it when no other state is left.
#include "explore/explore_int.h"

#define HARD_SHARE   4u // hard states get 1/HARD_SHARE of the cost
#define MOST_GUESSES 4u // most inputs tried for one edge

bool explore_is_hard(const struct state *state) { return state->waiting.condition && state->waiting.effort; }

// Adds a guessed input as a late seed, if the state would take an edge that is not covered: the input may take that
// edge from the program's entry. Its forks are kept only if they cover new code, as for any late seed.
static void try_guess(struct explore *explore, const struct state *state) {
    struct path_condition seed;
    uint32_t edge = state->waiting.edge;
    if (!edge || vm_edges_seen(explore->vm)[edge - 1]) return;
    uint64_t *guesses = map_put(&explore->hard.guesses, edge);
    if (*guesses == MOST_GUESSES || !vm_guess(explore->vm, state, &seed)) return;
    ++*guesses;
    seeds_add_guess(explore, &seed, state->start.environment);
}

void hard_add(struct explore *explore, struct state *state) {
    assert(explore_is_hard(state) && !state->speculation.is_on);
    search_remove(explore->search, state);
    vec_push(&explore->hard.states, state);
    try_guess(explore, state);
}

static uint64_t work_of(const struct explore *explore) {
    return explore->result.counts.instructions + solver_work(explore->solver);
}

struct state *hard_next(struct explore *explore) {
    struct hard *hard = &explore->hard;
    assert(hard->first <= hard->states.count);
    if (hard->first == hard->states.count) return NULL;
    bool due = hard->work <= work_of(explore) / HARD_SHARE;
    return due || !search_count(explore->search) ? hard->states.at[hard->first] : NULL;
}

static void compact(struct hard *hard) {
    if (2 * hard->first < hard->states.count) return;
    uint32_t left = hard->states.count - hard->first;
    for (uint32_t i = 0; i < left; i++) hard->states.at[i] = hard->states.at[hard->first + i];
    hard->states.count = left;
    hard->first = 0;
}

void hard_remove(struct explore *explore, const struct state *state) {
    struct hard *hard = &explore->hard;
    uint32_t at = hard->first;
    while (at < hard->states.count && hard->states.at[at] != state) at++;
    assert(at < hard->states.count);
    for (; at > hard->first; at--) hard->states.at[at] = hard->states.at[at - 1];
    hard->first++;
    compact(hard);
}

void hard_check(struct explore *explore, struct state *state) {
    uint64_t before = solver_work(explore->solver);
    enum vm_revival revival = explore_check_pending(explore, state);
    explore->hard.work += solver_work(explore->solver) - before;
    switch (revival) {
    case REVIVAL_LATER: return; // the run is over
    case REVIVAL_HARD:
        hard_remove(explore, state);
        vec_push(&explore->hard.states, state);
        return;
    case REVIVAL_POSSIBLE:
        hard_remove(explore, state);
        search_add(explore->search, state, NULL);
        return;
    default: explore_drop_state(explore, state); return;
    }
}

void hard_free(struct explore *explore) {
    while (explore->hard.first < explore->hard.states.count)
        explore_drop_state(explore, explore->hard.states.at[explore->hard.first]);
    vec_free(&explore->hard.states);
    map_free(&explore->hard.guesses);
}
