// The loop's two forms, and what only they use.
#include "vm/vm_int.h"

// The index of the case for this value, or the number of cases.
static inline uint32_t switch_case(const struct ir_switch *table, uint64_t value) {
    if (table->dense) {
        uint64_t index = value - table->values[0];
        return index < table->count ? (uint32_t)index : table->count;
    }
    uint32_t low = 0, high = table->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (table->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->count && table->values[low] == value ? low : table->count;
}

// The terms of a call's arguments, if there are any.
static inline void pass_terms(struct frame *callee, struct frame *caller, const uint32_t *list,
                              uint32_t count) {
    const uint32_t *terms = frame_terms(caller);
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] & IR_CONSTANT || !terms[list[i]]) continue;
        frame_add_terms(callee);
        frame_terms(callee)[i] = terms[list[i]];
    }
}

#define SYMBOLIC 0
#define LOOP     run_concrete
#include "vm/interpret_loop.h"
#undef SYMBOLIC
#undef LOOP

#define SYMBOLIC 1
#define LOOP     run_symbolic
#include "vm/interpret_loop.h"
#undef SYMBOLIC
#undef LOOP

enum step interpret(struct vm *vm) {
    enum step step;
    do {
        step = frames_top(&vm->state->frames)->has_terms ? run_symbolic(vm) : run_concrete(vm);
    } while (step != STEP_STOP);
    return step;
}
