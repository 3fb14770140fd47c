// Calls and returns that the loop leaves to functions, and calls of builtins.
#include "vm/choice.h"

// Returns the 64-bit value of an entry in a call's argument list, and its term.
static uint64_t argument_value(struct frame *caller, uint32_t entry, uint32_t *term) {
    *term = 0;
    if (entry & IR_CONSTANT) return caller->function->constants[entry & ~IR_CONSTANT];
    assert(entry < caller->function->register_count);
    if (caller->has_terms) *term = frame_terms(caller)[entry];
    return caller->registers[entry];
}

static void set_register(struct frame *frame, uint32_t index, uint64_t value, uint32_t term) {
    assert(index < frame->function->register_count);
    if (term) frame_add_terms(frame);
    frame->registers[index] = value;
    if (frame->has_terms) frame_terms(frame)[index] = term;
}

// The arguments of a call. Mismatches that work natively are accepted: missing arguments are taken from the variadic
// buffer or are zero; surplus ones are dropped, or spilled if the callee is variadic.
struct passed {
    uint32_t fixed;  // slots that are passed one by one
    uint64_t buffer; // buffer of the variadic part, maybe marked; 0: none
    const uint32_t *list;
};

static struct passed passed_by(struct frame *caller, const struct ir_insn *insn) {
    struct passed passed = {.list = caller->function->arguments + insn->b};
    uint32_t header = *passed.list++;
    passed.fixed = header & ~IR_CALL_VARIADIC;
    if (header & IR_CALL_VARIADIC) {
        assert(passed.fixed > 0); // the buffer is the last argument
        uint32_t term;
        passed.buffer = argument_value(caller, passed.list[--passed.fixed], &term);
    }
    return passed;
}

// Makes the buffer of a variadic callee from surplus fixed arguments.
static enum step spill_arguments(struct vm *vm, struct frame *caller, const struct passed *passed,
                                 uint32_t from, uint64_t *buffer) {
    uint32_t count = passed->fixed - from;
    *buffer = state_alloca(vm->state, 8 * (uint64_t)count, 16, vm_current_site(vm), SHADOW_OK);
    if (!*buffer) return vm_report_bug(vm, BUG_STACK_OVERFLOW, "the stack is exhausted");
    for (uint32_t i = 0; i < count;) {
        uint32_t slot;
        uint64_t value = argument_value(caller, passed->list[from + i], &slot),
                 at = *buffer + 8 * (uint64_t)i;
        Term term = vm_read_slot(vm, slot);
        if (term) { // the term is in the first slot of its value
            uint32_t slots = MIN(ir_slots(term_width(vm->terms, term)), count - i);
            vm_store_term(vm, at, term_resize(vm->terms, term, 64 * slots), 8 * slots);
            i += slots;
            continue;
        }
        enum step step = vm_write_bytes(vm, at, &value, 8);
        if (step != STEP_NEXT) return step;
        i++;
    }
    return STEP_NEXT;
}

// Sets a parameter that the call passes in its variadic buffer.
static enum step take_spilled(struct vm *vm, struct frame *callee, uint32_t index, uint64_t address) {
    enum step step = vm_check_access(vm, address, 8, false);
    if (step != STEP_NEXT) return step;
    if (vm->terms && vm_any_symbolic(vm, address, 8))
        vm_set_register_term(vm, callee, index, 64, vm_load_term(vm, address, 8));
    else
        memory_peek(vm->state->memory, address, &callee->registers[index], 8);
    return STEP_NEXT;
}

static enum step bind_arguments(struct vm *vm, struct frame *callee, struct frame *caller,
                                const struct ir_insn *insn) {
    const struct ir_function *function = callee->function;
    struct passed passed = passed_by(caller, insn);
    uint64_t buffer = passed.buffer;
    vm_begin_values(vm);
    for (uint32_t i = 0; i < function->parameter_slots; i++) {
        uint32_t term = 0;
        uint64_t value = 0;
        if (i < passed.fixed) value = argument_value(caller, passed.list[i], &term);
        set_register(callee, i, value, term);
        if (i < passed.fixed || !buffer) continue;
        // In a register save area a parameter is where its own register was saved.
        bool registers = buffer & IR_VARIADIC_REGISTERS;
        enum step step =
            take_spilled(vm, callee, i, registers ? buffer - IR_VARIADIC_REGISTERS + 8ull * i : buffer);
        if (step != STEP_NEXT) return step;
        if (!registers) buffer += 8;
    }
    if (!function->variadic) return STEP_NEXT;
    if (passed.fixed > function->parameter_slots) {
        enum step step = spill_arguments(vm, caller, &passed, function->parameter_slots, &buffer);
        if (step != STEP_NEXT) return step;
    }
    set_register(callee, function->parameter_slots, buffer, 0);
    return STEP_NEXT;
}

