#include "vm/choice.h"

#include "vm/replay.h"

#define CASES_APART 16 // most pending states of a switch that stand for one case each

static const struct choice_info {
    uint8_t words;
    const char *use, *unanswered;
} choice_info[] = {
#define CHOICE(name, words, use, unanswered) [CHOICE_##name] = {words, use, unanswered},
    CHOICE_TABLE(CHOICE)
#undef CHOICE
};

static const struct choice_info *info(const struct choice *choice) {
    assert(choice->kind < COUNT(choice_info));
    return &choice_info[choice->kind];
}

static enum step stop_with(struct vm *vm, enum vm_event event) {
    vm->outcome.event = event;
    return STEP_STOP;
}

// ---- alternatives

static bool has_two_sides(const struct choice *choice) {
    return choice->kind == CHOICE_BRANCH || choice->kind == CHOICE_PART || choice->kind == CHOICE_CHECK ||
           choice->kind == CHOICE_ASSUMPTION;
}

static bool has_edges(const struct choice *choice) {
    return choice->kind == CHOICE_BRANCH || choice->kind == CHOICE_CASE;
}

static uint32_t case_of(const struct ir_switch *cases, uint64_t value) {
    uint32_t low = 0, high = cases->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cases->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < cases->count && cases->values[low] == value ? low : cases->count;
}

#define SHORTEST_RANGE 3 // consecutive values from which on a range has fewer nodes than the values

// The condition that the value is one of the cases first to last, whose values are consecutive.
static Term is_in_range(struct terms *terms, const struct ir_switch *cases, Term value, uint32_t first,
                        uint32_t last) {
    unsigned width = term_width(terms, value);
    Term low = term_const(terms, width, cases->values[first]);
    if (last - first + 1 >= SHORTEST_RANGE)
        return term_ule(terms, term_sub(terms, value, low), term_const(terms, width, last - first));
    Term condition = term_eq(terms, value, low);
    if (last != first)
        condition =
            term_or(terms, condition, term_eq(terms, value, term_const(terms, width, cases->values[last])));
    return condition;
}

// Returns the condition under which a switch takes case number `chosen`, or another case with the same target.
// `chosen` == cases->count: the default.
static Term case_condition(struct terms *terms, const struct ir_switch *cases, Term value, uint64_t chosen) {
    assert(chosen <= cases->count);
    bool is_default = chosen == cases->count;
    Term condition = term_false(terms);
    for (uint32_t i = 0, last; i < cases->count; i = last + 1) {
        last = i;
        if (!is_default && cases->targets[i] != cases->targets[chosen]) continue;
        while (last + 1 < cases->count && cases->values[last + 1] == cases->values[last] + 1 &&
               (is_default || cases->targets[last + 1] == cases->targets[chosen]))
            last++;
        condition = term_or(terms, condition, is_in_range(terms, cases, value, i, last));
    }
    return is_default ? term_not(terms, condition) : condition;
}

static Term condition_of(struct vm *vm, const struct choice *choice, uint64_t alternative) {
    struct terms *terms = vm->terms;
    switch (choice->kind) {
    case CHOICE_CASE: return case_condition(terms, choice->cases, choice->term, alternative);
    case CHOICE_VALUE:
    case CHOICE_FIXED:
        return term_eq(terms, choice->term, term_const(terms, term_width(terms, choice->term), alternative));
    case CHOICE_UNINITIALISED: return choice->condition(vm, choice, alternative);
    case CHOICE_KERNEL: return term_true(terms);
    default: assert(has_two_sides(choice)); return alternative ? choice->term : term_not(terms, choice->term);
    }
}

static uint64_t last_alternative(const struct choice *choice) {
    switch (choice->kind) {
    case CHOICE_CASE: return choice->cases->count;
    case CHOICE_VALUE:
    case CHOICE_FIXED: return UINT64_MAX;
    case CHOICE_UNINITIALISED: return USE_NEVER_DEPENDS;
    case CHOICE_KERNEL: return choice->count - 1;
    default: return 1;
    }
}

// Returns the alternative that the term's value belongs to.
static uint64_t alternative_of(const struct choice *choice, uint64_t value) {
    return choice->kind == CHOICE_CASE ? case_of(choice->cases, value) : value;
}

static uint64_t alternative_of_model(struct vm *vm, const struct choice *choice) {
    return alternative_of(choice, solver_evaluate(vm->solver, vm->state->path, choice->term));
}

