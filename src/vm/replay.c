// Replaying recorded decisions: where they come from, and stopping where they end, so that a state can be rebuilt.
#include "vm/replay.h"

#include <string.h>

void vm_follow(struct vm *vm, const uint32_t *decisions, uint32_t count) {
    vm->replay = (struct replay){decisions, count, REPLAY_ON, false};
}

void vm_follow_until(struct vm *vm, const uint32_t *decisions, uint32_t count) {
    vm->replay = (struct replay){decisions, count, REPLAY_STOP, false};
}

void vm_follow_again(struct vm *vm, const uint32_t *decisions, uint32_t count) {
    assert(count);
    vm->replay = (struct replay){decisions, count, REPLAY_RETRY, false};
}

bool vm_follow_stopped(const struct vm *vm) { return vm->replay.mode == REPLAY_STOPPED; }
uint32_t vm_follow_left(const struct vm *vm) { return vm->replay.count; }

bool replay_next(struct vm *vm, uint32_t *word) {
    if (!vm->replay.count) {
        vm->replay.is_cut = true;
        return false;
    }
    *word = *vm->replay.next++;
    vm->replay.count--;
    return true;
}

enum step replay_stop(struct vm *vm) {
    assert(!vm->replay.count);
    trail_cut(&vm->state->trail, vm->trail_mark);
    vm->replay.mode = REPLAY_STOPPED;
    vm->event = VM_BUDGET;
    return STEP_STOP;
}

void note_repetition(struct vm *vm, struct state *other) {
    uint32_t count = trail_count(other->trail) - vm->trail_mark;
    assert(trail_count(other->trail) >= vm->trail_mark);
    if (other->again_at != vm->trail_mark) {
        trail_free(other->again);
        other->again = (struct trail){0};
        other->again_at = vm->trail_mark;
    }
    if (!count) return;
    uint32_t *decisions = NEW_ARRAY(uint32_t, count);
    trail_copy_from(other->trail, vm->trail_mark, decisions);
    trail_add(&other->again, count);
    for (uint32_t i = 0; i < count; i++) trail_add(&other->again, decisions[i]);
    DELETE_ARRAY(decisions, count);
}

void vm_number_from(struct vm *vm, uint64_t number) {
    assert(number >= vm->next_state);
    vm->next_state = number;
}

struct state *vm_fork(struct vm *vm, struct state *state) {
    vm->state = state;
    vm->steps = 0; // the state has them
    return fork_state(vm);
}

struct state *const *vm_live(const struct vm *vm, uint32_t *count) {
    *count = vm->live.count;
    return vm->live.at;
}

void vm_restore_coverage(struct vm *vm, const uint8_t *edges_seen, const uint8_t *edges_decided,
                         const uint32_t *put_off, const uint8_t *functions_seen) {
    memcpy(vm->put_off, put_off, vm->program->block_count * sizeof *put_off);
    memcpy(vm->edges_seen, edges_seen, vm->program->edge_count);
    memcpy(vm->edges_decided, edges_decided, vm->program->edge_count);
    memcpy(vm->functions_seen, functions_seen, vm->program->function_count);
}