// ---- the shadow of frames. Most frames lie in one translated page: their shadow is set by one copy.

static struct page *stack_page(struct vm *vm, uint64_t address, uint64_t size) {
    const struct translation *entry = &vm->cache.write[(address >> PAGE_BITS) & (TRANSLATIONS - 1)];
    uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1);
    if (entry->page != (address >> PAGE_BITS | vm->cache.tag) || size > PAGE_SIZE - offset) return NULL;
    struct page *page = (struct page *)(entry->bytes - offsetof(struct page, bytes));
    assert(page->references == 1 && !page->readonly); // guaranteed by a translation to write
    return memory_page_has_terms(page, offset, (uint32_t)size) ? NULL : page;
}

static void paint_frame(struct vm *vm, const struct frame *frame) {
    const struct ir_function *function = frame->function;
    uint8_t **shadow = &vm->tables.frame_shadows[function->index];
    if (!*shadow) {
        *shadow = mem_alloc(function->frame_size);
        frame_shadow(function, vm->initial_shadow, *shadow);
    }
    struct page *page = stack_page(vm, frame->memory, function->frame_size);
    if (page) {
        memcpy(page->shadow + (frame->memory & (PAGE_SIZE - 1)), *shadow, function->frame_size);
        return;
    }
    memory_set_shadows(&vm->state->memory, frame->memory, function->frame_size, *shadow);
    vm_sync_translations(vm);
    vm_translate_write(vm, frame->memory);
}

void vm_leave_frame(struct vm *vm) {
    const struct frame *frame = frames_top(&vm->state->frames);
    assert(frame->stack_pointer <= frame->memory && frame->memory < frame->stack_entry);
    if (frame->function->frame_size || frame->stack_pointer != frame->memory) {
        uint64_t size = frame->stack_entry - frame->stack_pointer;
        struct page *page = stack_page(vm, frame->stack_pointer, size);
        if (page)
            memset(page->shadow + (frame->stack_pointer & (PAGE_SIZE - 1)), SHADOW_ENDED, size);
        else
            memory_set_shadow(&vm->state->memory, frame->stack_pointer, size, SHADOW_ENDED);
    }
    provenance_forget_ranges_below(vm, frame->stack_entry);
    frames_pop(&vm->state->frames);
}

void step_scope(struct vm *vm, const struct ir_insn *insn) {
    uint64_t address = frames_top(&vm->state->frames)->memory + insn->dst, size = insn->b;
    assert(insn->dst + size <= frames_top(&vm->state->frames)->function->frame_size);
    const struct translation *entry = &vm->cache.write[(address >> PAGE_BITS) & (TRANSLATIONS - 1)];
    uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1);
    bool begins = insn->op == IR_SCOPE_BEGIN;
    if (begins && vm->initial_shadow) {
        memory_set_shadow(&vm->state->memory, address, size, vm->initial_shadow);
    } else if (LIKELY(entry->page == (address >> PAGE_BITS | vm->cache.tag) && size <= PAGE_SIZE - offset)) {
        uint8_t *shadow = ((struct page *)(entry->bytes - offsetof(struct page, bytes)))->shadow + offset;
        begins ? shadow_begin_scope(shadow, size) : shadow_end_scope(shadow, size);
        return;
    } else {
        begins ? memory_begin_scope(&vm->state->memory, address, size)
               : memory_end_scope(&vm->state->memory, address, size);
    }
    vm_sync_translations(vm);
    vm_translate_write(vm, address);
}

void vm_open_scopes(struct vm *vm) {
    const struct frame *frame = frames_top(&vm->state->frames);
    for (uint32_t i = 0; i < frame->function->alloca_count; i++) {
        const struct ir_alloca *local = &frame->function->allocas[i];
        memory_begin_scope(&vm->state->memory, frame->memory + local->offset, local->size);
    }
    vm_sync_translations(vm);
}