static uint32_t edge_of(const struct choice *choice, uint64_t alternative) {
    assert(has_edges(choice) && alternative <= last_alternative(choice));
    if (choice->kind == CHOICE_BRANCH) return choice->targets->dst + !alternative;
    return alternative == choice->cases->count ? choice->cases->default_edge
                                               : choice->cases->edges[alternative];
}

static uint32_t target_of(const struct choice *choice, uint64_t alternative) {
    if (choice->kind == CHOICE_BRANCH) return alternative ? choice->targets->a : choice->targets->b;
    return alternative == choice->cases->count ? choice->cases->default_target
                                               : choice->cases->targets[alternative];
}

static bool find_edge(const struct choice *choice, uint32_t edge, uint64_t *alternative) {
    for (*alternative = 0; *alternative <= last_alternative(choice); ++*alternative)
        if (edge_of(choice, *alternative) == edge) return true;
    return false;
}

// ---- taking an alternative

// Special words in the decision history, for kinds with exclusions only. MARK_EXCLUDED precedes an excluded
// alternative. MARK_TAKEN precedes a taken alternative whose first word equals one of these two words.
enum { MARK_EXCLUDED = UINT32_MAX, MARK_TAKEN = UINT32_MAX - 1 };

static bool has_exclusions(const struct choice *choice) {
    return choice->kind == CHOICE_CASE || choice->kind == CHOICE_VALUE;
}

static void add_words(struct state *state, const struct choice *choice, uint64_t alternative) {
    assert(info(choice)->words == 2 || alternative <= UINT32_MAX);
    shared_list_add(&state->history.decisions, (uint32_t)alternative);
    if (info(choice)->words == 2) shared_list_add(&state->history.decisions, (uint32_t)(alternative >> 32));
}

// Records the alternative in the history. It implies the exclusions, which are dropped.
static void record(struct state *state, const struct choice *choice, uint64_t alternative) {
    assert(state->history.excluded <= shared_list_count(state->history.decisions));
    if (state->history.excluded)
        shared_list_cut(&state->history.decisions,
                        shared_list_count(state->history.decisions) - state->history.excluded);
    state->history.excluded = 0;
    if (has_exclusions(choice) && (uint32_t)alternative >= MARK_TAKEN)
        shared_list_add(&state->history.decisions, MARK_TAKEN);
    add_words(state, choice, alternative);
}

// Records that another state took the alternative; this state has not chosen yet.
static void exclude(struct state *state, const struct choice *choice, uint64_t alternative) {
    assert(has_exclusions(choice));
    shared_list_add(&state->history.decisions, MARK_EXCLUDED);
    add_words(state, choice, alternative);
    state->history.excluded += 1 + info(choice)->words;
}

// Adds the condition of an alternative to the path condition, unless it is true.
static void assume_alternative(struct vm *vm, struct state *state, Term condition, struct model *model) {
    assert(!state->waiting.condition);
    if (!term_is_const(vm->terms, condition) || term_is_zero(vm->terms, condition))
        vm_assume_in(vm, state, condition, model);
}

static void take(struct vm *vm, struct state *state, const struct choice *choice, uint64_t alternative,
                 struct model *model) {
    assert(alternative <= last_alternative(choice));
    assume_alternative(vm, state, condition_of(vm, choice, alternative), model);
    record(state, choice, alternative);
}

// Takes choice->taken for the state, whose model satisfies `condition`, the condition of that alternative.
static void take_known(struct vm *vm, struct state *state, const struct choice *choice, Term condition) {
    assert(choice->taken <= last_alternative(choice));
    assume_alternative(vm, state, condition, NULL);
    record(state, choice, choice->taken);
}

// Moves the state along the edge of the alternative. A pending state covers the edge when it is revived.
static void move(struct vm *vm, struct state *state, const struct choice *choice, uint64_t alternative) {
    uint32_t edge = edge_of(choice, alternative);
    if (state->waiting.condition) {
        state->waiting.edge = edge + 1;
        vm_note_deferred(vm, state, edge);
    } else {
        if (!vm->coverage.edges[edge]) vm_note_new_edge(vm, state, edge);
        if (!state->speculation.is_on) vm->coverage.symbolic_edges[edge] = 1;
    }
    if (state->speculation.is_on)
        vm_note_speculative_edge(vm, state, edge);
    else if (vm->watch.trace && state == vm->state)
        vm->watch.trace(vm->watch.trace_context, edge);
    frames_top(&state->frames)->instruction = target_of(choice, alternative);
    if (state != vm->state) vm_note_change_ahead(vm, state, choice->kind == CHOICE_CASE);
}

