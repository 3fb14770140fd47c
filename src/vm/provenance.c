// The objects that pointers belong to: see provenance.h.
#include "vm/provenance.h"

#include "ir/registers.h"
#include "vm/choice.h"
#include "vm/numeric.h"

// ---- the table of pointers

static uint64_t pointer_key(Term term, struct pointer_origin origin) {
    return hash_combine(hash_combine(term, origin.start), hash_combine(origin.identity, origin.base)) >> 1;
}

uint32_t provenance_pointer_slot(struct vm *vm, Term term, struct pointer_origin origin) {
    uint64_t key = pointer_key(term, origin), *known = map_put(&vm->pointers.index, key);
    const struct pointer *old = *known ? &vm->pointers.at.at[*known - 1] : NULL;
    if (!old || old->term != term || old->start != origin.start || old->identity != origin.identity ||
        old->base != origin.base) {
        vec_push(&vm->pointers.at, ((struct pointer){term, origin.start, origin.identity, origin.base}));
        *known = vm->pointers.at.count;
    }
    assert(*known <= SLOT_POINTER);
    return (uint32_t)(*known - 1) | SLOT_POINTER | vm->instruction.change_taint;
}

static const struct pointer *pointer_of(const struct vm *vm, uint32_t slot) {
    uint32_t index = slot & ~(SLOT_CHANGED | SLOT_POINTER);
    assert(slot & SLOT_POINTER && index < vm->pointers.at.count);
    return &vm->pointers.at.at[index];
}

struct pointer_origin provenance_of_slot(const struct vm *vm, uint32_t slot) {
    const struct pointer *pointer = pointer_of(vm, slot);
    return (struct pointer_origin){pointer->start, pointer->identity, pointer->base};
}

Term vm_slot_term(const struct vm *vm, uint32_t slot) {
    return LIKELY(!(slot & SLOT_POINTER)) ? slot & ~(SLOT_CHANGED | SLOT_ARRAY) : pointer_of(vm, slot)->term;
}

void provenance_free(struct vm *vm) {
    vec_free(&vm->pointers.at);
    map_free(&vm->pointers.index);
}

// ---- owners

// Distance up to which an address is near an object: less than half of the distance between two objects, so that no
// address is near two of them.
static uint64_t nearness(enum object_kind kind) {
    return kind == OBJECT_LOCAL || kind == OBJECT_STRING ? 7 : 15;
}

static bool is_in_slot(enum object_kind kind) {
    return kind == OBJECT_HEAP || kind == OBJECT_SYSTEM || kind == OBJECT_KERNEL ||
           kind == OBJECT_THREAD_BLOCK || kind == OBJECT_MAPPING;
}

bool provenance_is_near(const struct object *object, uint64_t address) {
    struct object_range range;
    if (is_in_slot(object->kind)) {
        heap_slot_range(object->start, &range.low, &range.span);
    } else {
        uint64_t beside = nearness(object->kind);
        range = (struct object_range){object->start - beside, object->size + 2 * beside};
    }
    return address - range.low <= range.span;
}

bool provenance_owner_of_address(const struct vm *vm, uint64_t address, struct object *object) {
    if (!object_find(vm->state, address, object) || object->life != OBJECT_LIVE || !object->identity)
        return false;
    return provenance_is_near(object, address);
}

static bool owner_of_origin(const struct vm *vm, struct pointer_origin origin, struct object *object) {
    return origin.identity && object_find(vm->state, origin.start, object) &&
           object->identity == origin.identity && object->life == OBJECT_LIVE &&
           object->start == origin.start;
}

bool provenance_owner_of_register(struct vm *vm, struct frame *frame, uint32_t index, struct object *object) {
    uint32_t slot = frame->has_terms ? frame_terms(frame)[index] : 0;
    if (provenance_slot_has_origin(slot)) return owner_of_origin(vm, provenance_of_slot(vm, slot), object);
    return !slot && provenance_owner_of_address(vm, frame->registers[index], object);
}

