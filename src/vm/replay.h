// Recorded decisions that the running state takes in place of its own: those that it is given (vm_follow, vm_follow_until,
// vm_follow_pending), and those of its own trail that belong to an instruction which it repeats.
#ifndef TAMAR_VM_REPLAY_H
#define TAMAR_VM_REPLAY_H

#include "vm/vm_int.h"

// Its own words are in the trail, and their conditions in the path condition.
static inline bool is_repeating(const struct vm *vm) { return vm->replay.own_read < vm->replay.own.count; }
// Does the state take recorded decisions, or has it used up those after which it must not decide anything?
static inline bool is_replaying(const struct vm *vm) {
    return vm->replay.count || vm->replay.mode == REPLAY_STOP || vm->replay.mode == REPLAY_PENDING ||
           is_repeating(vm);
}
// The recorded decisions are used up, and the state has to stop before the next one.
static inline bool replay_is_over(const struct vm *vm) {
    return is_replaying(vm) && !vm->replay.count && !is_repeating(vm);
}
// The decision that was read last is to become the pending condition.
static inline bool replay_is_pending(const struct vm *vm) {
    return vm->replay.mode == REPLAY_PENDING && !vm->replay.count && !is_repeating(vm);
}
// The next recorded word, which is in the trail then; false: none is left.
bool replay_next(struct vm *vm, uint32_t *word);
// Ends the run: the state stands before the instruction, and its trail ends there. Its path condition keeps what it has decided
// in the instruction.
enum step replay_stop(struct vm *vm);

#endif