static void emit(struct vm *vm, struct choice *choice, struct state *other) {
    choice->forked = true;
    assert(other != vm->state && other->path);
    vm->options.sink.forked(vm->options.sink.context, vm->state, other);
}

// Emits a state that will re-execute the instruction.
static void emit_retry(struct vm *vm, struct choice *choice, struct state *other) {
    replay_retry_instruction(vm, other);
    emit(vm, choice, other);
}

static void emit_infeasible(struct vm *vm, const struct choice *choice) {
    const struct vm_sink *sink = &vm->options.sink;
    if (!sink->infeasible || choice->rest == REST_ELSEWHERE) return;
    Term condition = choice->rest == REST_REFUTED ? condition_of(vm, choice, !choice->taken) : 0;
    sink->infeasible(sink->context, vm->state, edge_of(choice, !choice->taken), condition);
}

static void show(struct vm *vm, const struct choice *choice) {
    static const char *const names[] = {[CHOICE_PART] = "object or range of values",
                                        [CHOICE_VALUE] = "value",
                                        [CHOICE_FIXED] = "value, concretized",
                                        [CHOICE_ASSUMPTION] = "assumption",
                                        [CHOICE_UNINITIALISED] = "use of uninitialised bytes",
                                        [CHOICE_KERNEL] = "outcome of a system call"};
    struct vm_decision decision = {.name = choice->name ? choice->name : names[choice->kind],
                                   .term = choice->term,
                                   .taken = choice->taken,
                                   .is_side = has_two_sides(choice),
                                   .is_check = choice->kind == CHOICE_CHECK};
    assert(decision.name);
    vm->watch.chose(vm->watch.trace_context, &decision);
}

// Ends the choice after the running state has taken its alternative. `other`: the state for the rest, or NULL.
static enum step end_choice(struct vm *vm, struct choice *choice, struct state *other) {
    assert(choice->taken <= last_alternative(choice) && !vm->state->waiting.condition);
    // The decisions of `other` must show which alternatives are left to it.
    assert(!other || has_two_sides(choice) || has_exclusions(choice));
    assert(choice->rest == REST_ELSEWHERE || (choice->decided && !other));
    if (has_edges(choice)) move(vm, vm->state, choice, choice->taken);
    if (UNLIKELY(vm->watch.chose != NULL) && choice->decided && !has_edges(choice)) show(vm, choice);
    if (choice->kind == CHOICE_BRANCH) emit_infeasible(vm, choice);
    if (choice->kind == CHOICE_BRANCH && other) move(vm, other, choice, !choice->taken);
    if (other && choice->kind == CHOICE_BRANCH) emit(vm, choice, other);
    if (other && choice->kind != CHOICE_BRANCH) emit_retry(vm, choice, other);
    switch (choice->kind) {
    case CHOICE_BRANCH:
    case CHOICE_CASE: return choice->forked ? stop_with(vm, VM_FORKED) : STEP_RELOAD;
    case CHOICE_ASSUMPTION: return choice->taken ? STEP_NEXT : stop_with(vm, VM_STOPPED);
    case CHOICE_CHECK:
    case CHOICE_UNINITIALISED:
        if (choice->taken) return STEP_NEXT;
        choice->fails(vm, choice->context);
        return vm->instruction.passed ? STEP_NEXT : STEP_STOP;
    default: return STEP_NEXT;
    }
}

static void count(struct vm *vm, const struct choice *choice, bool forked) {
    if (!has_edges(choice)) return;
    vm->counts.branches++;
    vm->counts.forks += forked;
}

// `answer`: whether the alternatives that the running state does not take are feasible. `other`: the state that takes
// them; NULL: none was made, or its bug was reported.
static enum rest rest_of(const struct state *other, enum answer answer) {
    if (other || answer == ANSWER_YES) return REST_ELSEWHERE;
    return answer == ANSWER_NO ? REST_REFUTED : REST_LEFT_OUT;
}

// ---- REQUIRED

static enum step take_required(struct vm *vm, struct choice *choice, uint32_t edge) {
    uint64_t wanted;
    struct model *model = NULL;
    if (!find_edge(choice, edge, &wanted)) return stop_with(vm, VM_STOPPED);
    if (!choice->decided && choice->taken != wanted) return stop_with(vm, VM_STOPPED);
    if (!choice->decided) return end_choice(vm, choice, NULL);
    vm->replay.is_ahead = false;
    enum answer answer =
        solver_may_be_true(vm->solver, vm->state->path, condition_of(vm, choice, wanted), &model);
    if (answer == ANSWER_UNKNOWN && vm_run_is_over(vm)) return vm_retry_later(vm);
    if (answer != ANSWER_YES) return stop_with(vm, answer == ANSWER_NO ? VM_STOPPED : VM_UNKNOWN);
    take(vm, vm->state, choice, wanted, model);
    model_release(model);
    choice->taken = wanted;
    return end_choice(vm, choice, NULL);
}

