// Reports of bugs: the error, the object that it concerns, and the call stack.
#include "vm/provenance.h"

#include <stdarg.h>

// ---- call stacks as sites

// Returns the site of the call that entered this frame. It is computed from the frames below; each frame caches its
// site. Writing to a shared chunk is safe: the site is the same for every state that shares the chunk.
static uint32_t entry_site(struct vm *vm, const struct frame_chunk *chunk, const struct frame *frame) {
    vec(struct frame *) unknown = {0};
    uint32_t site = 0;
    for (;;) {
        const struct frame *below = frames_below(&chunk, frame);
        if (frame->site || !below) {
            site = frame->site;
            break;
        }
        vec_push(&unknown, (struct frame *)frame);
        frame = below;
    }
    while (unknown.count) {
        struct frame *above = vec_pop(&unknown);
        struct site call = {site, frame->function->index, frame->instruction};
        above->site = site = site_intern(vm->sites, call);
        frame = above;
    }
    vec_free(&unknown);
    return site;
}

uint32_t vm_site_of_frames(struct vm *vm, const struct frames *frames) {
    if (!frames->chunk) return 0;
    const struct frame *top = frames_top(frames);
    struct site here = {entry_site(vm, frames->chunk, top), top->function->index, top->instruction};
    return site_intern(vm->sites, here);
}

// Returns the site of the return of main, if main's result became the exit status; returns `site` if exit was called.
static uint32_t site_after_main(struct vm *vm, uint32_t site) {
    const struct ir_function *main = ir_find_function(vm->program, "main");
    bool called = !vm->program->functions[site_get(vm->sites, vm_user_site(vm, site)).function].runtime;
    if (called || !main || !main->code || main->runtime) return site;
    uint32_t at = main->code_count;
    while (at && main->code[at - 1].op != IR_RET) at--;
    return at ? site_intern(vm->sites, (struct site){site, main->index, at - 1}) : site;
}

uint32_t vm_current_site(struct vm *vm) {
    uint32_t site = vm_site_of_frames(vm, &vm->state->frames);
    if (!site) return site;
    const struct frame *top = frames_top(&vm->state->frames);
    const struct ir_insn *insn = top->function->code + top->instruction;
    bool ends =
        top->function->runtime && insn->op == IR_CALL && vm->tables.intrinsics[insn->a] == IR_INTRINSIC_exit;
    return ends ? site_after_main(vm, site) : site;
}

#define MOST_FRAMES 40

static bool is_runtime(const struct vm *vm, uint32_t number) {
    return number && vm->program->functions[site_get(vm->sites, number).function].runtime;
}

void vm_print_stack(struct text *text, const struct vm *vm, uint32_t number) {
    for (unsigned depth = 0; number; depth++) {
        struct site site = site_get(vm->sites, number);
        while (is_runtime(vm, number) && is_runtime(vm, site.caller))
            site = site_get(vm->sites, number = site.caller);
        if (is_runtime(vm, number) && !site.caller) return;
        if (depth == MOST_FRAMES) {
            text_add(text, "    ...\n");
            return;
        }
        const struct ir_function *function = &vm->program->functions[site.function];
        const struct ir_location *at =
            &vm->program->locations[function->code ? function->locations[site.instruction] : 0];
        text_add(text, "    #%u %s ", depth, function->name);
        if (at->line)
            text_add(text, "%s:%u:%u\n", vm->program->files[at->file], at->line, at->column);
        else
            text_add(text, "(no line)\n");
        number = site.caller;
    }
}

// ---- messages

static struct bug *new_bug(struct vm *vm, enum bug_kind kind) {
    struct bug *bug = &vm->outcome.bug;
    assert(kind < BUG_COUNT && vm->state->frames.chunk);
    text_clear(&bug->message);
    text_clear(&bug->details);
    bug->kind = kind;
    bug->fault = FAULT_ANY;
    bug->is_fatal = !(bug_facts[kind].traits & BUG_SURVIVED);
    bug->allocated_at = bug->freed_at = 0;
    bug->site = vm_current_site(vm);
    vm->outcome.event = VM_BUG;
    return bug;
}

static void add_message(struct text *text, const char *format, va_list args) {
    char line[1024];
    vsnprintf(line, sizeof line, format, args);
    text_add(text, "%s", line);
}