Term provenance_base_of_register(struct vm *vm, struct frame *frame, uint32_t index) {
    uint32_t slot = frame->has_terms ? frame_terms(frame)[index] : 0;
    if (!provenance_slot_has_origin(slot))
        return slot ? vm_slot_term(vm, slot) : term_const(vm->terms, 64, frame->registers[index]);
    struct pointer_origin origin = provenance_of_slot(vm, slot);
    return origin.identity ? term_const(vm->terms, 64, origin.start) : origin.base;
}

// ---- ranges

// Whether the object's addresses belong to this object or its slot in all states. False for a mapping, which may hold a
// thread's stack.
static bool is_lasting(const struct object *object) {
    return object->kind == OBJECT_GLOBAL || (is_in_slot(object->kind) && object->kind != OBJECT_MAPPING);
}

static struct object_range *range_for(struct vm *vm, const struct ir_insn *insn) {
    return &vm->ranges.at[((uintptr_t)insn / sizeof *insn) & (RANGES - 1)];
}

static struct object_range *known_for(struct vm *vm, uint64_t base) {
    return &vm->ranges.known[(base >> 6 ^ base >> 14) & (RANGES_KNOWN - 1)];
}

static bool range_holds(const struct object_range *range, uint64_t base, uint64_t address) {
    return base - range->low <= range->span && address - range->low <= range->span;
}

void provenance_forget_ranges(struct vm *vm) {
    struct object_ranges *ranges = &vm->ranges;
    for (uint32_t i = 0; i < ranges->passing_count; i++)
        ranges->at[ranges->passing[i]] = (struct object_range){0};
    ranges->passing_count = 0;
    ranges->lowest = UINT64_MAX;
}

void provenance_forget_ranges_below(struct vm *vm, uint64_t address) {
    struct object_ranges *ranges = &vm->ranges;
    uint32_t kept = 0;
    if (ranges->lowest >= address) return;
    if (!ranges->lowest) {
        provenance_forget_ranges(vm);
        return;
    }
    ranges->lowest = UINT64_MAX;
    for (uint32_t i = 0; i < ranges->passing_count; i++) {
        struct object_range *range = &ranges->at[ranges->passing[i]];
        if (range->low < address) {
            *range = (struct object_range){0};
        } else {
            ranges->passing[kept++] = ranges->passing[i];
            ranges->lowest = MIN(ranges->lowest, range->low);
        }
    }
    assert(kept <= ranges->passing_count && ranges->lowest >= address);
    ranges->passing_count = kept;
}

static void add_passing(struct vm *vm, uint32_t index, uint64_t low) {
    struct object_ranges *ranges = &vm->ranges;
    struct object_range range = ranges->at[index];
    assert(index < RANGES && low <= range.low && range.span);
    if (ranges->passing_count == COUNT(ranges->passing)) provenance_forget_ranges(vm);
    ranges->at[index] = range;
    ranges->passing[ranges->passing_count++] = (uint16_t)index;
    ranges->lowest = MIN(ranges->lowest, low);
}

static void remember_range(struct vm *vm, const struct ir_insn *insn, uint64_t base,
                           const struct object *object) {
    struct object_range *range = range_for(vm, insn);
    if (is_in_slot(object->kind)) {
        heap_slot_range(object->start, &range->low, &range->span);
    } else {
        uint64_t beside = nearness(object->kind);
        *range = (struct object_range){object->start - beside, object->size + 2 * beside};
    }
    bool may_last = object->kind != OBJECT_MAPPING || !tasks_count(vm->state->threads.waiting);
    if (is_lasting(object))
        *known_for(vm, base) = *range;
    else if (may_last)
        add_passing(vm, (uint32_t)(range - vm->ranges.at), object->kind == OBJECT_MAPPING ? 0 : range->low);
    else
        *range = (struct object_range){0};
}

// Whether both addresses are near one local of the running function. Then no further check is needed: the shadow shows
// whether the local is in scope.
static bool is_one_local(struct vm *vm, const struct ir_insn *insn, uint64_t base, uint64_t address) {
    const struct frame *frame = frames_top(&vm->state->frames);
    uint64_t beside = nearness(OBJECT_LOCAL);
    if (base - frame->memory >= frame->function->frame_size) return false;
    for (uint32_t i = 0; i < frame->function->alloca_count; i++) {
        const struct ir_alloca *local = &frame->function->allocas[i];
        struct object_range range = {frame->memory + local->offset - beside, local->size + 2 * beside};
        if (base - range.low > range.span) continue;
        if (address - range.low > range.span) return false;
        *range_for(vm, insn) = range;
        add_passing(vm, (uint32_t)(range_for(vm, insn) - vm->ranges.at), range.low);
        return true;
    }
    return false;
}