// ---- RECORDED

struct recorded {
    uint64_t alternative;
    bool excluded; // another state took this alternative
    bool own;      // comes from the state's own history: its condition is already in the path condition
};

static enum step read_recorded(struct vm *vm, const struct choice *choice, struct recorded *recorded) {
    uint32_t words[2] = {0};
    assert(replay_is_replaying(vm));
    *recorded = (struct recorded){.own = replay_is_repeating(vm)};
    replay_next(vm, &words[0]);
    if (has_exclusions(choice) && words[0] >= MARK_TAKEN) {
        recorded->excluded = words[0] == MARK_EXCLUDED;
        replay_next(vm, &words[0]);
    }
    if (info(choice)->words == 2) replay_next(vm, &words[1]);
    recorded->alternative = words[0] | (uint64_t)words[1] << 32;
    enum step step = vm_recalled(vm);
    // Decisions that were recorded for another program may name an alternative that does not exist.
    if (step == STEP_NEXT && recorded->alternative > last_alternative(choice))
        return stop_with(vm, VM_UNKNOWN);
    return step;
}

// Makes the last recorded decision the state's pending condition and ends the run.
static enum step leave_pending(struct vm *vm, struct choice *choice, const struct recorded *recorded) {
    struct state *state = vm->state;
    Term condition = condition_of(vm, choice, recorded->alternative);
    assert(!state->waiting.condition);
    state->waiting.condition = recorded->excluded ? term_not(vm->terms, condition) : condition;
    if (has_edges(choice) && !recorded->excluded) {
        move(vm, state, choice, recorded->alternative);
    } else {
        if (choice->kind == CHOICE_CASE) vm_note_deferred(vm, state, choice->cases->default_edge);
        replay_retry_instruction(vm, state);
    }
    vm->replay.mode = REPLAY_STOPPED;
    return stop_with(vm, VM_BUDGET);
}

// Takes the recorded decision. *open: only exclusions are recorded, and the state must still choose.
static enum step take_recorded(struct vm *vm, struct choice *choice, bool *open) {
    struct recorded recorded;
    uint32_t excluded =
        vm->state->history.excluded; // not 0: the history ends with exclusions of a later choice
    do {
        *open = false;
        if (replay_is_over(vm)) return replay_stop(vm);
        enum step step = read_recorded(vm, choice, &recorded);
        if (step != STEP_NEXT) return step;
        if (recorded.excluded) vm->state->history.excluded += 1 + info(choice)->words;
        if (replay_is_pending(vm)) return leave_pending(vm, choice, &recorded);
        *open = recorded.excluded;
        if (recorded.excluded)
            path_add(vm->solver, vm->state->path,
                     term_not(vm->terms, condition_of(vm, choice, recorded.alternative)), NULL);
    } while (*open && replay_is_replaying(vm));
    if (*open) return STEP_NEXT;
    vm->state->history.excluded = excluded; // differs only if the decisions are those of another program
    choice->taken = recorded.alternative;
    if (!recorded.own) assume_alternative(vm, vm->state, condition_of(vm, choice, choice->taken), NULL);
    if (choice->apply) choice->apply(vm, vm->state, choice, choice->taken);
    return end_choice(vm, choice, NULL);
}

// ---- MODEL

// Called if the model does not satisfy the assumption. Ends the running state; the path continues in another state, if
// the assumption can hold.
static enum step defer_assumption(struct vm *vm, struct choice *choice) {
    enum answer answer;
    struct state *other =
        vm_fork_other_side(vm, choice->term, info(choice)->unanswered, choice->now, &answer);
    if (other) {
        record(other, choice, 1);
        emit_retry(vm, choice, other);
    }
    return stop_with(vm, other ? VM_DEFERRED : VM_STOPPED);
}

