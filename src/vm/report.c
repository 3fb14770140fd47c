// Bugs: what happened, to which object, and where.
#include "vm/vm_int.h"

#include <stdarg.h>

// ---- call stacks as sites

// The site of the call that entered this frame: found through the frames below it, and kept in each of them.
// Writing it into a shared chunk does no harm: it is the same for every state that shares it.
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

uint32_t site_of_frames(struct vm *vm, const struct frames *frames) {
    if (!frames->chunk) return 0;
    const struct frame *top = frames_top(frames);
    struct site here = {entry_site(vm, frames->chunk, top), top->function->index, top->instruction};
    return site_intern(vm->sites, here);
}

uint32_t current_site(struct vm *vm) { return site_of_frames(vm, &vm->state->frames); }

#define MOST_FRAMES 40

static bool is_runtime(const struct vm *vm, uint32_t number) {
    return number && vm->program->functions[site_get(vm->sites, number).function].runtime;
}

void stack_print(struct text *text, const struct vm *vm, uint32_t number) {
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

// ---- what to say

static struct bug *new_bug(struct vm *vm, enum bug_kind kind) {
    struct bug *bug = &vm->bug;
    text_clear(&bug->message);
    text_clear(&bug->details);
    bug->kind = kind;
    bug->allocated_at = bug->freed_at = 0;
    bug->site = current_site(vm);
    vm->event = VM_BUG;
    return bug;
}

static void add_message(struct text *text, const char *format, va_list args) {
    char line[1024];
    vsnprintf(line, sizeof line, format, args);
    text_add(text, "%s", line);
}

enum step report(struct vm *vm, enum bug_kind kind, const char *message, ...) {
    struct bug *bug = new_bug(vm, kind);
    va_list args;
    va_start(args, message);
    add_message(&bug->message, message, args);
    va_end(args);
    return STEP_STOP;
}

enum step report_not_modelled(struct vm *vm, const char *what) {
    report(vm, BUG_USER, "not modelled: %s", what);
    vm->event = VM_NOT_MODELLED;
    return STEP_STOP;
}

enum step report_division(struct vm *vm, const struct ir_insn *insn) {
    const struct ir_op_info *info = &ir_op_info[insn->op];
    enum ir_fn fn = insn->op == IR_INT ? insn[1].dst : info->fn;
    bool remainder = fn == IR_FN_UREM || fn == IR_FN_SREM, zero = true;
    const uint64_t *regs = frames_top(&vm->state->frames)->registers;
    if (info->format == IR_FORMAT_RRI || info->format == IR_FORMAT_RRJ)
        zero = insn->b == 0;
    else
        for (unsigned i = 0; i < ir_slots(insn->aux); i++) zero &= regs[insn->b + i] == 0;
    if (zero)
        return report(vm, BUG_DIVISION, "%s by zero", remainder ? "remainder of a division" : "division");
    return report(vm, BUG_DIVISION, "%s of the smallest number by -1 overflows",
                  remainder ? "remainder of the division" : "division");
}

// ---- objects

// Where an address lies relative to an object, in words.
static void say_where(struct text *text, uint64_t address, uint64_t start, uint64_t size) {
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

static void say_place(struct text *text, const struct ir_program *program, uint32_t location) {
    const struct ir_location *at = &program->locations[location];
    if (at->line) text_add(text, " at %s:%u", program->files[at->file], at->line);
}

struct stack_object {
    const struct ir_function *function;
    const struct ir_alloca *alloca;
    uint64_t address;
};

// The fixed stack object nearest to an address, in the frame whose memory holds it.
static bool find_stack_object(const struct vm *vm, uint64_t address, struct stack_object *found) {
    const struct frame_chunk *chunk = vm->state->frames.chunk;
    const struct frame *frame = chunk ? frames_top(&vm->state->frames) : NULL;
    for (; frame; frame = frames_below(&chunk, frame)) {
        if (address < frame->stack_pointer || address >= frame->stack_entry) continue;
        uint64_t best = UINT64_MAX;
        for (uint32_t i = 0; i < frame->function->alloca_count; i++) {
            const struct ir_alloca *one = &frame->function->allocas[i];
            uint64_t start = frame->memory + one->offset, end = start + one->size;
            uint64_t distance = address < start ? start - address : address >= end ? address - end + 1 : 0;
            if (distance >= best) continue;
            best = distance;
            *found = (struct stack_object){frame->function, one, start};
        }
        return best != UINT64_MAX;
    }
    return false;
}

static void describe_heap(struct vm *vm, struct bug *bug, uint64_t address,
                          const struct heap_object *object) {
    bug->allocated_at = object->allocated_at;
    if (object->freed) bug->freed_at = object->freed_at;
    say_where(&bug->details, address, object->address, object->size);
    text_add(&bug->details, " a %s of %llu bytes%s\n",
             heap_is_mapped(object->kind) ? "mapping" : "heap object", (unsigned long long)object->size,
             object->freed ? " that has been freed" : "");
}

void describe_object(struct vm *vm, uint64_t address, struct text *text, uint32_t *allocated_at) {
    struct heap_object heap;
    struct stack_object stack;
    *allocated_at = 0;
    if (heap_find(vm->state->memory, address, &heap)) {
        *allocated_at = heap.allocated_at;
        text_add(text, "a heap object of %llu bytes", (unsigned long long)heap.size);
    } else if (find_stack_object(vm, address, &stack) && address - stack.address < stack.alloca->size) {
        text_add(text, "the local variable `%s` of %llu bytes of %s",
                 vm->program->strings[stack.alloca->name], (unsigned long long)stack.alloca->size,
                 stack.function->name);
        say_place(text, vm->program, stack.alloca->location);
    } else {
        text_add(text, "the stack");
    }
}

// The string of the command line or the environment in front of an address in its red zone.
static void describe_string(struct vm *vm, struct bug *bug, uint64_t address) {
    struct object object;
    uint64_t end = address;
    while (memory_shadow(vm->state->memory, end - 1) == SHADOW_BEHIND_STRING) end--;
    bool found = find_object(vm, end, &object);
    assert(found && object.start + object.size == end);
    if (!found) return;
    say_where(&bug->details, address, object.start, object.size);
    text_add(&bug->details, " a string of the command line or the environment of %llu bytes with its NUL\n",
             (unsigned long long)object.size);
}

// Says which object an inaccessible address belongs to, and picks the kind of bug.
static enum bug_kind describe_address(struct vm *vm, struct bug *bug, uint64_t address, bool write) {
    const struct ir_program *program = vm->program;
    uint8_t shadow = memory_shadow(vm->state->memory, address);
    struct heap_object heap;
    struct stack_object stack;
    if (address < 0x10000) {
        text_add(&bug->details, "address 0x%llx\n", (unsigned long long)address);
        return BUG_NULL;
    }
    bool in_heap = heap_find(vm->state->memory, address, &heap);
    bool is_mapped = in_heap && heap_is_mapped(heap.kind) && !heap.freed; // perhaps a thread's stack
    if (in_heap && !is_mapped) {
        describe_heap(vm, bug, address, &heap);
        return heap.freed ? BUG_USE_AFTER_FREE : BUG_OUT_OF_BOUNDS;
    }
    const struct ir_global *global = ir_global_near(program, address);
    if (global) {
        say_where(&bug->details, address, global->address, global->size);
        text_add(&bug->details, " the %sglobal `%s` of %llu bytes", global->readonly ? "constant " : "",
                 global->name, (unsigned long long)global->size);
        say_place(&bug->details, program, global->location);
        text_add(&bug->details, "\n");
        return BUG_OUT_OF_BOUNDS;
    }
    if (shadow == SHADOW_ENDED) {
        text_add(&bug->details, "the stack of a function that has returned\n");
        return BUG_USE_AFTER_FREE;
    }
    if (find_stack_object(vm, address, &stack)) {
        say_where(&bug->details, address, stack.address, stack.alloca->size);
        text_add(&bug->details, " the local variable `%s` of %llu bytes of %s",
                 program->strings[stack.alloca->name], (unsigned long long)stack.alloca->size,
                 stack.function->name);
        say_place(&bug->details, program, stack.alloca->location);
        text_add(&bug->details, "\n");
        return BUG_OUT_OF_BOUNDS;
    }
    const struct ir_function *function = ir_function_at(program, address & ~(uint64_t)15);
    if (shadow == SHADOW_BEHIND_STRING)
        describe_string(vm, bug, address);
    else if (is_mapped)
        describe_heap(vm, bug, address, &heap);
    else if (function)
        text_add(&bug->details, "the code of the function %s\n", function->name);
    else if (address >= vm->state->stack_limit && address < STACK_TOP)
        text_add(&bug->details, "address 0x%llx, on the stack but in no object\n",
                 (unsigned long long)address);
    else
        text_add(&bug->details, "address 0x%llx, where no object is\n", (unsigned long long)address);
    return BUG_OUT_OF_BOUNDS;
}

enum step report_access(struct vm *vm, uint64_t address, uint64_t size, bool write) {
    struct bug *bug = new_bug(vm, BUG_OUT_OF_BOUNDS);
    uint64_t bad = address; // the first byte that may not be accessed
    for (uint64_t i = 0; i < size; i++) {
        const struct page *page = memory_page(vm->state->memory, address + i);
        bad = address + i;
        if (!page || (write && page->readonly) || (page->shadow[bad & (PAGE_SIZE - 1)] & SHADOW_NO_ACCESS))
            break;
    }
    bug->kind = describe_address(vm, bug, bad, write);
    const struct page *page = memory_page(vm->state->memory, bad);
    const char *what = bug->kind == BUG_NULL ? " through a null pointer"
                       : page && write && page->readonly && !page->shadow[bad & (PAGE_SIZE - 1)]
                           ? " to constant memory"
                           : "";
    text_add(&bug->message, "%s of %llu byte%s%s", write ? "write" : "read", (unsigned long long)size,
             size == 1 ? "" : "s", what);
    return STEP_STOP;
}
