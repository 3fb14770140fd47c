// Pending states: checked when they are picked, and when memory runs out.
#include "explore/explore_int.h"

#include "base/error.h"

bool revive(struct explore *explore, struct state *state) {
    uint64_t before = solver_statistics(explore->solver)->nanoseconds;
    struct search_step step = {.state = state, .revived = true};
    explore->running = state;
    enum vm_revival revival = vm_revive(explore->vm, state);
    explore->running = NULL;
    switch (revival) {
    case REVIVAL_POSSIBLE:
        explore->result.revived += !state->trial;
        search_note(explore->search, &step);
        return true;
    case REVIVAL_IMPOSSIBLE:
        explore->result.infeasible += !state->trial;
        explore->result.infeasible_seconds +=
            (double)(solver_statistics(explore->solver)->nanoseconds - before) * 1e-9;
        break;
    case REVIVAL_LATER: return true; // the run is over
    case REVIVAL_UNKNOWN: explore->result.incomplete += !state->trial; break;
    }
    drop_state(explore, state);
    return false;
}

// Pending states are checked, and the infeasible ones go; when only as many are left as have to go, checking them cannot
// help any more, and any states go.
static void free_states(struct explore *explore, uint64_t wanted) {
    while (wanted && search_pending_count(explore->search) > wanted && !at_limit(explore))
        if (!revive(explore, search_pending_victim(explore->search))) wanted--;
    if (wanted && !explore->result.killed)
        warning("--max-memory is reached: states are dropped, so not every path will be explored");
    for (; wanted && search_count(explore->search) > 1; wanted--) {
        struct state *victim = search_victim(explore->search);
        explore->result.killed += !victim->trial;
        drop_state(explore, victim);
    }
}

void relieve_memory(struct explore *explore) {
    if (!explore->options.max_memory) return;
    while (mem_in_use() + terms_memory(explore->terms) > explore->options.max_memory &&
           search_count(explore->search) > 1) {
        vm_collect(explore->vm);
        free_states(explore, search_count(explore->search) / 10 + 1);
    }
}
