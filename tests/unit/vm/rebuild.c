#include "rebuild.h"

#include "base/alloc.h"
#include "state_equal.h"

#include <string.h>

#define ENOUGH 100000u

struct decisions {
    uint32_t *at, count;
};

static struct decisions decisions_of(struct shared_list list) {
    struct decisions decisions = {.count = shared_list_count(list)};
    decisions.at = NEW_ARRAY(uint32_t, decisions.count);
    shared_list_copy(list, decisions.at);
    return decisions;
}

static void decisions_free(struct decisions *decisions) { DELETE_ARRAY(decisions->at, decisions->count); }

// Gives `to` the model of `from`.
static void copy_model(struct terms *terms, struct solver *solver, const struct state *from,
                       struct state *to) {
    uint32_t count = state_inputs_count(&from->inputs), *numbers = NEW_ARRAY(uint32_t, count);
    state_inputs_copy(&from->inputs, numbers);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < state_inputs_size(&from->inputs, numbers[i]); k++) {
            uint32_t var = terms_input_var(terms, numbers[i], k);
            path_set_default(to->path, var, path_byte(from->path, var));
        }
    DELETE_ARRAY(numbers, count);
    path_use_defaults(solver, to->path);
}

// A state that is being rebuilt, and a copy of the original.
struct rebuilding {
    struct walk *walk;
    struct state *original, *state;
    struct decisions decisions;
};

static enum vm_event run(struct rebuilding *r, struct state *state) {
    enum vm_event event = vm_run(r->walk->vm, state, ENOUGH);
    while (event == VM_BUDGET && !vm_follow_stopped(r->walk->vm)) event = vm_run(r->walk->vm, state, ENOUGH);
    return event;
}

// Runs both to the next decision. The rebuilt state first follows the decisions that it has not taken yet.
static const char *run_both(struct rebuilding *r) {
    uint32_t done = shared_list_count(r->state->history.decisions), count = r->decisions.count - done;
    const uint32_t *decisions = r->decisions.at + done;
    struct vm *vm = r->walk->vm;
    vm_follow_until(vm, decisions, count);
    enum vm_event event = run(r, r->state);
    int status = vm_exit_status(vm);
    uint64_t site = event == VM_BUG ? site_hash(vm_sites(vm), vm_bug(vm)->site) : 0;
    if (vm_follow_left(vm)) return "decisions are left over";
    vm_follow_until(vm, NULL, 0);
    if (run(r, r->original) != event) return "the rebuilt state ends in another way";
    if (event == VM_EXITED && status != vm_exit_status(vm))
        return "the rebuilt state has another exit status";
    if (event == VM_BUG && site != site_hash(vm_sites(vm), vm_bug(vm)->site))
        return "the rebuilt state fails elsewhere";
    return NULL;
}

// Rebuilds a pending state: the result must be pending, too, before it runs.
static const char *rebuild_pending(struct rebuilding *r) {
    struct vm *vm = r->walk->vm;
    vm_follow_pending(vm, r->decisions.at, r->decisions.count);
    if (run(r, r->state) != VM_BUDGET) return "the state does not come to its last decision";
    if (!r->state->waiting.condition) return "the rebuilt state is not pending";
    if (r->state->waiting.edge != r->original->waiting.edge) return "the rebuilt state takes another edge";
    if (r->state->waiting.block != r->original->waiting.block) return "it waits for another choice";
    vm_pending_decided(vm, r->state->waiting.block); // only the original stays counted
    r->original->waiting.block = r->state->waiting.block = 0;
    return NULL;
}

static bool can_go_on(struct rebuilding *r, struct state *state) {
    enum vm_revival revival;
    do revival = vm_revive(r->walk->vm, state);
    while (revival == REVIVAL_HARD);
    return revival == REVIVAL_POSSIBLE;
}

// Revives both states. *possible: both are feasible.
static const char *revive_both(struct rebuilding *r, bool *possible) {
    *possible = can_go_on(r, r->original);
    bool other = can_go_on(r, r->state);
    return other == *possible ? NULL : "only one of the two is feasible";
}

static const char *compare(struct rebuilding *r) {
    struct sites *sites = vm_sites(r->walk->vm);
    bool same = true;
    const char *wrong = state_difference((struct view){r->original, sites, r->walk->vm},
                                         (struct view){r->state, sites, r->walk->vm});
    if (!wrong)
        wrong = path_difference(r->walk->terms, r->walk->solver, r->original->path, r->state->path, &same);
    r->walk->reworded += !same;
    return wrong;
}

static const char *rebuild(struct rebuilding *r) {
    const char *wrong = NULL;
    bool possible = true;
    if (r->original->waiting.condition) {
        wrong = rebuild_pending(r);
        if (!wrong) wrong = compare(r);
        if (!wrong) wrong = revive_both(r, &possible);
        if (!wrong && possible) wrong = compare(r);
    } else {
        wrong = run_both(r);
        if (!wrong) wrong = compare(r);
    }
    return wrong ? wrong : r->walk->unwelcome;
}

const char *rebuild_state(struct walk *walk, struct state *state) {
    struct rebuilding r = {.walk = walk, .decisions = decisions_of(state->history.decisions)};
    walk->is_rebuilding = true;
    walk->unwelcome = NULL;
    r.original = vm_fork(walk->vm, state);
    state_set_seeds(r.original, NULL, 0);
    r.state = walk_start(walk);
    copy_model(walk->terms, walk->solver, state, r.state);
    const char *wrong = rebuild(&r);
    if (wrong) {
        state_show(walk->terms, "the state", state);
        state_show(walk->terms, "its copy, later", r.original);
        state_show(walk->terms, "rebuilt", r.state);
    }
    vm_follow(walk->vm, NULL, 0);
    vm_free_state(walk->vm, r.original);
    vm_free_state(walk->vm, r.state);
    decisions_free(&r.decisions);
    walk->is_rebuilding = false;
    return wrong;
}