// Whether both addresses are in one heap slot. Then no object needs to be looked up.
static bool is_one_slot(struct vm *vm, const struct ir_insn *insn, uint64_t base, uint64_t address) {
    struct object_range range;
    if (!heap_small_slot(base, &range.low, &range.span) || address - range.low > range.span) return false;
    *range_for(vm, insn) = range;
    return true;
}

// ---- operations that the loop leaves to functions

static void set_slot(struct frame *frame, uint32_t index, uint64_t value, uint32_t slot) {
    assert(index < frame->function->register_count);
    if (slot) frame_add_terms(frame);
    frame->registers[index] = value;
    if (frame->has_terms) frame_terms(frame)[index] = slot;
}

static enum step next_instruction(struct frame *frame, const struct ir_insn *insn) {
    frame->instruction = (uint32_t)(insn - frame->function->code) + ir_op_info[insn->op].words;
    return STEP_RELOAD;
}

enum step step_far_pointer(struct vm *vm, const struct ir_insn *insn, uint64_t base, uint64_t result) {
    struct object object;
    if (range_holds(known_for(vm, base), base, result)) {
        *range_for(vm, insn) = *known_for(vm, base);
        return STEP_NEXT;
    }
    if (is_one_slot(vm, insn, base, result) || is_one_local(vm, insn, base, result)) return STEP_NEXT;
    if (!provenance_owner_of_address(vm, base, &object)) return STEP_NEXT;
    remember_range(vm, insn, base, &object);
    if (provenance_is_near(&object, result)) return STEP_NEXT;
    struct pointer_origin origin = {object.start, object.identity, 0};
    if (insn->op == IR_EXPOSED) origin = (struct pointer_origin){0};
    struct frame *frame = frames_top(&vm->state->frames);
    vm->instruction.change_taint = 0;
    set_slot(frame, insn->dst, result, provenance_pointer_slot(vm, 0, origin));
    return next_instruction(frame, insn);
}

enum step step_far_access(struct vm *vm, const struct ir_insn *insn, uint64_t base, uint64_t address) {
    struct object object;
    if (range_holds(known_for(vm, base), base, address)) {
        *range_for(vm, insn) = *known_for(vm, base);
        return STEP_NEXT;
    }
    if (is_one_slot(vm, insn, base, address) || is_one_local(vm, insn, base, address)) return STEP_NEXT;
    if (!provenance_owner_of_address(vm, base, &object)) return STEP_NEXT;
    remember_range(vm, insn, base, &object);
    if (provenance_is_near(&object, address)) return STEP_NEXT; // the shadow decides
    enum ir_format format = ir_op_info[insn->op].format;
    bool write = format == IR_FORMAT_STORE || format == IR_FORMAT_STOREX || format == IR_FORMAT_STORE_I;
    return vm_report_left_object(vm, &object, address, ir_op_info[insn->op].width / 8, write);
}

// ---- registers and memory

void provenance_set_register(struct vm *vm, struct frame *frame, uint32_t index, Term value,
                             const struct object *owner) {
    struct pointer_origin origin = {owner->start, owner->identity, 0};
    assert(owner->identity);
    if (!term_is_const(vm->terms, value)) {
        set_slot(frame, index, 0, provenance_pointer_slot(vm, value, origin));
        return;
    }
    uint64_t word = term_value(vm->terms, value);
    set_slot(frame, index, word,
             provenance_is_near(owner, word) ? 0 : provenance_pointer_slot(vm, 0, origin));
}

