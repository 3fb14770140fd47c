// Facts (choice.h): answers of the solver on which terms depend, recorded as decisions.
#include "vm/choice.h"
#include "vm/replay.h"

bool vm_is_recorded(struct vm *vm, enum step *step) {
    vm->replay.is_ahead = false;
    *step = replay_is_over(vm) ? replay_stop(vm) : STEP_NEXT;
    return *step == STEP_NEXT && replay_is_replaying(vm);
}

void vm_recall(struct vm *vm, uint32_t *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        words[i] = 0;
        replay_next(vm, &words[i]);
    }
}

enum step vm_recalled(struct vm *vm) {
    if (!vm->replay.is_cut) return STEP_NEXT;
    vm->replay.is_cut = false;
    // The decisions of a whole path do not end within a decision, so these are decisions of another program.
    if (vm->replay.mode != REPLAY_ON) return replay_stop(vm);
    vm->outcome.event = VM_UNKNOWN;
    return STEP_STOP;
}

void vm_know(struct vm *vm, const uint32_t *words, uint32_t count) {
    assert(!vm->state->history.excluded && !replay_is_replaying(vm));
    for (uint32_t i = 0; i < count; i++) shared_list_add(&vm->state->history.decisions, words[i]);
}

uint64_t vm_recall_number(struct vm *vm) {
    uint32_t words[2];
    vm_recall(vm, words, 2);
    return words[0] | (uint64_t)words[1] << 32;
}

void vm_know_number(struct vm *vm, uint64_t number) {
    vm_know(vm, (uint32_t[]){(uint32_t)number, (uint32_t)(number >> 32)}, 2);
}

enum step vm_ask(struct vm *vm, Term condition, enum answer *answer) {
    enum step step;
    uint32_t word;
    if (term_is_const(vm->terms, condition)) {
        *answer = term_is_zero(vm->terms, condition) ? ANSWER_NO : ANSWER_YES;
        return STEP_NEXT;
    }
    if (vm_is_recorded(vm, &step)) {
        vm_recall(vm, &word, 1);
    } else if (step == STEP_NEXT) {
        word = solver_may_be_true(vm->solver, vm->state->path, condition, NULL);
        if (word == ANSWER_UNKNOWN && vm_run_is_over(vm)) return vm_retry_later(vm);
        vm_know(vm, &word, 1);
    } else {
        return step;
    }
    *answer = word;
    return STEP_NEXT;
}

enum step vm_fixes_values(struct vm *vm, bool *fixes) {
    enum step step;
    uint32_t word = vm->state->seed.follows;
    if (vm_is_recorded(vm, &step))
        vm_recall(vm, &word, 1);
    else if (step == STEP_NEXT)
        vm_know(vm, &word, 1);
    *fixes = word;
    return step;
}

enum step vm_bounds(struct vm *vm, Term term, uint64_t *low, uint64_t *high) {
    enum step step;
    if (term_is_const(vm->terms, term)) {
        *low = *high = term_value(vm->terms, term);
        return STEP_NEXT;
    }
    if (vm_is_recorded(vm, &step)) {
        *low = vm_recall_number(vm);
        *high = vm_recall_number(vm);
        return vm_recalled(vm);
    }
    if (step != STEP_NEXT) return step;
    solver_bounds(vm->solver, vm->state->path, term, low, high);
    vm_know_number(vm, *low);
    vm_know_number(vm, *high);
    return STEP_NEXT;
}

enum step vm_fold_implied(struct vm *vm, Term *term) {
    enum step step;
    uint32_t implied = 0;
    uint64_t value = 0;
    if (!solver_is_choice(vm->terms, *term)) return STEP_NEXT;
    if (vm_is_recorded(vm, &step)) {
        vm_recall(vm, &implied, 1);
        if (implied) value = vm_recall_number(vm);
        step = vm_recalled(vm);
        if (step != STEP_NEXT) return step;
    } else if (step == STEP_NEXT) {
        implied =
            !vm->state->seed.follows && solver_implied_value(vm->solver, vm->state->path, *term, &value);
        vm_know(vm, &implied, 1);
        if (implied) vm_know_number(vm, value);
    } else {
        return step;
    }
    if (!implied) return STEP_NEXT;
    *term = term_const(vm->terms, term_width(vm->terms, *term), value);
    return STEP_NEXT;
}
