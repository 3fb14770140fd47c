// Making and freeing states; ending a run in the middle of an instruction.
#include "vm/vm_int.h"

struct state *vm_fork_state(struct vm *vm) {
    assert(vm->state->path);
    struct state *child = state_fork(vm->state, vm->states.next++);
    child->path = NEW(struct path_condition);
    *child->path = path_copy(vm->state->path);
    child->instructions += vm->budget.steps; // instructions executed in this run so far
    child->live_index = vm->states.live.count;
    child->fork.depth = ++vm->state->fork.depth;
    child->fork.location = vm->instruction.location;
    child->fork.class = (uint8_t)((vm->instruction.change_taint ? CHOICE_CHANGED : 0) |
                                  (vm->instruction.dangerous ? CHOICE_DANGEROUS : 0));
    vec_push(&vm->states.live, child);
    vm_forget_translations(vm); // every page is shared now
    return child;
}

void vm_free_state(struct vm *vm, struct state *state) {
    if (state->path) {
        assert(state->live_index < vm->states.live.count && vm->states.live.at[state->live_index] == state);
        path_free(state->path);
        DELETE(state->path);
        state->path = NULL;
        struct state *last = vec_pop(&vm->states.live);
        if (last != state) {
            vm->states.live.at[state->live_index] = last;
            last->live_index = state->live_index;
        }
    }
    state_free(state);
}

void vm_note_incomplete(struct vm *vm, const char *what) {
    if (vm->options.sink.gave_up)
        vm->options.sink.gave_up(vm->options.sink.context, what, vm_current_site(vm), true);
}

void vm_note_fallback(struct vm *vm, const char *what) {
    if (vm->options.sink.gave_up)
        vm->options.sink.gave_up(vm->options.sink.context, what, vm_current_site(vm), false);
}

uint64_t vm_next_number(const struct vm *vm) { return vm->states.next; }

enum step vm_retry_later(struct vm *vm) {
    replay_retry_instruction(vm, vm->state);
    vm->outcome.event = VM_BUDGET;
    return STEP_STOP;
}