struct bug *vm_report_begin(struct vm *vm, enum bug_kind kind, const char *message, ...) {
    struct bug *bug = new_bug(vm, kind);
    va_list args;
    va_start(args, message);
    add_message(&bug->message, message, args);
    va_end(args);
    return bug;
}

// Whether the user function in which the bug occurs has reports of its kind disabled.
static bool is_unchecked(const struct vm *vm, const struct bug *bug) {
    uint32_t site = vm_user_site(vm, bug->site);
    return site && vm->program->functions[site_get(vm->sites, site).function].unchecked >> bug->kind & 1;
}

enum step vm_report_end(struct vm *vm) {
    const struct vm_sink *sink = &vm->options.sink;
    const struct bug *bug = &vm->outcome.bug;
    assert(vm->outcome.event == VM_BUG);
    if (!bug->is_fatal && is_unchecked(vm, bug)) {
        vm->instruction.passed = true;
        vm->outcome.event = VM_BUDGET;
        return STEP_NEXT;
    }
    vm->instruction.passed = !bug->is_fatal && sink->survives && sink->survives(sink->context, bug);
    if (!vm->instruction.passed) return STEP_STOP;
    if (!vm->instruction.is_asked_for) {
        bool written = bug->fault == FAULT_WRITE && bug->kind != BUG_USE_AFTER_FREE;
        if (written)
            vm_note_incomplete(
                vm, "a path continues after a write outside of an object: its native effect is not known");
        vm->state->survived++;
        sink->survived(sink->context, vm->state, bug);
    }
    vm->outcome.event = VM_BUDGET;
    return STEP_NEXT;
}

enum step vm_report_bug(struct vm *vm, enum bug_kind kind, const char *message, ...) {
    struct bug *bug = new_bug(vm, kind);
    va_list args;
    va_start(args, message);
    add_message(&bug->message, message, args);
    va_end(args);
    return vm_report_end(vm);
}

// A jump back, where a step may end, has no line if the body of the loop is empty: the nearest instruction before it
// that has one stands for it.
static uint32_t site_with_line(struct vm *vm, uint32_t number) {
    struct site site = site_get(vm->sites, number);
    const struct ir_function *function = &vm->program->functions[site.function];
    uint32_t at = site.instruction;
    while (at && !function->locations[at]) at--;
    if (at == site.instruction || !function->locations[at]) return number;
    site.instruction = at;
    return site_intern(vm->sites, site);
}

void vm_report_hang(struct vm *vm, struct state *state, uint64_t instructions) {
    vm->state = state;
    if (instructions)
        vm_report_begin(vm, BUG_HANG, "no decision and no new code in %llu million instructions",
                        (unsigned long long)(instructions / 1000000));
    else
        vm_report_begin(vm, BUG_HANG, "an endless loop: the program comes back to the same state");
    vm->outcome.bug.site = site_with_line(vm, vm->outcome.bug.site);
}

enum step vm_report_label(struct vm *vm, uint64_t address) {
    return vm_report_bug(vm, BUG_BAD_CALL, "computed goto to 0x%llx, which is not a label of this function",
                         (unsigned long long)address);
}

enum step vm_report_not_modelled(struct vm *vm, const char *what) {
    vm_report_begin(vm, BUG_USER, "not modelled: %s", what);
    vm->outcome.event = VM_NOT_MODELLED;
    return STEP_STOP;
}

enum step vm_report_zero_divisor(struct vm *vm, bool remainder) {
    enum step step =
        vm_report_bug(vm, BUG_DIVISION, "%s by zero", remainder ? "remainder of a division" : "division");
    vm->outcome.bug.fault = FAULT_ZERO;
    return step;
}

enum step vm_report_quotient(struct vm *vm, bool remainder) {
    enum step step = vm_report_bug(vm, BUG_DIVISION, "%s of the smallest number by -1 overflows",
                                   remainder ? "remainder of the division" : "division");
    vm->outcome.bug.fault = FAULT_QUOTIENT;
    return step;
}

