// Lowers the calls made by instrumented_rewrite to HOLDS and BELOW.
#include "base/bug_kinds.h"
#include "front/front_int.h"

// Emits HOLDS: the check fails if the bit is 0. `first`, `second`: registers of one slot whose values the message
// shows; either may be the bit.
static void lower_emit_holds(struct lowering *l, uint32_t bit, uint32_t check, uint32_t first,
                             uint32_t second) {
    assert(check < l->front->checks.count);
    emit(l, IR_HOLDS, 1, 0, bit, check);
    emit_extra(l, 0, 0, first, second);
}

uint32_t lower_add_check(struct front *front, uint32_t kind, const char *text) {
    struct ir_check check = {.kind = kind, .text = debug_intern_string(front, text, strlen(text))};
    vec_push(&front->checks, check);
    return front->checks.count - 1;
}

// Sets the object of a subscript's check: addresses and the numbers of locals are known only now.
static void place_object(struct lowering *l, uint32_t index) {
    uint64_t *place = map_get(&l->front->check_objects, index);
    struct ir_check *check = &l->front->checks.at[index];
    LLVMValueRef object = place ? (LLVMValueRef)(uintptr_t)*place : NULL;
    if (!object) return;
    uint64_t *local = LLVMIsAAllocaInst(object) ? map_get(&l->objects, (uintptr_t)object) : NULL;
    if (local)
        check->local = (uint32_t)*local - 1;
    else if (LLVMIsAGlobalVariable(object) && !LLVMIsThreadLocal(object))
        check->address = constant_word(l->front, object);
    else
        check->scale = 0;
}

bool lower_check(struct lowering *l, LLVMValueRef call) {
    uint64_t *place = map_get(&l->front->check_calls, (uintptr_t)call);
    if (!place) return false;
    if (LLVMGetNumArgOperands(call) == 2) {
        LLVMValueRef index = LLVMGetOperand(call, 0);
        uint64_t bound = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1));
        unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(index));
        if (lower_is_index_below(l, index, bound))
            return true; // an earlier check on every path to here implies it
        place_object(l, (uint32_t)*place - 1);
        emit(l, IR_BELOW, width, (uint32_t)bound, lower_leaf_register(l, index, 0), (uint32_t)*place - 1);
        lower_note_bounded(l, index, bound);
        return true;
    }
    uint32_t registers[3];
    for (unsigned i = 0; i < COUNT(registers); i++)
        registers[i] = lower_leaf_register(l, LLVMGetOperand(call, i), 0);
    lower_emit_holds(l, registers[0], (uint32_t)*place - 1, registers[1], registers[2]);
    return true;
}
