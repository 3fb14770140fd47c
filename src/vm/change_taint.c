// Change taint: values that are computed on changed lines, or from such values.
//
// A state whose side of a branch begins with changed code has the class CHOICE_TOWARD. A case of a switch that leads to
// changed code also has CHOICE_CHANGED: a new case changes no value, and the line of the switch may be unchanged.
//
// An instruction of the C library has the line of the call in user code: a comparison inside strcmp is tainted if the
// line of the call has changed.
#include "vm/vm_int.h"

static bool begins_changed(const struct vm *vm, const struct frame *frame) {
    const struct ir_function *function = frame->function;
    if (function->runtime) return false;
    uint32_t end = function->blocks[ir_block_at(function, frame->instruction)].end;
    for (uint32_t i = frame->instruction; i < end; i++)
        if (vm->options.changed[function->locations[i]]) return true;
    return false;
}

void vm_note_change_ahead(struct vm *vm, struct state *state, bool is_case) {
    if (LIKELY(!vm->options.changed) || !begins_changed(vm, frames_top(&state->frames))) return;
    state->fork.class |= is_case ? CHOICE_CHANGED | CHOICE_TOWARD : CHOICE_TOWARD;
}

uint32_t vm_change_taint(struct vm *vm) {
    const struct frame_chunk *chunk = vm->state->frames.chunk;
    const struct frame *frame = chunk ? frames_top(&vm->state->frames) : NULL;
    while (frame && frame->function->runtime) frame = frames_below(&chunk, frame);
    if (!frame) return 0;
    vm->instruction.location = frame->function->locations[frame->instruction];
    assert(vm->instruction.location < vm->program->location_count);
    return vm->options.changed[vm->instruction.location] ? SLOT_CHANGED : 0;
}
