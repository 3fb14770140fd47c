// Replaying recorded decisions: where they come from, and stopping where they end, so that a state can be rebuilt.
#include "vm/replay.h"

#include <string.h>

static void follow(struct vm *vm, const uint32_t *decisions, uint32_t count, int mode) {
    vm->replay.next = decisions;
    vm->replay.count = count;
    vm->replay.mode = mode;
    vm->replay.is_cut = false;
}

void vm_follow(struct vm *vm, const uint32_t *decisions, uint32_t count) {
    follow(vm, decisions, count, REPLAY_ON);
}

void vm_follow_until(struct vm *vm, const uint32_t *decisions, uint32_t count) {
    follow(vm, decisions, count, REPLAY_STOP);
}

void vm_follow_pending(struct vm *vm, const uint32_t *decisions, uint32_t count) {
    assert(count);
    follow(vm, decisions, count, REPLAY_PENDING);
}

bool vm_follow_stopped(const struct vm *vm) { return vm->replay.mode == REPLAY_STOPPED; }
uint32_t vm_follow_left(const struct vm *vm) { return vm->replay.count; }

bool replay_next(struct vm *vm, uint32_t *word) {
    struct replay *replay = &vm->replay;
    if (is_repeating(vm)) {
        *word = replay->own.at[replay->own_read++];
        return true;
    }
    if (!replay->count) {
        replay->is_cut = true;
        return false;
    }
    *word = *replay->next++;
    replay->count--;
    trail_add(&vm->state->trail, *word);
    return true;
}

enum step replay_stop(struct vm *vm) {
    assert(!vm->replay.count);
    trail_cut(&vm->state->trail, vm->trail_mark);
    vm->state->excluded = 0;
    vm->replay.mode = REPLAY_STOPPED;
    vm->event = VM_BUDGET;
    return STEP_STOP;
}

// ---- instructions that are repeated

void begin_repetition(struct vm *vm) {
    struct state *state = vm->state;
    struct replay *replay = &vm->replay;
    assert(state->repeated <= trail_count(state->trail) && state->excluded <= state->repeated);
    vec_clear(&replay->own);
    replay->own_read = 0;
    replay->is_ahead = state->repeated != 0;
    if (!state->repeated) return;
    vm->trail_mark = trail_count(state->trail) - state->repeated;
    vec_reserve(&replay->own, state->repeated);
    trail_copy_from(state->trail, vm->trail_mark, replay->own.at);
    replay->own.count = state->repeated - state->excluded;
    state->repeated = 0;
}

void begin_decisions(struct vm *vm) {
    if (vm->replay.is_ahead) return;
    assert(!is_repeating(vm) && !vm->state->excluded);
    vm->trail_mark = trail_count(vm->state->trail);
}

void repeat_instruction(const struct vm *vm, struct state *state) {
    assert(!state->repeated && trail_count(state->trail) >= vm->trail_mark);
    state->repeated = trail_count(state->trail) - vm->trail_mark;
    assert(state->excluded <= state->repeated);
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
                         const uint32_t *put_off, const uint8_t *functions_seen,
                         const uint8_t *positions_seen) {
    memcpy(vm->put_off, put_off, vm->program->block_count * sizeof *put_off);
    memcpy(vm->edges_seen, edges_seen, vm->program->edge_count);
    memcpy(vm->edges_decided, edges_decided, vm->program->edge_count);
    memcpy(vm->functions_seen, functions_seen, vm->program->function_count);
    memcpy(vm->positions_seen, positions_seen, vm->program->position_count + 1);
    vm->positions_seen[0] = 1;
    for (uint32_t e = 0; e < vm->program->edge_count; e++)
        vm->blocks_left[vm->program->edges[e].from] |= edges_seen[e];
}
