// The two instances of the loop, and their helpers.
#include "vm/provenance.h"

// Returns the index of the case for this value, or the number of cases.
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

// Passes the terms of a call's arguments, if there are any.
static inline void pass_terms(struct frame *callee, struct frame *caller, const uint32_t *list,
                              uint32_t count) {
    assert(caller->has_terms && count <= callee->function->register_count);
    const uint32_t *terms = frame_terms(caller);
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] & IR_CONSTANT || !terms[list[i]]) continue;
        frame_add_terms(callee);
        frame_terms(callee)[i] = terms[list[i]];
    }
}

// Begins or ends the scope of a local of at most eight bytes in a translated page. Returns false if step_scope must do
// it.
static inline bool mark_word(struct vm *vm, const struct frame *frame, const struct ir_insn *insn,
                             bool begins) {
    uint64_t address = frame->memory + insn->dst, size = insn->b, offset = address & (PAGE_SIZE - 1);
    const struct translation *entry = &vm->cache.write[(address >> PAGE_BITS) & (TRANSLATIONS - 1)];
    if (UNLIKELY(entry->page != (address >> PAGE_BITS | vm->cache.tag)) || size - 1 >= 8 ||
        offset + size > PAGE_SIZE)
        return false;
    const struct page *page = (const struct page *)(entry->bytes - offsetof(struct page, bytes));
    bool fresh = begins && vm->initial_shadow; // the local has no value yet
    if (fresh && memory_page_has_terms(page, (uint32_t)offset, (uint32_t)size)) return false;
    // The read may extend into the guard after the shadow, which stays unchanged.
    uint8_t *shadow = entry->bytes + offset + PAGE_SIZE;
    uint64_t word, lanes = UINT64_MAX >> (64 - 8 * size), each = 0x0101010101010101u & lanes;
    memcpy(&word, shadow, sizeof word);
    if (fresh)
        word = (word & ~lanes) | each * vm->initial_shadow;
    else
        word = begins ? word & ~(each * SHADOW_OUT_OF_SCOPE) : word | each * SHADOW_OUT_OF_SCOPE;
    memcpy(shadow, &word, sizeof word);
    return true;
}

// Clears the shadow of bytes (at most 8) that are about to be written for the first time. Returns false, and changes
// nothing, if their shadow has other bits.
static inline bool first_write(struct vm *vm, uint64_t address, unsigned size) {
    const struct translation *entry = &vm->cache.write[(address >> PAGE_BITS) & (TRANSLATIONS - 1)];
    uint64_t word, offset = address & (PAGE_SIZE - 1), lanes = UINT64_MAX >> (64 - 8 * size);
    if (entry->page != (address >> PAGE_BITS | vm->cache.tag) || size > PAGE_SIZE - offset) return false;
    // The read may extend into the guard after the shadow, which stays unchanged.
    uint8_t *shadow = entry->bytes + offset + PAGE_SIZE;
    memcpy(&word, shadow, sizeof word);
    if (word & lanes & ~(0x0101010101010101u * SHADOW_UNINIT)) return false;
    word &= ~lanes;
    memcpy(shadow, &word, sizeof word);
    return true;
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

enum step vm_interpret(struct vm *vm) {
    enum step step;
    do {
        step = frames_top(&vm->state->frames)->has_terms ? run_symbolic(vm) : run_concrete(vm);
    } while (step != STEP_STOP);
    return step;
}
