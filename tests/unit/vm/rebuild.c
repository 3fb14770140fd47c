#include "rebuild.h"

#include "base/memory.h"
#include "state_equal.h"

#include <string.h>

#define ENOUGH 100000u

struct decisions {
    uint32_t *at, count;
};

static struct decisions decisions_of(struct trail trail) {
    struct decisions decisions = {.count = trail_count(trail)};
    decisions.at = NEW_ARRAY(uint32_t, decisions.count);
    trail_copy(trail, decisions.at);
    return decisions;
}

static void decisions_free(struct decisions *decisions) { DELETE_ARRAY(decisions->at, decisions->count); }

// The state's bytes become the other's model.
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
    struct decisions decisions, again;
    bool choice;  // the last decision is one whose condition is pending
    bool assumes; // it comes back to an assumption
};

static enum vm_event run(struct rebuilding *r, struct state *state) {
    enum vm_event event = vm_run(r->walk->vm, state, ENOUGH);
    while (event == VM_BUDGET && !vm_follow_stopped(r->walk->vm)) event = vm_run(r->walk->vm, state, ENOUGH);
    return event;
}

// Both go on to the next decision, the rebuilt one by the state's decisions that it has not taken yet.
static const char *run_both(struct rebuilding *r) {
    uint32_t done = trail_count(r->state->trail), count = r->decisions.count - done;
    const uint32_t *decisions = r->decisions.at + done;
    struct vm *vm = r->walk->vm;
    vm_follow_until(vm, decisions, count);
    enum vm_event event = run(r, r->state);
    int status = vm_exit_status(vm);
    uint64_t site = event == VM_BUG ? site_hash(vm_sites(vm), vm_bug(vm)->site) : 0;
    if (vm_follow_left(vm)) return "decisions are left over";
    vm_follow_until(vm, NULL, 0);
    if (run(r, r->original) != event) return "the rebuilt state ends in another way";
    // What is pending is solved for each on its own: an exit status is that of the model.
    if (event == VM_EXITED && !r->choice && status != vm_exit_status(vm))
        return "the rebuilt state has another exit status";
    if (event == VM_BUG && site != site_hash(vm_sites(vm), vm_bug(vm)->site))
        return "the rebuilt state fails elsewhere";
    return NULL;
}

static const char *repeat(struct rebuilding *r, const uint32_t *decisions, uint32_t count) {
    struct vm *vm = r->walk->vm;
    vm_follow_again(vm, decisions, count);
    if (vm_run(vm, r->state, ENOUGH) != VM_BUDGET || !vm_follow_stopped(vm))
        return "the instruction is not repeated";
    trail_add(&r->state->again, count);
    for (uint32_t i = 0; i < count; i++) trail_add(&r->state->again, decisions[i]);
    return NULL;
}

// To the instruction that is to be repeated, and what was decided there already.
static const char *reach_instruction(struct rebuilding *r) {
    uint32_t last = r->decisions.count - r->choice;
    vm_follow_until(r->walk->vm, r->decisions.at, last);
    if (run(r, r->state) != VM_BUDGET) return "the state does not come to the instruction that it repeats";
    uint32_t done = trail_count(r->state->trail);
    if (r->choice ? done > last : done != last) return "the state stops elsewhere";
    r->state->again_at = done;
    if (r->choice) return repeat(r, r->decisions.at + done, r->decisions.count - done);
    const char *wrong = NULL;
    for (uint32_t at = 0; at < r->again.count && !wrong; at += 1 + r->again.at[at])
        wrong = repeat(r, r->again.at + at + 1, r->again.at[at]);
    return wrong;
}

// Checks what is pending on both sides. *possible: both can go on.
static const char *revive_both(struct rebuilding *r, bool *possible) {
    *possible = true;
    r->original->pending_choice = 0; // it is the walk's own state that is counted
    if (r->original->pending) *possible = vm_revive(r->walk->vm, r->original) == REVIVAL_POSSIBLE;
    enum answer answer = solver_check(r->walk->solver, r->state->path);
    return (answer == ANSWER_YES) == *possible ? NULL : "one of the two is impossible";
}

// An assumption that the model did not satisfy is made again, and nothing of it is recorded before: the state that comes back to
// it has its condition already, the rebuilt one does not. Afterwards they are the same.
static bool makes_assumption(const struct walk *walk, const struct state *state) {
    const struct frame *frame = frames_top(&state->frames);
    const struct ir_insn *insn = &frame->function->code[frame->instruction];
    return insn->op == IR_CALL && !strcmp(walk->program->functions[insn->a].name, "__tamar_assume");
}