struct frame *vm_enter_frame(struct vm *vm, const struct ir_function *function) {
    struct frame *frame = state_enter(vm->state, function);
    if (frame && function->frame_size) paint_frame(vm, frame);
    return frame;
}

struct frame *vm_enter_frame_below(struct vm *vm, const struct ir_function *function,
                                   uint64_t stack_pointer) {
    struct frame *frame = state_enter_below(vm->state, function, stack_pointer);
    if (frame && function->frame_size) paint_frame(vm, frame);
    return frame;
}

enum step vm_enter_function(struct vm *vm, const struct ir_function *callee, const struct ir_insn *insn) {
    struct frame *caller = frames_top(&vm->state->frames);
    assert(callee->code);
    struct frame *frame = vm_enter_frame(vm, callee);
    if (!frame)
        return vm_report_bug(vm, BUG_STACK_OVERFLOW, "the stack is exhausted: call of %s at depth %u",
                             callee->name, vm->state->frames.depth);
    if (!vm->coverage.functions[callee->index]) vm_note_new_function(vm, callee);
    enum step step = bind_arguments(vm, frame, caller, insn);
    vm_sync_translations(vm);
    return step == STEP_NEXT ? STEP_RELOAD : step;
}

enum step vm_leave_function(struct vm *vm) {
    struct state *state = vm->state;
    struct frame *frame = frames_top(&state->frames);
    const struct ir_insn *ret = frame->function->code + frame->instruction;
    uint32_t count = ret->aux;
    assert(ret->op == IR_RET && ret->a + count <= frame->function->register_count);
    if (!vm->coverage.positions[ret->b]) vm_note_new_position(vm, state, ret->b);
    uint64_t few[8], *values = count <= COUNT(few) ? few : NEW_ARRAY(uint64_t, count);
    uint32_t few_terms[8] = {0}, *terms = count <= COUNT(few) ? few_terms : NEW_ARRAY(uint32_t, count);
    memcpy(values, frame->registers + ret->a, count * sizeof *values);
    if (frame->has_terms) memcpy(terms, frame_terms(frame) + ret->a, count * sizeof *terms);
    vm_leave_frame(vm);
    vm_sync_translations(vm);
    enum step step = STEP_RELOAD;
    if (!state->frames.chunk) { // main, in a program without a C library
        vm->outcome.event = VM_EXITED;
        vm->outcome.exit_status = count ? (uint8_t)values[0] : 0;
        step = STEP_STOP;
    } else {
        frame = frames_top(&state->frames);
        const struct ir_insn *call = frame->function->code + frame->instruction;
        for (uint32_t i = 0; i < call->aux; i++)
            set_register(frame, call->dst + i, i < count ? values[i] : 0, i < count ? terms[i] : 0);
        frame->instruction++;
    }
    if (values != few) DELETE_ARRAY(values, count);
    if (terms != few_terms) DELETE_ARRAY(terms, count);
    return step;
}

enum step vm_bad_call(struct vm *vm, uint64_t address) {
    if (!address) return vm_report_bug(vm, BUG_NULL, "call of a null function pointer");
    return vm_report_bug(vm, BUG_BAD_CALL, "call of 0x%llx, which is not a function",
                         (unsigned long long)address);
}

// Gets the values of the arguments. Symbolic ones are concretized.
static enum step concretize_arguments(struct vm *vm, const struct ir_insn *insn, uint64_t *arguments,
                                      uint32_t most) {
    struct frame *frame = frames_top(&vm->state->frames);
    replay_begin_decisions(vm);
    vm_begin_values(vm);
    struct passed passed = passed_by(frame, insn);
    for (uint32_t i = 0; i < passed.fixed && i < most; i++) {
        uint32_t slot;
        arguments[i] = argument_value(frame, passed.list[i], &slot);
        Term term = vm_read_slot(vm, slot);
        enum step step =
            term ? vm_concretize(vm, term, "an argument of a native call", &arguments[i]) : STEP_NEXT;
        if (step != STEP_NEXT) return step;
    }
    return STEP_NEXT;
}