enum step vm_report_division(struct vm *vm, const struct ir_insn *insn) {
    const struct ir_op_info *info = &ir_op_info[insn->op];
    enum ir_fn fn = insn->op == IR_INT ? insn[1].dst : info->fn;
    bool remainder = fn == IR_FN_UREM || fn == IR_FN_SREM, zero = true;
    const uint64_t *regs = frames_top(&vm->state->frames)->registers;
    if (info->format == IR_FORMAT_RRI || info->format == IR_FORMAT_RRJ)
        zero = insn->b == 0;
    else
        for (unsigned i = 0; i < ir_slots(insn->aux); i++) zero &= regs[insn->b + i] == 0;
    return zero ? vm_report_zero_divisor(vm, remainder) : vm_report_quotient(vm, remainder);
}

// ---- objects

void vm_print_where(struct text *text, uint64_t address, uint64_t start, uint64_t size) {
    unsigned long long distance;
    if (address < start) {
        distance = start - address;
        text_add(text, "%llu byte%s before the start of", distance, distance == 1 ? "" : "s");
    } else if (address >= start + size) {
        distance = address - start - size;
        if (distance)
            text_add(text, "%llu byte%s after the end of", distance, distance == 1 ? "" : "s");
        else
            text_add(text, "just after the end of");
    } else {
        distance = address - start;
        text_add(text, "%llu byte%s inside", distance, distance == 1 ? "" : "s");
    }
}

static void say_location(struct text *text, const struct ir_program *program, uint32_t location) {
    const struct ir_location *at = &program->locations[location];
    if (at->line) text_add(text, " at %s:%u", program->files[at->file], at->line);
}

void vm_describe_object(const struct vm *vm, const struct object *object, struct text *text) {
    unsigned long long size = object->size;
    const char *s = size == 1 ? "" : "s";
    assert(object->kind != OBJECT_GLOBAL || object->global);
    assert(object->kind != OBJECT_LOCAL || (object->local && object->function));
    uint32_t location = 0;
    switch (object->kind) {
    case OBJECT_GLOBAL:
        text_add(text, "the %sglobal `%s` of %llu byte%s", object->readonly ? "constant " : "",
                 object->global->name, size, s);
        location = object->global->location;
        break;
    case OBJECT_LOCAL:
        text_add(text, "the local variable `%s` of %llu byte%s of %s",
                 vm->program->strings[object->local->name], size, s, object->function->name);
        location = object->local->location;
        break;
    case OBJECT_ALLOCA:
        text_add(text, "a variable-length array or alloca of %llu byte%s of %s", size, s,
                 object->function->name);
        break;
    case OBJECT_HEAP:
    case OBJECT_SYSTEM:
    case OBJECT_THREAD_BLOCK:
    case OBJECT_KERNEL: text_add(text, "a heap object of %llu byte%s", size, s); break;
    case OBJECT_MAPPING: text_add(text, "a mapping of %llu byte%s", size, s); break;
    case OBJECT_STRING:
        text_add(text, "a string of the command line or the environment of %llu byte%s with its NUL", size,
                 s);
        break;
    case OBJECT_START_LIST:
        text_add(text, "the lists of arguments and variables of %llu byte%s", size, s);
        break;
    case OBJECT_FIXED: text_add(text, "an object of %llu byte%s at a fixed address", size, s); break;
    case OBJECT_STACK: text_add(text, "the stack"); break;
    }
    if (location) say_location(text, vm->program, location);
}

// Describes an address that belongs to no object.
static void describe_wild(const struct vm *vm, struct text *text, uint64_t address) {
    const struct ir_function *function = ir_function_at(vm->program, address & ~(uint64_t)15);
    if (function)
        text_add(text, "the code of the function %s\n", function->name);
    else if (address >= vm->state->threads.stack_limit && address < STACK_TOP)
        text_add(text, "address 0x%llx, on the stack but in no object\n", (unsigned long long)address);
    else
        text_add(text, "address 0x%llx, which is in no object\n", (unsigned long long)address);
}

enum bug_kind vm_kind_of_address(const struct vm *vm, uint64_t address) {
    if (address < NULL_END) return BUG_NULL;
    uint8_t shadow = memory_shadow(vm->state->memory, address);
    if (shadow_is_out_of_scope(shadow)) return BUG_USE_AFTER_SCOPE;
    return shadow_is_ended(shadow) ? BUG_USE_AFTER_FREE : BUG_OUT_OF_BOUNDS;
}