bool provenance_of_memory(const struct vm *vm, uint64_t address, unsigned size,
                          struct pointer_origin *origin) {
    assert(size >= 1);
    for (unsigned i = 0; i < size; i++) {
        const struct page *page = memory_page(vm->state->memory, address + i);
        uint32_t offset = (uint32_t)(address + i) & (PAGE_SIZE - 1);
        if (!page || !(page->shadow[offset] & SHADOW_POINTER) || page->shadow[offset] & SHADOW_NO_ACCESS)
            return false;
        uint32_t slot = memory_page_term(page, offset);
        if (!provenance_slot_has_origin(slot)) return false;
        struct pointer_origin one = provenance_of_slot(vm, slot);
        if (i && (one.start != origin->start || one.identity != origin->identity || one.base != origin->base))
            return false;
        *origin = one;
    }
    return true;
}

void provenance_set_memory(struct vm *vm, uint64_t address, unsigned size, struct pointer_origin origin) {
    for (unsigned i = 0; i < size; i++) {
        struct page *page = memory_own_page(&vm->state->memory, address + i);
        uint32_t offset = (uint32_t)(address + i) & (PAGE_SIZE - 1);
        assert(!(memory_page_term(page, offset) &
                 SLOT_ARRAY)); // bytes that were just written are not in an array
        Term term = vm_slot_term(vm, memory_page_term(page, offset));
        memory_page_set_term(page, offset, provenance_pointer_slot(vm, term, origin));
        page->shadow[offset] |= SHADOW_POINTER;
    }
    vm_sync_translations(vm);
}

void provenance_mark_initial(struct vm *vm) {
    for (uint32_t i = 0; i < vm->program->left_pointer_count; i++) {
        const struct ir_left_pointer *left = &vm->program->left_pointers[i];
        uint64_t value;
        struct object object;
        memory_peek(vm->state->memory, left->address, &value, sizeof value);
        if (!left->global) {
            provenance_set_memory(vm, left->address, sizeof value, (struct pointer_origin){0});
            continue;
        }
        bool found = object_find(vm->state, left->global, &object);
        assert(found && object.start == left->global);
        if (found && !provenance_is_near(&object, value))
            provenance_set_memory(vm, left->address, sizeof value,
                                  (struct pointer_origin){object.start, object.identity, 0});
    }
}

// ---- concrete instructions with origins

struct seen {
    const uint32_t *terms;
    const struct vm *vm;
    bool has_term;
};

static void see_register(void *context, uint32_t *index, uint32_t slots, bool written) {
    struct seen *seen = context;
    for (uint32_t i = 0; !written && i < slots; i++)
        seen->has_term |= vm_slot_term(seen->vm, seen->terms[*index + i]) != 0;
}

bool provenance_is_known(struct vm *vm, const struct ir_insn *insn) {
    struct frame *frame = frames_top(&vm->state->frames);
    if (!frame->has_terms || !vm->pointers.at.count) return false;
    struct seen seen = {frame_terms(frame), vm, false};
    struct ir_insn copy[2] = {insn[0]};
    if (ir_op_info[insn->op].words == 2) copy[1] = insn[1];
    ir_visit_registers(copy, frame->function->arguments, see_register, &seen);
    return !seen.has_term;
}

static void forget_register(void *context, uint32_t *index, uint32_t slots, bool written) {
    uint32_t *terms = context;
    for (uint32_t i = 0; !written && i < slots; i++) terms[*index + i] = 0;
}

// Drops the operands' origins, and lets the loop execute the instruction.
static enum step forget_origins(struct frame *frame, const struct ir_insn *insn) {
    struct ir_insn copy[2] = {insn[0]};
    if (ir_op_info[insn->op].words == 2) copy[1] = insn[1];
    ir_visit_registers(copy, frame->function->arguments, forget_register, frame_terms(frame));
    return STEP_RELOAD;
}

static uint64_t index_value(const struct frame *frame, const struct ir_insn *insn) {
    uint64_t index = frame->registers[insn->b];
    return (ir_narrow_index(insn->op) ? (uint64_t)(int64_t)(int32_t)index : index) * insn->aux;
}