static const char *rebuild_assumption(struct rebuilding *r) {
    static const uint32_t holds = 1;
    struct vm *vm = r->walk->vm;
    r->original->pending_choice = 0;
    if (r->original->pending && vm_revive(vm, r->original) != REVIVAL_POSSIBLE) return NULL;
    vm_follow_until(vm, r->decisions.at, r->decisions.count);
    if (run(r, r->state) != VM_BUDGET) return "the state does not come to its assumption";
    copy_model(r->walk->terms, r->walk->solver, r->original, r->state); // one that satisfies the assumption
    vm_follow_until(vm, &holds, 1);
    enum vm_event event = run(r, r->state);
    vm_follow_until(vm, &holds, 1);
    return run(r, r->original) == event ? NULL : "the rebuilt state ends in another way after its assumption";
}

static const char *rebuild(struct rebuilding *r) {
    const char *wrong = NULL;
    bool possible = true;
    if (r->assumes) {
        wrong = rebuild_assumption(r);
        if (r->original->pending) return wrong;
    } else if (!r->again.count && !r->original->pending) {
        wrong = run_both(r);
    } else {
        wrong = reach_instruction(r);
        if (!wrong) wrong = revive_both(r, &possible);
        if (wrong || !possible) return wrong;
        if (r->choice) wrong = run_both(r);
    }
    if (!wrong) wrong = r->walk->unwelcome;
    struct sites *sites = vm_sites(r->walk->vm);
    bool same = true;
    if (!wrong) wrong = state_difference((struct view){r->original, sites}, (struct view){r->state, sites});
    if (!wrong)
        wrong = path_difference(r->walk->terms, r->walk->solver, r->original->path, r->state->path, &same);
    r->walk->reworded += !same;
    return wrong;
}

const char *rebuild_state(struct walk *walk, struct state *state) {
    bool again = state->again_at == trail_count(state->trail);
    struct rebuilding r = {.walk = walk,
                           .decisions = decisions_of(state->trail),
                           .again = decisions_of(again ? state->again : (struct trail){0}),
                           .choice = state->pending_edge != 0,
                           .assumes = again && makes_assumption(walk, state)};
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
    decisions_free(&r.again);
    walk->is_rebuilding = false;
    return wrong;
}

// ---- finished paths

struct following {
    struct vm *vm;
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
    struct view one = {path->state, vm_sites(path->vm)}, other = {state, vm_sites(following->vm)};
    if (event != VM_BUG) return state_difference(one, other);
    if (bug->kind != path->bug->kind || strcmp(bug->message.at, path->bug->message.at) != 0)
        return "the path has another bug when it is followed";
    if (site_hash(vm_sites(following->vm), bug->site) != site_hash(vm_sites(path->vm), path->bug->site))
        return "the path fails elsewhere when it is followed";
    return state_difference(one, other);
}

const char *follow_path(struct walk *walk, const struct finished *path) {
    struct vm_options options = walk_options(walk->oracle->program, walk->policy);
    // Where an assumption cannot hold, nothing was decided: with an empty cache that takes a pending state to see.
    if (path->event == VM_STOPPED && options.pending) return NULL;
    struct following following = {0};
    struct solver *solver = solver_new(walk->terms, &solver_defaults);
    options.sink = (struct vm_sink){.context = &following, .forked = forked, .found = found};
    options.solver = solver;
    options.terms = walk->terms;
    options.inputs = vm_inputs(walk->vm);
    following.vm = vm_new(walk->program, &options);
    struct state *state = vm_start(following.vm, path->state->around);
    struct decisions decisions = decisions_of(path->state->trail);
    copy_model(walk->terms, solver, path->state, state);
    vm_follow(following.vm, decisions.at, decisions.count);
    enum vm_event event = VM_BUDGET;
    while (event == VM_BUDGET) event = vm_run(following.vm, state, ENOUGH);
    const char *wrong = compare_ends(&following, path, state, event);
    bool same = true;
    // A relaxed access that is repeated where it can only fail decides nothing any more: the condition of the attempt before, that it is
    // not in the object of the model, is not among the decisions.
    bool weaker = options.relax_checks && path->event == VM_BUG && path->state->again.chunk;
    if (!wrong && !weaker)
        wrong = path_difference(walk->terms, solver, path->state->path, state->path, &same);
    walk->reworded += !same;
    if (wrong) {
        state_show(walk->terms, "the path", path->state);
        state_show(walk->terms, "followed", state);
    }
    vm_free_state(following.vm, state);
    vm_free(following.vm);
    solver_free(solver);
    decisions_free(&decisions);
    return wrong;
}