// Describes the object that an inaccessible address belongs to.
static void describe_address(struct vm *vm, struct bug *bug, uint64_t address) {
    struct object object;
    if (address < NULL_END) {
        text_add(&bug->details, "address 0x%llx\n", (unsigned long long)address);
        return;
    }
    if (!object_find(vm->state, address, &object)) {
        describe_wild(vm, &bug->details, address);
        return;
    }
    if (object.kind == OBJECT_STACK) {
        text_add(&bug->details, object.life == OBJECT_RETURNED
                                    ? "the stack of a function that has returned\n"
                                    : "a variable-length array, which is out of scope\n");
        return;
    }
    bug->allocated_at = object.allocated_at;
    bug->freed_at = object.ended_at;
    vm_print_where(&bug->details, address, object.start, object.size);
    text_add(&bug->details, " ");
    vm_describe_object(vm, &object, &bug->details);
    bool inside = address - object.start < object.size;
    text_add(&bug->details, object.life == OBJECT_FREED                    ? " that has been freed\n"
                            : object.life == OBJECT_OUT_OF_SCOPE && inside ? ", which is out of scope\n"
                                                                           : "\n");
}

// Whether the hardware would execute the access: all of its pages are mapped.
static bool is_mapped(const struct vm *vm, uint64_t address, uint64_t size, bool write) {
    if (!size || size > UINT64_MAX - address || vm->instruction.is_block) return false;
    for (uint64_t at = address; at < address + size; at = (at | (PAGE_SIZE - 1)) + 1) {
        const struct page *page = memory_page(vm->state->memory, at);
        if (!page || (write && page->readonly)) return false;
    }
    return true;
}

enum step vm_report_left_object(struct vm *vm, const struct object *object, uint64_t address, uint64_t size,
                                bool write) {
    struct bug *bug = new_bug(vm, BUG_OUT_OF_BOUNDS);
    uint64_t bad = address; // first byte outside of the object
    if (address - object->start < object->size) bad = object->start + object->size;
    assert(bad - address <= size && object->life == OBJECT_LIVE);
    vm_print_where(&bug->details, bad, object->start, object->size);
    text_add(&bug->details, " ");
    vm_describe_object(vm, object, &bug->details);
    text_add(&bug->details, ", which the pointer was made from");
    struct object other;
    if (object_at(vm->state, bad, &other) && other.identity != object->identity &&
        bad - other.start < other.size) {
        text_add(&bug->details, "; the address is in ");
        vm_describe_object(vm, &other, &bug->details);
    }
    text_add(&bug->details, "\n");
    bug->allocated_at = object->allocated_at;
    bug->fault = write ? FAULT_WRITE : FAULT_READ;
    text_add(&bug->message, "%s of %llu byte%s", write ? "write" : "read", (unsigned long long)size,
             size == 1 ? "" : "s");
    bug->is_fatal = !is_mapped(vm, address, size, write);
    return vm_report_end(vm);
}

enum step vm_report_access(struct vm *vm, uint64_t address, uint64_t size, bool write) {
    struct bug *bug = new_bug(vm, BUG_OUT_OF_BOUNDS);
    // The first inaccessible byte. If all bytes are accessible (they are in another object), the first byte.
    uint64_t bad = address;
    for (uint64_t i = 0; i < size; i++) {
        uint64_t at = address + i;
        const struct page *page = memory_page(vm->state->memory, at);
        if (page && !(write && page->readonly) && !(page->shadow[at & (PAGE_SIZE - 1)] & SHADOW_NO_ACCESS))
            continue;
        bad = at;
        break;
    }
    bug->kind = vm_kind_of_address(vm, bad);
    describe_address(vm, bug, bad);
    bug->fault = write ? FAULT_WRITE : FAULT_READ;
    const struct page *page = memory_page(vm->state->memory, bad);
    const char *what = bug->kind == BUG_NULL ? " through a null pointer"
                       : page && write && page->readonly && !page->shadow[bad & (PAGE_SIZE - 1)]
                           ? " to constant memory"
                           : "";
    text_add(&bug->message, "%s of %llu byte%s%s", write ? "write" : "read", (unsigned long long)size,
             size == 1 ? "" : "s", what);
    bug->is_fatal = !is_mapped(vm, address, size, write);
    return vm_report_end(vm);
}
