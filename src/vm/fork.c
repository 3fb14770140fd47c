// Where paths part: branches, checks, choices among values. Each decision on a symbolic condition is written
// into the state's trail, also when only one side was possible: following a trail needs no solver.
#include "vm/vm_int.h"

static struct path_condition *path(struct vm *vm) { return vm->state->path; }

struct state *fork_state(struct vm *vm) {
    struct state *child = state_fork(vm->state, vm->next_state++);
    child->path = NEW(struct path_condition);
    *child->path = path_copy(path(vm));
    child->instructions += vm->steps; // of this run, so far
    child->place = vm->live.count;
    child->depth = ++vm->state->depth;
    child->forked_at = vm->at_location;
    child->forked_by = (uint8_t)((vm->newness ? CHOICE_NEW : 0) | (vm->dangerous ? CHOICE_DANGEROUS : 0));
    vec_push(&vm->live, child);
    forget_translations(vm); // every page is shared now
    return child;
}

void vm_free_state(struct vm *vm, struct state *state) {
    if (state->path) {
        path_free(state->path);
        DELETE(state->path);
        state->path = NULL;
        struct state *last = vec_pop(&vm->live);
        if (last != state) {
            vm->live.at[state->place] = last;
            last->place = state->place;
        }
    }
    state_free(state);
}

void hand_over(struct vm *vm, struct state *other) {
    vm->options.sink.forked(vm->options.sink.context, vm->state, other);
}

void hand_over_again(struct vm *vm, struct state *other) {
    note_repetition(vm, other);
    trail_cut(&other->trail, vm->trail_mark);
    hand_over(vm, other);
}

void gave_up(struct vm *vm, const char *what) {
    if (vm->options.sink.gave_up) vm->options.sink.gave_up(vm->options.sink.context, what, current_site(vm));
}

static enum step stop_with(struct vm *vm, enum vm_event event) {
    vm->event = event;
    return STEP_STOP;
}

enum step stay(struct vm *vm) {
    trail_cut(&vm->state->trail, vm->trail_mark);
    return stop_with(vm, VM_BUDGET);
}

// The next decision of the trail that is being followed.
bool next_decision(struct vm *vm, uint32_t *decision) {
    if (!vm->follow_count) return false;
    *decision = *vm->follow++;
    vm->follow_count--;
    return true;
}

static bool model_says(struct vm *vm, Term condition) {
    return solver_evaluate(vm->solver, path(vm), condition) != 0;
}

static void decide(struct vm *vm, struct state *state, Term condition, bool side, struct model *model) {
    assume_in(vm, state, side ? condition : term_not(vm->terms, condition), model);
    trail_add(&state->trail, side);
}

enum step branch_on(struct vm *vm, Term condition, bool *taken, struct state **other) {
    *other = NULL;
    enum step used = use_value(vm, &condition, "a branch");
    if (used != STEP_NEXT) return used;
    if (term_is_const(vm->terms, condition)) {
        *taken = !term_is_zero(vm->terms, condition);
        return STEP_NEXT;
    }
    uint32_t decision;
    if (follow_ends(vm)) return stop_following(vm);
    if (next_decision(vm, &decision)) {
        *taken = decision;
        decide(vm, vm->state, condition, *taken, NULL);
        return repetition_ends(vm) ? stop_following(vm) : STEP_NEXT;
    }
    if (follows_model(vm)) {
        *taken = model_says(vm, condition);
        *other = fork_otherwise(vm, *taken ? term_not(vm->terms, condition) : condition,
                                "the solver gave no answer: one side of a branch is left out");
        if (*other) trail_add(&(*other)->trail, !*taken);
        decide(vm, vm->state, condition, *taken, NULL);
        return STEP_NEXT;
    }
    struct branch branch;
    solver_branch(vm->solver, path(vm), condition, &branch);
    bool yes = branch.yes.answer == ANSWER_YES, no = branch.no.answer == ANSWER_YES;
    bool unknown = branch.yes.answer == ANSWER_UNKNOWN || branch.no.answer == ANSWER_UNKNOWN;
    if (unknown && run_is_over(vm)) {
        branch_free(&branch);
        return stay(vm);
    }
    if (unknown) gave_up(vm, "the solver gave no answer: one side of a branch is left out");
    enum step step = STEP_NEXT;
    if (yes && no) {
        *other = fork_state(vm);
        decide(vm, *other, condition, false, branch.no.model);
    }
    *taken = yes;
    if ((yes && branch.no.answer == ANSWER_NO) || (no && branch.yes.answer == ANSWER_NO))
        trail_add(&vm->state->trail, yes); // what the path implies makes it no longer
    else if (yes || no)
        decide(vm, vm->state, condition, yes, yes ? branch.yes.model : branch.no.model);
    else
        step = stop_with(vm, VM_UNKNOWN);
    branch_free(&branch);
    return step;
}