// Whether the alternatives that the running state does not take become a state. Only a state that follows its model
// may drop them (novelty.h), and only those that none of its seeds takes.
static bool is_alternative_kept(struct vm *vm, const struct choice *choice) {
    if (!vm->state->seed.follows) return true;
    const struct frame *frame = frames_top(&vm->state->frames);
    uint64_t point = hash_combine(hash_combine(frame->function->index, frame->instruction),
                                  hash_combine(choice->kind, has_two_sides(choice) ? choice->taken : 0));
    bool first;
    if (novelty_keeps(&vm->novelty, point, vm->state->number, vm->states.live.count, &first)) return true;
    if (!vm_seeds_agree(vm, condition_of(vm, choice, choice->taken))) return true;
    vm->counts.left_out++;
    if (first) vm_note_incomplete(vm, "further alternatives on the path of a seed are not explored");
    return false;
}

// Whether the case needs a separate state: it has another target than the running state's case, and no earlier case has
// the same target. (The condition of a case includes all cases with its target.)
static bool is_other_case(const struct choice *choice, uint32_t chosen) {
    const struct ir_switch *cases = choice->cases;
    if (chosen == cases->count) return choice->taken != chosen;
    if (choice->taken < cases->count && cases->targets[chosen] == cases->targets[choice->taken]) return false;
    for (uint32_t i = 0; i < chosen; i++)
        if (cases->targets[i] == cases->targets[chosen]) return false;
    return true;
}

struct cases_apart {
    uint64_t at[CASES_APART];
    uint32_t count;
};

// Makes a state for each other case; if there are more than CASES_APART, only for cases that are not covered yet, and
// at most CASES_APART states. Returns the condition of the remaining cases.
static Term fork_cases(struct vm *vm, struct choice *choice, uint32_t others, struct cases_apart *apart) {
    Term rest = term_not(vm->terms, condition_of(vm, choice, choice->taken));
    for (uint32_t i = 0; i <= choice->cases->count && apart->count < CASES_APART; i++) {
        enum answer answer;
        if (!is_other_case(choice, i)) continue;
        if (others > CASES_APART && vm->coverage.edges[edge_of(choice, i)]) continue;
        Term condition = condition_of(vm, choice, i);
        struct state *other =
            vm_fork_other_side(vm, condition, info(choice)->unanswered, choice->now, &answer);
        rest = term_and(vm->terms, rest, term_not(vm->terms, condition));
        apart->at[apart->count++] = i;
        if (!other) continue;
        record(other, choice, i);
        move(vm, other, choice, i);
        emit(vm, choice, other);
    }
    return rest;
}

// The running state takes the case of its model. Each other case becomes a separate state, so that the cases can be
// explored in any order. Beyond CASES_APART one state stands for the remaining cases.
static enum step take_case_by_model(struct vm *vm, struct choice *choice) {
    struct state *other = NULL;
    choice->taken = alternative_of_model(vm, choice);
    if (is_alternative_kept(vm, choice)) {
        enum answer answer;
        struct cases_apart apart = {0};
        uint32_t others = 0;
        for (uint32_t i = 0; i <= choice->cases->count; i++) others += is_other_case(choice, i);
        Term rest = fork_cases(vm, choice, others, &apart);
        if (apart.count < others)
            other = vm_fork_other_side(vm, rest, info(choice)->unanswered, choice->now, &answer);
        if (other) {
            exclude(other, choice, choice->taken);
            for (uint32_t i = 0; i < apart.count; i++) exclude(other, choice, apart.at[i]);
            if (other->waiting.condition) vm_note_deferred(vm, other, choice->cases->default_edge);
        }
    }
    take(vm, vm->state, choice, choice->taken, NULL);
    count(vm, choice, choice->forked || other);
    return end_choice(vm, choice, other);
}

static enum step take_by_model(struct vm *vm, struct choice *choice) {
    if (choice->kind == CHOICE_CASE) return take_case_by_model(vm, choice);
    choice->taken = alternative_of_model(vm, choice);
    if (choice->kind == CHOICE_ASSUMPTION && !choice->taken) return defer_assumption(vm, choice);
    struct state *other = NULL;
    enum answer answer = ANSWER_UNKNOWN;
    Term condition = condition_of(vm, choice, choice->taken);
    if (choice->kind != CHOICE_ASSUMPTION && is_alternative_kept(vm, choice)) {
        Term rest =
            has_two_sides(choice) ? condition_of(vm, choice, !choice->taken) : term_not(vm->terms, condition);
        other = vm_fork_other_side(vm, rest, info(choice)->unanswered, choice->now, &answer);
    }
    if (choice->kind != CHOICE_ASSUMPTION) choice->rest = rest_of(other, answer);
    if (other && has_two_sides(choice)) record(other, choice, !choice->taken);
    if (other && has_exclusions(choice)) exclude(other, choice, choice->taken);
    assume_alternative(vm, vm->state, condition, NULL);
    record(vm->state, choice, choice->taken);
    count(vm, choice, other != NULL);
    return end_choice(vm, choice, other);
}

