// Pending states: checked when they are picked, or when memory runs out (memory_limit.c).
#include "explore/explore_int.h"

enum vm_revival explore_check_pending(struct explore *explore, struct state *state) {
    struct explore_result *result = &explore->result;
    uint64_t before = solver_statistics(explore->solver)->nanoseconds;
    assert(state->waiting.condition && !explore->running);
    explore->running = state;
    enum vm_revival revival = explore_try_revive(explore, state);
    explore->running = NULL;
    assert((revival == REVIVAL_POSSIBLE) == !state->waiting.condition);
    if (revival == REVIVAL_IMPOSSIBLE)
        result->infeasible_seconds +=
            (double)(solver_statistics(explore->solver)->nanoseconds - before) * 1e-9;
    if (state->speculation.is_on) return revival;
    result->counts.revived += revival == REVIVAL_POSSIBLE;
    result->counts.infeasible += revival == REVIVAL_IMPOSSIBLE;
    result->counts.incomplete += revival == REVIVAL_UNKNOWN;
    return revival;
}

bool explore_revive(struct explore *explore, struct state *state) {
    struct search_step step = {.state = state, .revived = true};
    switch (explore_check_pending(explore, state)) {
    case REVIVAL_POSSIBLE: search_note(explore->search, &step); return true;
    case REVIVAL_LATER: return true; // the run is over
    case REVIVAL_HARD: hard_add(explore, state); return false;
    default: explore_drop_state(explore, state); return false;
    }
}