static enum step call_undefined(struct vm *vm, const struct ir_function *callee, const struct ir_insn *insn) {
    struct text what = {0};
    enum step step = STEP_RELOAD;
    char class = callee->signature ? callee->signature[0] : '?';
    const struct ir_function *instead =
        ir_find_function(vm->program, class == '8'   ? "__tamar_undefined_long"
                                      : class == '4' ? "__tamar_undefined_int"
                                                     : "__tamar_undefined_zero");
    uint64_t arguments[NATIVE_ARGUMENTS] = {0}, result = 0;
    if (callee->native_origin && *callee->native_origin)
        text_add(&what, "call of %s, which has native code only: %s has no bitcode", callee->name,
                 callee->native_origin);
    else if (callee->native_origin)
        text_add(&what,
                 "call of %s, which has native code only: it is assembly, or its object or archive was not "
                 "built with tamar cc",
                 callee->name);
    else
        text_add(&what, "call of %s, which is not defined", callee->name);
    if (vm->options.host.unmodelled == UNMODELLED_ERROR && instead && instead->code) {
        text_add(&what, ": it failed with ENOSYS");
        vm_note_incomplete(vm, what.at);
        if (!vm_enter_frame(vm, instead))
            step = vm_report_bug(vm, BUG_STACK_OVERFLOW, "the stack is exhausted");
    } else if (vm->options.host.unmodelled == UNMODELLED_NATIVE) {
        step = concretize_arguments(vm, insn, arguments, NATIVE_ARGUMENTS);
        if (step == STEP_NEXT) step = native_call(vm, callee, arguments, &result);
        if (step == STEP_NEXT) {
            struct frame *frame = frames_top(&vm->state->frames);
            if (insn->aux) set_register(frame, insn->dst, result, 0);
            frame->instruction++;
            vm_sync_translations(vm);
            step = STEP_RELOAD;
        }
    } else {
        step = vm_report_not_modelled(vm, what.at);
    }
    text_free(&what);
    return step;
}

static builtin_function *const builtins[IR_INTRINSIC_COUNT] = {
#define INTRINSIC(name, count, symbolic, flow) [IR_INTRINSIC_##name] = builtin_##name,
    INTRINSIC_TABLE(INTRINSIC)
#undef INTRINSIC
};

enum step call_builtin(struct vm *vm, const struct ir_function *callee, const struct ir_insn *insn) {
    assert(callee->index < vm->program->function_count);
    enum ir_intrinsic intrinsic = vm->tables.intrinsics[callee->index];
    if (intrinsic == IR_INTRINSIC_COUNT) return call_undefined(vm, callee, insn);
    const struct ir_intrinsic_facts *facts = &ir_intrinsic_facts[intrinsic];
    struct frame *frame = frames_top(&vm->state->frames);
    replay_begin_decisions(vm);
    vm_begin_values(vm);
    struct passed passed = passed_by(frame, insn);
    uint64_t arguments[IR_INTRINSIC_MOST_ARGUMENTS] = {0};
    uint32_t terms[IR_INTRINSIC_MOST_ARGUMENTS] = {0};
    struct call call = {.insn = insn,
                        .count = MIN(passed.fixed, facts->argument_count),
                        .entries = passed.list,
                        .arguments = arguments,
                        .terms = terms};
    for (uint32_t i = 0; i < call.count; i++) {
        arguments[i] = argument_value(frame, passed.list[i], &terms[i]);
        terms[i] = vm_read_slot(vm, terms[i]);
        if (!terms[i] || facts->takes_terms) continue;
        enum step step = vm_fork_on_value(vm, terms[i], &arguments[i]);
        if (step != STEP_NEXT) return step;
        terms[i] = 0;
    }
    assert(builtins[intrinsic] && call.count <= IR_INTRINSIC_MOST_ARGUMENTS);
    enum step step = builtins[intrinsic](vm, &call);
    vm_sync_translations(vm);
    if (step != STEP_NEXT) return step;
    frame = frames_top(&vm->state->frames);
    assert(!call.result_term || term_width(vm->terms, call.result_term) <= 64);
    uint32_t slot = call.result_term ? vm_slot_of(vm, call.result_term) : 0;
    if (insn->aux) set_register(frame, insn->dst, call.result, slot);
    frame->instruction++;
    return STEP_RELOAD;
}

void vm_resolve_intrinsics(struct vm *vm) {
    static_assert(IR_INTRINSIC_COUNT < UINT8_MAX, "numbers of intrinsics are bytes");
    vm->tables.intrinsics = NEW_ARRAY(uint8_t, vm->program->function_count);
    for (uint32_t i = 0; i < vm->program->function_count; i++)
        vm->tables.intrinsics[i] = (uint8_t)ir_intrinsic_of(&vm->program->functions[i]);
}