// ---- EAGER

// Forks a state that takes this alternative, which is a bug, and reports the bug.
static void report_failing(struct vm *vm, struct choice *choice, uint64_t alternative, struct model *model) {
    struct state *running = vm->state, *failing = vm_fork_state(vm);
    take(vm, failing, choice, alternative, model);
    vm->state = failing;
    vm->instruction.is_asked_for = true;
    choice->fails(vm, choice->context);
    vm->instruction.is_asked_for = false;
    assert(vm->state == failing && vm->outcome.event == (vm->instruction.passed ? VM_BUDGET : VM_BUG));
    vm->state = running;
    if (vm->instruction.passed) { // the state reports the bug when it runs
        vm->instruction.passed = false;
        emit_retry(vm, choice, failing);
        return;
    }
    vm->options.sink.found(vm->options.sink.context, failing, &vm->outcome.bug);
}

static void ask_sides(struct vm *vm, const struct choice *choice, struct branch *sides) {
    const struct path_condition *path = vm->state->path;
    if (choice->kind != CHOICE_UNINITIALISED) {
        solver_branch(vm->solver, path, choice->term, sides);
        return;
    }
    *sides = (struct branch){0};
    sides->no.answer =
        solver_may_be_true(vm->solver, path, condition_of(vm, choice, USE_FAILS), &sides->no.model);
    sides->yes.answer = ANSWER_YES;
    if (sides->no.answer == ANSWER_YES)
        sides->yes.answer = solver_may_be_true(vm->solver, path, condition_of(vm, choice, USE_WHERE_DEFINED),
                                               &sides->yes.model);
}

static enum step take_side(struct vm *vm, struct choice *choice, const struct branch *sides) {
    bool yes = sides->yes.answer == ANSWER_YES, no = sides->no.answer == ANSWER_YES;
    bool may_fail = choice->kind == CHOICE_CHECK || choice->kind == CHOICE_UNINITIALISED;
    struct state *other = NULL;
    if (no && may_fail) report_failing(vm, choice, 0, sides->no.model);
    if (no && may_fail && sides->yes.answer == ANSWER_NO) return stop_with(vm, VM_FAILED);
    if (!yes && (!no || may_fail)) return stop_with(vm, VM_UNKNOWN);
    if (yes && no && !may_fail) {
        other = vm_fork_state(vm);
        take(vm, other, choice, 0, sides->no.model);
    }
    choice->taken = yes;
    if (choice->kind == CHOICE_UNINITIALISED && !no) choice->taken = USE_NEVER_DEPENDS;
    choice->rest = rest_of(other, yes ? sides->no.answer : sides->yes.answer);
    if (choice->rest == REST_REFUTED)
        // Implied by the path condition: record the decision, add no constraint.
        record(vm->state, choice, choice->taken);
    else
        take(vm, vm->state, choice, choice->taken, yes ? sides->yes.model : sides->no.model);
    count(vm, choice, other != NULL);
    return end_choice(vm, choice, other);
}

static enum step ask_for_sides(struct vm *vm, struct choice *choice) {
    struct branch sides;
    ask_sides(vm, choice, &sides);
    bool unknown = sides.yes.answer == ANSWER_UNKNOWN || sides.no.answer == ANSWER_UNKNOWN;
    enum step step;
    if (unknown && vm_run_is_over(vm)) {
        step = vm_retry_later(vm);
    } else {
        if (unknown) vm_note_incomplete(vm, info(choice)->unanswered);
        step = take_side(vm, choice, &sides);
    }
    solver_branch_free(&sides);
    return step;
}

static enum step ask_for_assumption(struct vm *vm, struct choice *choice) {
    struct model *model = NULL;
    enum answer answer = solver_may_be_true(vm->solver, vm->state->path, choice->term, &model);
    if (answer == ANSWER_UNKNOWN && vm_run_is_over(vm)) return vm_retry_later(vm);
    if (answer == ANSWER_UNKNOWN) vm_note_incomplete(vm, info(choice)->unanswered);
    if (answer != ANSWER_YES) return stop_with(vm, answer == ANSWER_NO ? VM_STOPPED : VM_UNKNOWN);
    choice->taken = 1;
    take(vm, vm->state, choice, 1, model);
    model_release(model);
    return end_choice(vm, choice, NULL);
}

