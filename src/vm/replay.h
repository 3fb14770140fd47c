// Recorded decisions that the running state takes in place of its own. See vm_follow, vm_follow_until, vm_follow_again.
#ifndef TAMAR_VM_REPLAY_H
#define TAMAR_VM_REPLAY_H

#include "vm/vm_int.h"

// Does the state take recorded decisions, or has it used up those after which it must not decide anything?
static inline bool is_replaying(const struct vm *vm) {
    return vm->replay.count || vm->replay.mode == REPLAY_STOP || vm->replay.mode == REPLAY_RETRY;
}
// The recorded decisions are used up, and the state has to stop before the next one.
static inline bool replay_is_over(const struct vm *vm) { return is_replaying(vm) && !vm->replay.count; }
// The decision that was read last is the one with which the attempt of an instruction ended.
static inline bool retry_is_over(const struct vm *vm) {
    return vm->replay.mode == REPLAY_RETRY && !vm->replay.count;
}
// The next recorded word; false: none is left.
bool replay_next(struct vm *vm, uint32_t *word);
// Ends the run: the state will execute its instruction again. Its path condition keeps what it has decided there.
enum step replay_stop(struct vm *vm);
// A state that will repeat the instruction keeps beside its decisions those that it made there.
void note_repetition(struct vm *vm, struct state *other);

#endif
