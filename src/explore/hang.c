// --check hang: paths that never end. A path that adds no condition and covers nothing new is watched. If
// it returns to an earlier state, it loops forever, which is reported. A path that executes HANG_LIMIT
// instructions without progress is reported as well.
#include "explore/explore_int.h"

#include "state/repeats.h"

#define WATCH_FROM   (uint64_t)1000000   // instructions without progress before states are compared
#define COMPARE_MOST (uint64_t)4000000   // up to this number of them states are compared often
#define HANG_LIMIT   (uint64_t)100000000 // from this number on the path counts as a hang
#define SHORT_STEP   997                 // instructions between two comparisons

struct hang_watch {
    uint64_t state;      // number of the state
    uint64_t quiet;      // instructions since its last progress
    uint32_t conditions; // number of conditions of its path at its last progress
    struct state *mark;  // an earlier state of the path; NULL: none yet
    uint64_t lap, power; // comparisons with the mark; comparisons until the next mark (Brent)
};

static struct hang_watch *watch_of(struct explore *explore, uint64_t number) {
    vec_each (struct hang_watch, watch, &explore->hangs)
        if (watch->state == number) return watch;
    return NULL;
}

static void unwatch(struct explore *explore, struct hang_watch *watch) {
    if (watch->mark) vm_free_state(explore->vm, watch->mark);
    *watch = *vec_last(&explore->hangs);
    vec_pop(&explore->hangs);
}

void hang_forget(struct explore *explore, const struct state *state) {
    struct hang_watch *watch = watch_of(explore, state->number);
    if (watch) unwatch(explore, watch);
}

void hang_close(struct explore *explore) {
    while (explore->hangs.count) unwatch(explore, vec_last(&explore->hangs));
    vec_free(&explore->hangs);
}

uint64_t hang_budget(struct explore *explore, const struct state *state, uint64_t budget) {
    const struct hang_watch *watch = explore->hangs.count ? watch_of(explore, state->number) : NULL;
    bool often = watch && watch->quiet >= WATCH_FROM && watch->quiet < COMPARE_MOST;
    return often ? MIN(budget, SHORT_STEP) : budget;
}

// Whether the path has been in this state before. Marks are set at growing distances (Brent's algorithm), so that a
// cycle of any length is found.
static bool repeats(struct explore *explore, struct hang_watch *watch, struct state *state) {
    if (watch->mark && state_repeats(watch->mark, state)) return true;
    if (watch->mark && ++watch->lap < watch->power) return false;
    if (watch->mark) vm_free_state(explore->vm, watch->mark);
    watch->mark = vm_fork(explore->vm, state);
    watch->power = watch->power ? 2 * watch->power : 1;
    watch->lap = 0;
    return false;
}

bool hang_found(struct explore *explore, struct state *state, uint64_t instructions, uint32_t fresh) {
    struct hang_watch *watch = watch_of(explore, state->number);
    uint32_t conditions = state->path ? state->path->conditions : 0;
    if (state->speculation.is_on || state->waiting.condition) return false;
    if (watch && (fresh || conditions != watch->conditions)) {
        unwatch(explore, watch);
        return false;
    }
    if (!watch) {
        if (fresh) return false;
        vec_push(&explore->hangs, ((struct hang_watch){.state = state->number, .conditions = conditions}));
        watch = vec_last(&explore->hangs);
    }
    watch->quiet += instructions;
    if (watch->quiet < WATCH_FROM) return false;
    bool again = repeats(explore, watch, state);
    if (!again && watch->quiet < HANG_LIMIT) return false;
    vm_report_hang(explore->vm, state, again ? 0 : watch->quiet);
    return true;
}
