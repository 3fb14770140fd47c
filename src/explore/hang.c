// --check hang: paths that never end. A path that adds no condition and covers nothing new is watched. If
// it returns to an earlier state, it loops forever, which is reported. A path that executes HANG_LIMIT
// instructions without progress is reported as well.
#include "explore/hang.h"

#include "explore/explore_int.h"
#include "state/repeats.h"

#define WATCH_FROM   (uint64_t)1000000   // instructions without progress before states are compared
#define COMPARE_MOST (uint64_t)4000000   // up to this number of them states are compared often
#define HANG_LIMIT   (uint64_t)100000000 // from this number on the path counts as a hang
#define SHORT_STEP   997                 // instructions between two comparisons

struct watched_path {
    uint64_t state; // number of the state
    struct hang_watch watch;
};

// ---- one path

uint64_t hang_watch_budget(const struct hang_watch *watch, uint64_t budget) {
    bool often = watch->quiet >= WATCH_FROM && watch->quiet < COMPARE_MOST;
    return often ? MIN(budget, SHORT_STEP) : budget;
}

void hang_watch_clear(struct hang_watch *watch, struct vm *vm) {
    if (watch->mark) vm_free_state(vm, watch->mark);
    *watch = (struct hang_watch){0};
}

// Whether the path has been in this state before. Marks are set at growing distances (Brent's algorithm), so that a
// cycle of any length is found.
static bool repeats(struct hang_watch *watch, struct vm *vm, struct state *state) {
    if (watch->mark && state_repeats(watch->mark, state)) return true;
    if (watch->mark && ++watch->lap < watch->power) return false;
    if (watch->mark) vm_free_state(vm, watch->mark);
    watch->mark = vm_fork(vm, state);
    watch->power = watch->power ? 2 * watch->power : 1;
    watch->lap = 0;
    return false;
}

bool hang_watch_step(struct hang_watch *watch, struct vm *vm, struct state *state, uint64_t instructions) {
    watch->quiet += instructions;
    if (watch->quiet < WATCH_FROM) return false;
    bool again = repeats(watch, vm, state);
    if (!again && watch->quiet < HANG_LIMIT) return false;
    vm_report_hang(vm, state, again ? 0 : watch->quiet);
    return true;
}

// ---- the paths of a run

static struct watched_path *watch_of(struct explore *explore, uint64_t number) {
    vec_each (struct watched_path, path, &explore->hangs)
        if (path->state == number) return path;
    return NULL;
}

static void unwatch(struct explore *explore, struct watched_path *path) {
    hang_watch_clear(&path->watch, explore->vm);
    *path = *vec_last(&explore->hangs);
    vec_pop(&explore->hangs);
}

void hang_forget(struct explore *explore, const struct state *state) {
    struct watched_path *path = watch_of(explore, state->number);
    if (path) unwatch(explore, path);
}

void hang_close(struct explore *explore) {
    while (explore->hangs.count) unwatch(explore, vec_last(&explore->hangs));
    vec_free(&explore->hangs);
}

uint64_t hang_budget(struct explore *explore, const struct state *state, uint64_t budget) {
    const struct watched_path *path = explore->hangs.count ? watch_of(explore, state->number) : NULL;
    return path ? hang_watch_budget(&path->watch, budget) : budget;
}

bool hang_found(struct explore *explore, struct state *state, uint64_t instructions, uint32_t fresh) {
    struct watched_path *path = watch_of(explore, state->number);
    uint32_t conditions = state->path ? state->path->conditions : 0;
    if (state->speculation.is_on || state->waiting.condition) return false;
    if (path && (fresh || conditions != path->watch.conditions)) {
        unwatch(explore, path);
        return false;
    }
    if (!path) {
        if (fresh) return false;
        vec_push(&explore->hangs,
                 ((struct watched_path){.state = state->number, .watch = {.conditions = conditions}}));
        path = vec_last(&explore->hangs);
    }
    return hang_watch_step(&path->watch, explore->vm, state, instructions);
}
