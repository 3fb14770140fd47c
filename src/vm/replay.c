// Replay of recorded decisions, and stopping where they end, so that a state can be rebuilt.
#include "vm/replay.h"

#include "base/clock.h"

#include <string.h>

static void follow(struct vm *vm, const uint32_t *decisions, uint32_t count, int mode) {
    assert(decisions || !count);
    vm->replay.next = decisions;
    vm->replay.count = count;
    vm->replay.mode = mode;
    vm->replay.is_cut = false;
    vm->replay.used_up = 0;
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

bool vm_is_replaying(const struct vm *vm) { return replay_is_replaying(vm); }
bool vm_follow_stopped(const struct vm *vm) { return vm->replay.mode == REPLAY_STOPPED; }
uint32_t vm_follow_left(const struct vm *vm) { return vm->replay.count; }
double vm_follow_used_up(const struct vm *vm) { return vm->replay.used_up; }

bool replay_next(struct vm *vm, uint32_t *word) {
    struct replay *replay = &vm->replay;
    assert(replay->own_read <= replay->own.count);
    if (replay_is_repeating(vm)) {
        *word = replay->own.at[replay->own_read++];
        return true;
    }
    if (!replay->count) {
        replay->is_cut = true;
        return false;
    }
    *word = *replay->next++;
    if (!--replay->count) replay->used_up = clock_processor_seconds();
    shared_list_add(&vm->state->history.decisions, *word);
    return true;
}

enum step replay_stop(struct vm *vm) {
    assert(!vm->replay.count);
    shared_list_cut(&vm->state->history.decisions, vm->instruction.decisions);
    vm->state->history.excluded = 0;
    vm->replay.mode = REPLAY_STOPPED;
    vm->outcome.event = VM_BUDGET;
    return STEP_STOP;
}

// ---- instructions that are re-executed

void replay_begin_retry(struct vm *vm) {
    struct state *state = vm->state;
    struct replay *replay = &vm->replay;
    assert(state->history.repeated <= shared_list_count(state->history.decisions) &&
           state->history.excluded <= state->history.repeated);
    replay_end_retry(vm);
    replay->is_ahead = state->history.repeated != 0;
    if (!state->history.repeated) return;
    vm->instruction.decisions = shared_list_count(state->history.decisions) - state->history.repeated;
    vec_reserve(&replay->own, state->history.repeated);
    shared_list_copy_from(state->history.decisions, vm->instruction.decisions, replay->own.at);
    replay->own.count = state->history.repeated - state->history.excluded;
    state->history.repeated = 0;
}

void replay_end_retry(struct vm *vm) {
    vec_clear(&vm->replay.own);
    vm->replay.own_read = 0;
}

void replay_begin_decisions(struct vm *vm) {
    vm->instruction.passed = vm->instruction.is_block = false;
    if (vm->replay.is_ahead) return;
    assert(!replay_is_repeating(vm) && !vm->state->history.excluded);
    vm->instruction.decisions = shared_list_count(vm->state->history.decisions);
}

void replay_retry_instruction(const struct vm *vm, struct state *state) {
    assert(!state->history.repeated &&
           shared_list_count(state->history.decisions) >= vm->instruction.decisions);
    state->history.repeated = shared_list_count(state->history.decisions) - vm->instruction.decisions;
    assert(state->history.excluded <= state->history.repeated);
}

void vm_number_from(struct vm *vm, uint64_t number) {
    assert(number >= vm->states.next);
    vm->states.next = number;
}

struct state *vm_fork(struct vm *vm, struct state *state) {
    vm->state = state;
    vm->budget.steps = 0; // state->instructions has them already
    if (state->path) return vm_fork_state(vm);
    struct state *copy = state_fork(state, vm->states.next++); // of a concrete run
    vm_forget_translations(vm);                                // every page is shared now
    return copy;
}

struct state *const *vm_live(const struct vm *vm, uint32_t *count) {
    *count = vm->states.live.count;
    return vm->states.live.at;
}

void vm_restore_coverage(struct vm *vm, const uint8_t *edges_seen, const uint8_t *edges_decided,
                         const uint32_t *pending_per_block, const uint8_t *functions_seen,
                         const uint8_t *positions_seen) {
    memcpy(vm->coverage.deferred, pending_per_block, vm->program->block_count * sizeof *pending_per_block);
    memcpy(vm->coverage.edges, edges_seen, vm->program->edge_count);
    memcpy(vm->coverage.symbolic_edges, edges_decided, vm->program->edge_count);
    memcpy(vm->coverage.functions, functions_seen, vm->program->function_count);
    memcpy(vm->coverage.positions, positions_seen, vm->program->position_count + 1);
    vm->coverage.positions[0] = 1;
    for (uint32_t e = 0; e < vm->program->edge_count; e++)
        vm->coverage.blocks_left[vm->program->edges[e].from] |= edges_seen[e];
}

void vm_learn_coverage(struct vm *vm, const uint32_t *edges, uint32_t edge_count, const uint32_t *functions,
                       uint32_t function_count) {
    for (uint32_t i = 0; i < edge_count; i++) {
        assert(edges[i] < vm->program->edge_count);
        vm->coverage.edges[edges[i]] = 1;
        vm->coverage.blocks_left[vm->program->edges[edges[i]].from] = 1;
    }
    for (uint32_t i = 0; i < function_count; i++) {
        assert(functions[i] < vm->program->function_count);
        vm->coverage.functions[functions[i]] = 1;
    }
}