// ---- finished paths

struct following {
    struct vm *vm;
    struct solver *solver;
    const char *unwelcome;
};

static void forked(void *context, struct state *parent, struct state *child) {
    struct following *following = context;
    following->unwelcome = "a path forks while it is followed";
    vm_free_state(following->vm, child);
}

static void found(void *context, struct state *failing, const struct bug *bug) {
    struct following *following = context;
    following->unwelcome = "a check fails while a path is followed";
    vm_free_state(following->vm, failing);
}

static const char *compare_ends(const struct following *following, const struct finished *path,
                                const struct state *state, enum vm_event event) {
    const struct bug *bug = vm_bug(following->vm);
    if (following->unwelcome) return following->unwelcome;
    if (event != path->event) return "the path ends in another way when it is followed";
    if (vm_follow_left(following->vm)) return "decisions are left over at the end";
    if (event == VM_EXITED && vm_exit_status(following->vm) != path->exit_status)
        return "the path has another exit status when it is followed";
    struct view one = {path->state, vm_sites(path->vm), path->vm},
                other = {state, vm_sites(following->vm), following->vm};
    if (event != VM_BUG) return state_difference(one, other);
    if (bug->kind != path->bug->kind || strcmp(bug->message.at, path->bug->message.at) != 0)
        return "the path has another bug when it is followed";
    if (site_hash(vm_sites(following->vm), bug->site) != site_hash(vm_sites(path->vm), path->bug->site))
        return "the path fails elsewhere when it is followed";
    return state_difference(one, other);
}

// Opens another VM for the same program and inputs, with its own solver.
static void open_following(struct following *following, struct walk *walk) {
    struct vm_options options = walk_options(walk->oracle->program, walk->policy);
    *following = (struct following){.solver = solver_new(walk->terms, &solver_defaults)};
    options.sink = (struct vm_sink){.context = following, .forked = forked, .found = found};
    options.solver = following->solver;
    options.terms = walk->terms;
    options.inputs = vm_inputs(walk->vm);
    following->vm = vm_new(walk->program, &options);
}

static void close_following(struct following *following, struct state *state) {
    vm_free_state(following->vm, state);
    vm_free(following->vm);
    solver_free(following->solver);
}

const char *follow_path(struct walk *walk, const struct finished *path) {
    // A violated assumption records no decision. With an empty cache it is detected only when a pending state is
    // revived.
    if (path->event == VM_STOPPED && walk_options(walk->oracle->program, walk->policy).pending) return NULL;
    struct following following;
    open_following(&following, walk);
    struct solver *solver = following.solver;
    struct state *state = vm_start(following.vm, path->state->start.around);
    struct decisions decisions = decisions_of(path->state->history.decisions);
    copy_model(walk->terms, solver, path->state, state);
    vm_follow(following.vm, decisions.at, decisions.count);
    enum vm_event event = VM_BUDGET;
    while (event == VM_BUDGET) event = vm_run(following.vm, state, ENOUGH);
    const char *wrong = compare_ends(&following, path, state, event);
    bool same = true;
    if (!wrong) wrong = path_difference(walk->terms, solver, path->state->path, state->path, &same);
    walk->reworded += !same;
    if (wrong) {
        state_show(walk->terms, "the path", path->state);
        state_show(walk->terms, "followed", state);
    }
    close_following(&following, state);
    decisions_free(&decisions);
    return wrong;
}

// ---- the decisions of another program

#define PATIENCE 20u // most runs of a path with damaged decisions

// Replaces some words by marks, small numbers or random words, or cuts off the rest.
static void damage(struct random *random, struct decisions *decisions, uint32_t *count) {
    *count = decisions->count;
    for (uint32_t n = 1 + (uint32_t)random_below(random, 3); n && *count; n--) {
        uint32_t *word = &decisions->at[random_below(random, *count)];
        switch (random_below(random, 5)) {
        case 0: *word = UINT32_MAX - (uint32_t)random_below(random, 3); break;
        case 1: *word = (uint32_t)random_below(random, 4); break;
        case 2: *word += (uint32_t)random_below(random, 64) - 32; break;
        case 3: *word = (uint32_t)random_next(random); break;
        default: *count = (uint32_t)(word - decisions->at) + 1; break;
        }
    }
}

const char *follow_damaged(struct walk *walk, const struct finished *path) {
    struct following following;
    open_following(&following, walk);
    struct state *state = vm_start(following.vm, path->state->start.around);
    struct decisions decisions = decisions_of(path->state->history.decisions);
    uint32_t count;
    damage(&walk->random, &decisions, &count);
    copy_model(walk->terms, following.solver, path->state, state);
    vm_follow(following.vm, decisions.at, count);
    enum vm_event event = VM_BUDGET;
    uint32_t runs = 0;
    while ((event == VM_BUDGET || event == VM_FORKED) && runs++ < PATIENCE)
        event = vm_run(following.vm, state, ENOUGH);
    close_following(&following, state);
    decisions_free(&decisions);
    return runs > PATIENCE ? "a path with damaged decisions does not end" : NULL;
}