enum step require_way(struct vm *vm, Term condition) {
    struct model *model = NULL;
    enum answer answer = solver_may_be_true(vm->solver, path(vm), condition, &model);
    if (answer == ANSWER_UNKNOWN && run_is_over(vm)) return stay(vm);
    if (answer != ANSWER_YES) return stop_with(vm, answer == ANSWER_NO ? VM_STOPPED : VM_UNKNOWN);
    assume_in(vm, vm->state, condition, model);
    model_release(model);
    return STEP_NEXT;
}

enum step branch_towards(struct vm *vm, Term condition, bool side) {
    enum step step = use_value(vm, &condition, "a branch");
    if (step != STEP_NEXT) return step;
    if (term_is_const(vm->terms, condition))
        return term_is_zero(vm->terms, condition) == !side ? STEP_NEXT : stop_with(vm, VM_STOPPED);
    step = require_way(vm, side ? condition : term_not(vm->terms, condition));
    if (step == STEP_NEXT) trail_add(&vm->state->trail, side);
    return step;
}

enum step add_condition(struct vm *vm, Term condition) {
    enum step used = use_value(vm, &condition, "an assumption");
    if (used != STEP_NEXT) return used;
    if (term_is_const(vm->terms, condition))
        return term_is_zero(vm->terms, condition) ? stop_with(vm, VM_STOPPED) : STEP_NEXT;
    uint32_t decision;
    if (follow_ends(vm)) return stop_following(vm);
    if (next_decision(vm, &decision)) {
        decide(vm, vm->state, condition, true, NULL);
        return decision ? STEP_NEXT : stop_with(vm, VM_STOPPED);
    }
    if (follows_model(vm)) {
        if (model_says(vm, condition)) {
            decide(vm, vm->state, condition, true, NULL);
            return STEP_NEXT;
        }
        struct state *other = fork_otherwise(vm, condition, "the solver gave no answer: a path is left out");
        if (other) hand_over_again(vm, other);
        return stop_with(vm, other ? VM_PUT_OFF : VM_STOPPED);
    }
    struct model *model = NULL;
    enum answer answer = solver_may_be_true(vm->solver, path(vm), condition, &model);
    if (answer == ANSWER_YES) {
        decide(vm, vm->state, condition, true, model);
        model_release(model);
        return STEP_NEXT;
    }
    if (answer == ANSWER_UNKNOWN && run_is_over(vm)) return stay(vm);
    if (answer == ANSWER_UNKNOWN) gave_up(vm, "the solver gave no answer: a path is left out");
    return stop_with(vm, answer == ANSWER_NO ? VM_STOPPED : VM_UNKNOWN);
}

// Reports the failing side of a check in a state of its own.
static void report_failing(struct vm *vm, Term ok, struct model *model, void (*say)(struct vm *, void *),
                           void *context) {
    struct state *running = vm->state, *failing = fork_state(vm);
    decide(vm, failing, ok, false, model);
    vm->state = failing;
    say(vm, context);
    vm->state = running;
    vm->options.sink.found(vm->options.sink.context, failing, &vm->bug);
}

// A check that does not ask: the running state stays on the side that its model takes, the other one will repeat the
// instruction.
static enum step require_relaxed(struct vm *vm, Term ok, void (*say)(struct vm *, void *), void *context) {
    bool holds = model_says(vm, ok);
    vm->dangerous = true;
    struct state *other = fork_otherwise(vm, holds ? term_not(vm->terms, ok) : ok,
                                         "the solver gave no answer: a check is not decided");
    vm->dangerous = false;
    if (other) {
        trail_add(&other->trail, !holds);
        hand_over_again(vm, other);
    }
    decide(vm, vm->state, ok, holds, NULL);
    if (holds) return STEP_NEXT;
    say(vm, context);
    return STEP_STOP;
}