// Chooses the alternative of the model, whose condition is `*condition`, and queries whether others are feasible. If
// so, `*model` is a model of one of them.
static enum answer ask_for_rest(struct vm *vm, struct choice *choice, Term *condition, struct model **model) {
    choice->taken = alternative_of_model(vm, choice);
    *condition = condition_of(vm, choice, choice->taken);
    return solver_may_be_true(vm->solver, vm->state->path, term_not(vm->terms, *condition), model);
}

// The running state takes the value of the model; the other state excludes that value and will choose again. So there
// will be one state for each value.
static enum step ask_for_value(struct vm *vm, struct choice *choice) {
    Term condition;
    struct model *model = NULL;
    struct state *other = NULL;
    enum answer more = ask_for_rest(vm, choice, &condition, &model);
    if (more == ANSWER_UNKNOWN && vm_run_is_over(vm)) return vm_retry_later(vm);
    if (more == ANSWER_UNKNOWN) vm_note_incomplete(vm, info(choice)->unanswered);
    if (more == ANSWER_YES) {
        other = vm_fork_state(vm);
        path_add(vm->solver, other->path, term_not(vm->terms, condition), model);
        model_release(model);
        exclude(other, choice, choice->taken);
    }
    take_known(vm, vm->state, choice, condition);
    return end_choice(vm, choice, other);
}

// Takes the case of the model, then the case of a model of the rest, and so on: one query for each feasible case.
static enum step ask_for_cases(struct vm *vm, struct choice *choice) {
    for (Term condition;;) {
        struct model *model = NULL;
        enum answer more = ask_for_rest(vm, choice, &condition, &model);
        if (more == ANSWER_UNKNOWN && vm_run_is_over(vm)) return vm_retry_later(vm);
        if (more == ANSWER_UNKNOWN) vm_note_incomplete(vm, info(choice)->unanswered);
        if (more != ANSWER_YES) {
            take_known(vm, vm->state, choice, condition);
            count(vm, choice, choice->forked);
            return end_choice(vm, choice, NULL);
        }
        struct state *other = vm_fork_state(vm); // takes this case; the running state keeps the rest
        take_known(vm, other, choice, condition);
        move(vm, other, choice, choice->taken);
        emit(vm, choice, other);
        path_add(vm->solver, vm->state->path, term_not(vm->terms, condition), model);
        model_release(model);
        exclude(vm->state, choice, choice->taken);
    }
}

static enum step fork_all(struct vm *vm, struct choice *choice) {
    assert(choice->apply && choice->count > 1);
    for (uint32_t i = 1; i < choice->count; i++) {
        struct state *other = vm_fork_state(vm);
        choice->apply(vm, other, choice, i);
        record(other, choice, i);
        emit(vm, choice, other);
    }
    choice->taken = 0;
    record(vm->state, choice, 0);
    choice->apply(vm, vm->state, choice, 0);
    return end_choice(vm, choice, NULL);
}

static enum step fix_value(struct vm *vm, struct choice *choice) {
    choice->taken = alternative_of_model(vm, choice);
    take(vm, vm->state, choice, choice->taken, NULL);
    return end_choice(vm, choice, NULL);
}

static enum step ask(struct vm *vm, struct choice *choice) {
    switch (choice->kind) {
    case CHOICE_CASE: return ask_for_cases(vm, choice);
    case CHOICE_VALUE: return ask_for_value(vm, choice);
    case CHOICE_FIXED: return fix_value(vm, choice);
    case CHOICE_ASSUMPTION: return ask_for_assumption(vm, choice);
    case CHOICE_KERNEL: return fork_all(vm, choice);
    default: return ask_for_sides(vm, choice);
    }
}

// ---- without forks (klee_set_forking): the state takes the alternative of its model, the others are not explored

static void note_left_out(struct vm *vm) {
    vm_note_incomplete(vm, "klee_set_forking(0): the other sides of a branch are not explored");
}

static enum step take_one(struct vm *vm, struct choice *choice) {
    if (choice->kind == CHOICE_KERNEL) {
        note_left_out(vm);
        record(vm->state, choice, choice->taken = 0);
        choice->apply(vm, vm->state, choice, 0);
        return end_choice(vm, choice, NULL);
    }
    Term condition;
    enum answer more = ask_for_rest(vm, choice, &condition, NULL);
    if (more == ANSWER_UNKNOWN && vm_run_is_over(vm)) return vm_retry_later(vm);
    if (more != ANSWER_NO) note_left_out(vm);
    choice->rest = more == ANSWER_NO ? REST_REFUTED : REST_LEFT_OUT;
    take_known(vm, vm->state, choice, condition);
    count(vm, choice, false);
    return end_choice(vm, choice, NULL);
}

