// Pending states: checked when they are picked, and when memory runs out (room.c).
#include "explore/explore_int.h"

bool revive(struct explore *explore, struct state *state) {
    uint64_t before = solver_statistics(explore->solver)->nanoseconds;
    struct search_step step = {.state = state, .revived = true};
    assert(state->waiting.condition && !explore->running);
    explore->running = state;
    enum vm_revival revival = revive_state(explore, state);
    explore->running = NULL;
    assert((revival == REVIVAL_POSSIBLE) == !state->waiting.condition);
    switch (revival) {
    case REVIVAL_POSSIBLE:
        explore->result.counts.revived += !state->speculation.is_on;
        search_note(explore->search, &step);
        return true;
    case REVIVAL_IMPOSSIBLE:
        explore->result.counts.infeasible += !state->speculation.is_on;
        explore->result.infeasible_seconds +=
            (double)(solver_statistics(explore->solver)->nanoseconds - before) * 1e-9;
        break;
    case REVIVAL_LATER: return true; // the run is over
    case REVIVAL_HARD: hard_add(explore, state); return false;
    case REVIVAL_UNKNOWN: explore->result.counts.incomplete += !state->speculation.is_on; break;
    }
    drop_state(explore, state);
    return false;
}