enum step require(struct vm *vm, Term ok, void (*say)(struct vm *vm, void *context), void *context) {
    enum step used = use_value(vm, &ok, "an operation that may fail");
    if (used != STEP_NEXT) return used;
    if (term_is_const(vm->terms, ok)) {
        if (!term_is_zero(vm->terms, ok)) return STEP_NEXT;
        say(vm, context); // sets VM_BUG
        return STEP_STOP;
    }
    vm->counts.checks++;
    uint32_t decision;
    if (follow_ends(vm)) return stop_following(vm);
    if (next_decision(vm, &decision)) {
        decide(vm, vm->state, ok, decision, NULL);
        if (repetition_ends(vm)) return stop_following(vm);
        if (decision) return STEP_NEXT;
        say(vm, context);
        return STEP_STOP;
    }
    if (vm->options.relax_checks) return require_relaxed(vm, ok, say, context);
    struct branch branch;
    solver_branch(vm->solver, path(vm), ok, &branch);
    bool unknown = branch.yes.answer == ANSWER_UNKNOWN || branch.no.answer == ANSWER_UNKNOWN;
    if (unknown && run_is_over(vm)) {
        branch_free(&branch);
        return stay(vm);
    }
    enum step step = STEP_NEXT;
    if (branch.no.answer == ANSWER_YES) report_failing(vm, ok, branch.no.model, say, context);
    if (branch.no.answer == ANSWER_UNKNOWN) gave_up(vm, "the solver gave no answer: a check is not decided");
    if (branch.yes.answer == ANSWER_YES && branch.no.answer == ANSWER_NO)
        trail_add(&vm->state->trail, true); // what the path implies makes it no longer
    else if (branch.yes.answer == ANSWER_YES)
        decide(vm, vm->state, ok, true, branch.yes.model);
    else
        step = stop_with(vm, branch.yes.answer == ANSWER_NO ? VM_FAILED : VM_UNKNOWN);
    branch_free(&branch);
    return step;
}

static void note_value(struct state *state, uint64_t value) {
    trail_add(&state->trail, (uint32_t)value);
    trail_add(&state->trail, (uint32_t)(value >> 32));
}

static void take_value(struct vm *vm, Term term, uint64_t value) {
    Term constant = term_const(vm->terms, term_width(vm->terms, term), value);
    assume_in(vm, vm->state, term_eq(vm->terms, term, constant), NULL);
    note_value(vm->state, value);
}

// Whether it was decided is written into the trail: whoever follows it has the same conditions, but perhaps not in the
// same form.
enum step settle_value(struct vm *vm, Term *term) {
    if (!solver_is_choice(vm->terms, *term)) return STEP_NEXT;
    uint32_t decided, low, high = 0;
    uint64_t value = 0;
    if (follow_ends(vm)) return stop_following(vm);
    bool follows = next_decision(vm, &decided);
    if (!follows) decided = solver_decided(vm->solver, path(vm), *term, &value);
    if (follows && decided && next_decision(vm, &low) && next_decision(vm, &high))
        value = low | (uint64_t)high << 32;
    trail_add(&vm->state->trail, decided);
    if (!decided) return STEP_NEXT;
    note_value(vm->state, value);
    Term constant = term_const(vm->terms, term_width(vm->terms, *term), value);
    // What decided it may be a condition of an earlier attempt at this instruction, which the trail does not have.
    if (follows) path_add(vm->solver, path(vm), term_eq(vm->terms, *term, constant), NULL);
    *term = constant;
    return STEP_NEXT;
}

// Values are split one at a time: this state takes the model's value, the other one excludes it and comes
// back to the same instruction. So the number of states grows with the values that are really explored.
enum step split_values(struct vm *vm, Term term, uint64_t *value) {
    enum step used = use_value(vm, &term, "a value that the system needs");
    if (used != STEP_NEXT) return used;
    if (term_is_const(vm->terms, term)) {
        *value = term_value(vm->terms, term);
        return STEP_NEXT;
    }
    uint32_t low, high; // in the trail a value is two decisions
    if (follow_ends(vm)) return stop_following(vm);
    if (next_decision(vm, &low)) {
        if (!next_decision(vm, &high)) high = 0;
        *value = low | (uint64_t)high << 32;
        if (!repetition_ends(vm)) {
            take_value(vm, term, *value);
            return STEP_NEXT;
        }
        Term taken = term_eq(vm->terms, term, term_const(vm->terms, term_width(vm->terms, term), *value));
        path_add(vm->solver, path(vm), term_not(vm->terms, taken), NULL); // another state took this one
        return stop_following(vm);
    }
    vm->counts.values++;
    *value = solver_evaluate(vm->solver, path(vm), term);
    Term same = term_eq(vm->terms, term, term_const(vm->terms, term_width(vm->terms, term), *value));
    if (follows_model(vm)) {
        struct state *other = fork_otherwise(vm, term_not(vm->terms, same),
                                             "the solver gave no answer: further values are left out");
        if (other) {
            note_value(other, *value);
            hand_over_again(vm, other);
        }
        take_value(vm, term, *value);
        return STEP_NEXT;
    }
    struct model *model = NULL;
    enum answer more = solver_may_be_true(vm->solver, path(vm), term_not(vm->terms, same), &model);
    if (more == ANSWER_UNKNOWN && run_is_over(vm)) return stay(vm);
    if (more == ANSWER_UNKNOWN) gave_up(vm, "the solver gave no answer: further values are left out");
    if (more == ANSWER_YES) {
        struct state *other = fork_state(vm);
        path_add(vm->solver, other->path, term_not(vm->terms, same), model);
        model_release(model);
        note_value(other, *value);
        hand_over_again(vm, other);
    }
    take_value(vm, term, *value);
    return STEP_NEXT;
}