// ---- the policy

static bool is_one_of_several(const struct choice *choice) {
    return has_edges(choice) || choice->kind == CHOICE_PART || choice->kind == CHOICE_VALUE ||
           choice->kind == CHOICE_KERNEL;
}

// Whether the running state takes the alternative of its model, without queries for the others.
static bool is_by_model(const struct vm *vm, const struct choice *choice) {
    switch (choice->kind) {
    case CHOICE_CHECK: return vm_asks_nothing(vm);
    case CHOICE_FIXED:
    case CHOICE_KERNEL:
    case CHOICE_UNINITIALISED: return false;
    default: return (vm->options.pending && !choice->now) || vm->state->seed.follows;
    }
}

// Whether the term is a constant: then there is no decision.
static bool find_constant(const struct vm *vm, struct choice *choice) {
    if (!choice->term || choice->kind == CHOICE_UNINITIALISED || !term_is_const(vm->terms, choice->term))
        return false;
    choice->taken = alternative_of(choice, term_value(vm->terms, choice->term));
    return true;
}

enum step vm_choose(struct vm *vm, struct choice *choice) {
    uint32_t edge;
    assert(vm->state->path && !vm->state->waiting.condition);
    assert(choice->term ? term_width(vm->terms, choice->term) <= (has_two_sides(choice) ? 1 : 64)
                        : choice->kind == CHOICE_KERNEL || choice->kind == CHOICE_UNINITIALISED);
    choice->forked = false;
    choice->rest = REST_ELSEWHERE;
    if (info(choice)->use) {
        enum step used = uninit_use_value(vm, &choice->term, info(choice)->use);
        if (used != STEP_NEXT) return used;
    }
    choice->decided = !find_constant(vm, choice);
    if (has_edges(choice) && vm_required_edge(vm, edge_of(choice, 0), &edge))
        return take_required(vm, choice, edge);
    if (!choice->decided) return end_choice(vm, choice, NULL);
    vm->replay.is_ahead = false;
    vm->counts.checks += choice->kind == CHOICE_CHECK;
    if (replay_is_replaying(vm)) {
        bool open;
        enum step step = take_recorded(vm, choice, &open);
        if (!open) return step;
    }
    assert(!replay_is_replaying(vm)); // new decisions follow: no recorded one may be left
    vm->counts.values += choice->kind == CHOICE_VALUE;
    vm->instruction.dangerous |= choice->kind == CHOICE_CHECK;
    enum step step = vm->state->forks_off && is_one_of_several(choice) ? take_one(vm, choice)
                     : is_by_model(vm, choice)                         ? take_by_model(vm, choice)
                                                                       : ask(vm, choice);
    if (choice->kind == CHOICE_CHECK) vm->instruction.dangerous = false;
    return step;
}

// ---- callers

enum step vm_check(struct vm *vm, const char *name, Term ok, void (*fails)(struct vm *vm, void *context),
                   void *context) {
    struct choice choice = {
        .kind = CHOICE_CHECK, .name = name, .term = ok, .fails = fails, .context = context};
    return vm_choose(vm, &choice);
}

enum step vm_assume(struct vm *vm, Term condition) {
    struct choice choice = {.kind = CHOICE_ASSUMPTION, .term = condition};
    return vm_choose(vm, &choice);
}

enum step vm_fork_on_value(struct vm *vm, Term term, uint64_t *value) {
    struct choice choice = {.kind = CHOICE_VALUE, .term = term};
    enum step step = vm_choose(vm, &choice);
    *value = choice.taken;
    return step;
}

enum step vm_part(struct vm *vm, Term condition, bool *taken) {
    struct choice choice = {.kind = CHOICE_PART, .term = condition};
    enum step step = vm_choose(vm, &choice);
    *taken = choice.taken;
    return step;
}

enum step vm_concretize(struct vm *vm, Term term, const char *why, uint64_t *value) {
    // With the check UNINIT, computing with uninitialised bytes is not a use of them yet.
    enum step used =
        uninit_is_checked(vm) ? STEP_NEXT : uninit_use_value(vm, &term, "a value that is concretized");
    if (used != STEP_NEXT) return used;
    struct choice choice = {.kind = CHOICE_FIXED, .term = uninit_as_zero(vm, term)};
    if (!term_is_const(vm->terms, choice.term)) vm_note_incomplete(vm, why);
    enum step step = vm_choose(vm, &choice);
    *value = choice.taken;
    return step;
}
