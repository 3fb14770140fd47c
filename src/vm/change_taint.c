// Change taint: values that are computed on changed lines, or from such values.
//
// Instructions of the C library count for the line of the call in user code: a comparison inside strcmp is tainted if
// the line of the call has changed.
#include "vm/vm_int.h"

uint32_t vm_change_taint(struct vm *vm) {
    const struct frame_chunk *chunk = vm->state->frames.chunk;
    const struct frame *frame = chunk ? frames_top(&vm->state->frames) : NULL;
    while (frame && frame->function->runtime) frame = frames_below(&chunk, frame);
    if (!frame) return 0;
    vm->instruction.location = frame->function->locations[frame->instruction];
    assert(vm->instruction.location < vm->program->location_count);
    return vm->options.changed[vm->instruction.location] ? SLOT_CHANGED : 0;
}