static uint64_t address_value(const struct frame *frame, const struct ir_insn *insn) {
    switch (ir_op_info[insn->op].format) {
    case IR_FORMAT_LOADA:
    case IR_FORMAT_STOREA: return insn->a;
    case IR_FORMAT_LEA:
    case IR_FORMAT_LOADX:
    case IR_FORMAT_STOREX: return frame->registers[insn->a] + index_value(frame, insn);
    default: return frame->registers[insn->a] + (uint64_t)(int64_t)(int32_t)insn->b;
    }
}

static enum step point(struct vm *vm, struct frame *frame, const struct ir_insn *insn) {
    uint64_t result = address_value(frame, insn);
    uint32_t slot = frame_terms(frame)[insn->a];
    struct object object;
    if (!provenance_slot_has_origin(slot)) { // only the index has an origin, which is dropped: it is a number
        frame_terms(frame)[insn->b] = 0;
        return STEP_RELOAD;
    }
    if (provenance_of_slot(vm, slot).identity) {
        if (!provenance_owner_of_register(vm, frame, insn->a, &object) || provenance_is_near(&object, result))
            slot = 0;
    }
    set_slot(frame, insn->dst, result, slot);
    return next_instruction(frame, insn);
}

enum step provenance_check_block(struct vm *vm, struct frame *frame, uint32_t base, uint64_t address,
                                 uint64_t size, bool write) {
    struct object object;
    if (!frame->has_terms || !provenance_slot_has_origin(frame_terms(frame)[base]) ||
        !provenance_owner_of_register(vm, frame, base, &object))
        return STEP_NEXT;
    if (address - object.start < object.size && size <= object.size - (address - object.start))
        return STEP_NEXT;
    return size ? vm_report_left_object(vm, &object, address, size, write) : STEP_NEXT;
}

static enum step load_with_origin(struct vm *vm, struct frame *frame, const struct ir_insn *insn) {
    uint64_t address = address_value(frame, insn), value;
    unsigned width = ir_op_info[insn->op].width;
    if (!width) return forget_origins(frame, insn);
    enum step step = provenance_check_block(vm, frame, insn->a, address, width / 8, false);
    if (step == STEP_NEXT) step = vm_slow_load(vm, address, &value, width / 8);
    if (step != STEP_NEXT) return step;
    set_slot(frame, insn->dst, value, 0);
    return next_instruction(frame, insn);
}

static enum step store_with_origin(struct vm *vm, struct frame *frame, const struct ir_insn *insn) {
    uint64_t address = address_value(frame, insn);
    unsigned width = ir_op_info[insn->op].width;
    enum ir_format format = ir_op_info[insn->op].format;
    if (!width) return forget_origins(frame, insn);
    enum step step = STEP_NEXT;
    if (format != IR_FORMAT_STOREA)
        step = provenance_check_block(vm, frame, insn->a, address, width / 8, true);
    if (step != STEP_NEXT) return step;
    bool immediate = format == IR_FORMAT_STORE_I;
    uint64_t value = immediate ? (uint64_t)(int64_t)(int32_t)insn->dst : frame->registers[insn->dst];
    uint32_t slot = immediate ? 0 : frame_terms(frame)[insn->dst];
    step = vm_slow_store(vm, address, value, width / 8);
    if (step != STEP_NEXT) return step;
    if (provenance_slot_has_origin(slot))
        provenance_set_memory(vm, address, width / 8, provenance_of_slot(vm, slot));
    vm_sync_translations(vm);
    return next_instruction(frame, insn);
}

static enum step move_block_with_origin(struct vm *vm, struct frame *frame, const struct ir_insn *insn) {
    const uint64_t *regs = frame->registers;
    uint64_t size = regs[insn->b];
    bool set = insn->op == IR_MEMSET;
    enum step step = set ? STEP_NEXT : provenance_check_block(vm, frame, insn->a, regs[insn->a], size, false);
    if (step == STEP_NEXT) step = provenance_check_block(vm, frame, insn->dst, regs[insn->dst], size, true);
    if (step == STEP_NEXT && insn->op == IR_MEMCPY)
        step = vm_check_copy(vm, regs[insn->dst], regs[insn->a], size);
    if (step == STEP_NEXT)
        step = set ? vm_set_bytes(vm, regs[insn->dst], (uint8_t)regs[insn->a], size)
                   : vm_copy_bytes(vm, regs[insn->dst], regs[insn->a], size);
    if (step != STEP_NEXT) return step;
    vm_sync_translations(vm);
    return next_instruction(frame, insn);
}

