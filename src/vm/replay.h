// Replay: the running state takes recorded decisions instead of making new ones. They come from the caller (vm_follow,
// vm_follow_until, vm_follow_pending), or from the state's own history, for an instruction that it re-executes.
#ifndef TAMAR_VM_REPLAY_H
#define TAMAR_VM_REPLAY_H

#include "vm/vm_int.h"

// Whether decisions of the state's own history are left for the instruction that it re-executes. They are already in
// the history, and their conditions in the path condition.
static inline bool replay_is_repeating(const struct vm *vm) {
    return vm->replay.own_read < vm->replay.own.count;
}
// Whether the state takes recorded decisions, or has used them up and must stop before the next one.
static inline bool replay_is_replaying(const struct vm *vm) {
    return vm->replay.count || vm->replay.mode == REPLAY_STOP || vm->replay.mode == REPLAY_PENDING ||
           replay_is_repeating(vm);
}
// Whether the recorded decisions are used up and the state must stop before the next one.
static inline bool replay_is_over(const struct vm *vm) {
    return replay_is_replaying(vm) && !vm->replay.count && !replay_is_repeating(vm);
}
// Whether the decision that was read last becomes the pending condition.
static inline bool replay_is_pending(const struct vm *vm) {
    return vm->replay.mode == REPLAY_PENDING && !vm->replay.count && !replay_is_repeating(vm);
}
// Reads the next recorded word, and adds it to the history unless it comes from there. Returns false if none is left.
bool replay_next(struct vm *vm, uint32_t *word);
// Ends the run: the state will re-execute the instruction. Its history is cut to the decisions before the instruction,
// but the path condition keeps the conditions of decisions made in it.
enum step replay_stop(struct vm *vm);

#endif