static bool is_plain_function(enum ir_fn fn) {
    return fn != IR_FN_NONE && fn < IR_FN_FADD && fn != IR_FN_UDIV && fn != IR_FN_SDIV && fn != IR_FN_UREM &&
           fn != IR_FN_SREM;
}

static uint64_t second_value(const struct frame *frame, const struct ir_insn *insn) {
    switch (ir_op_info[insn->op].format) {
    case IR_FORMAT_RRI:
    case IR_FORMAT_BRI: return insn->b;
    case IR_FORMAT_RRJ:
    case IR_FORMAT_BRJ: return (uint64_t)(int64_t)(int32_t)insn->b;
    default: return frame->registers[insn->b];
    }
}

// Computes integer arithmetic on a pointer: the result is a number without an origin.
static uint64_t compute(const struct frame *frame, const struct ir_insn *insn) {
    const struct ir_op_info *info = &ir_op_info[insn->op];
    unsigned width = info->width ? info->width : insn->aux;
    uint64_t a = frame->registers[insn->a], b = second_value(frame, insn), result = 0;
    b &= mask_bits(width);
    int_evaluate((enum ir_fn)info->fn, width, width, &result, &a, &b, NULL);
    return result;
}

static enum step branch_with_origin(struct vm *vm, struct frame *frame, const struct ir_insn *insn) {
    bool taken = compute(frame, insn);
    uint32_t edge = insn[1].dst + !taken;
    vm->budget.steps += insn->dst;
    if (!vm->coverage.edges[edge]) vm_note_new_edge(vm, vm->state, edge);
    frame->instruction = taken ? insn[1].a : insn[1].b;
    if (vm->watch.trace) vm->watch.trace(vm->watch.trace_context, edge);
    if (vm->budget.steps < vm->budget.steps_limit) return STEP_RELOAD;
    vm->outcome.event = VM_BUDGET;
    return STEP_STOP;
}

static enum step copy_with_origin(struct frame *frame, const struct ir_insn *insn, uint32_t from) {
    set_slot(frame, insn->dst, frame->registers[from], frame_terms(frame)[from]);
    return next_instruction(frame, insn);
}

enum step step_with_origins(struct vm *vm, const struct ir_insn *insn) {
    struct frame *frame = frames_top(&vm->state->frames);
    const struct ir_op_info *info = &ir_op_info[insn->op];
    vm->instruction.change_taint = 0;
    replay_begin_decisions(vm);
    switch (info->format) {
    case IR_FORMAT_LEA:
    case IR_FORMAT_LEA_I: return point(vm, frame, insn);
    case IR_FORMAT_LOAD:
    case IR_FORMAT_LOADX: return load_with_origin(vm, frame, insn);
    case IR_FORMAT_STORE:
    case IR_FORMAT_STORE_I:
    case IR_FORMAT_STOREA:
    case IR_FORMAT_STOREX: return store_with_origin(vm, frame, insn);
    case IR_FORMAT_AAA: return move_block_with_origin(vm, frame, insn);
    case IR_FORMAT_SELECT:
        if (insn->aux > 64) return forget_origins(frame, insn);
        return copy_with_origin(frame, insn, frame->registers[insn->a] ? insn->b : insn[1].a);
    case IR_FORMAT_RR:
        if (insn->op == IR_MOV) return copy_with_origin(frame, insn, insn->a);
        return forget_origins(frame, insn);
    case IR_FORMAT_RRR:
    case IR_FORMAT_RRI:
    case IR_FORMAT_RRJ:
        if (!is_plain_function((enum ir_fn)info->fn)) return forget_origins(frame, insn);
        set_slot(frame, insn->dst, compute(frame, insn), 0);
        return next_instruction(frame, insn);
    case IR_FORMAT_BRR:
    case IR_FORMAT_BRI:
    case IR_FORMAT_BRJ: return branch_with_origin(vm, frame, insn);
    default: return forget_origins(frame, insn);
    }
}
