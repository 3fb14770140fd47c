// Intrinsics of the runtime: threads and processes as tasks of the state. The interpreted kernel schedules them; here
// they are made, switched and dropped.
#include "base/arena.h"
#include "vm/choice.h"
#include "vm/object_array.h"

#define MOST_POSSIBILITIES 65536u
#define ADDRESS_END        ((uint64_t)1 << 47)  // end of the user address space on Linux
#define LEAST_STACK        ((uint64_t)64 << 10) // stack of a thread whose lower end is not known

// Returns the lowest address of the stack of a thread that ends at `top`: the start of its object, after the guard.
static uint64_t stack_limit(struct vm *vm, uint64_t top) {
    struct object object;
    if (object_find_heap(vm->state, top - 1, &object) && object.kind == OBJECT_MAPPING) {
        uint64_t at = object.start;
        while (at < top && memory_shadow(vm->state->memory, at) == SHADOW_PROTECTED) at += PAGE_SIZE;
        return at;
    }
    if (object_at(vm->state, top, &object)) return object.start;
    return top - LEAST_STACK;
}

// The new task's stack and thread-local data.
struct new_stack {
    uint64_t low, high;      // limits of the stack
    bool is_context;         // another stack of the running thread (makecontext)
    uint64_t block, pointer; // of a new thread: address of its thread-local variables, its thread pointer
};

// Prepares memory of a mapping for the objects of a stack.
static void clear_stack(struct vm *vm, uint64_t low, uint64_t high) {
    struct object mapping;
    if (!vm->terms || !object_find_heap(vm->state, high - 1, &mapping) || mapping.kind != OBJECT_MAPPING)
        return;
    low = MAX(low, mapping.start);
    if (low < high) object_array_dissolve(vm, &mapping, low - mapping.start, high - 1 - mapping.start);
}

// Makes a task that waits to call the function in call->arguments[0] with the next argument.
static enum step make_task(struct vm *vm, struct call *call, struct new_stack new) {
    struct state *state = vm->state;
    const struct ir_function *function = ir_function_at(vm->program, call->arguments[0]);
    assert(function && function->code);
    clear_stack(vm, new.low, new.high);
    struct frames running = state->frames;
    uint64_t limit = state->threads.stack_limit;
    state->frames = (struct frames){0};
    state->threads.stack_limit = new.low;
    struct frame *frame = vm_enter_frame_below(vm, function, new.high);
    struct frames frames = state->frames;
    uint64_t new_limit = state->threads.stack_limit;
    state->frames = running;
    state->threads.stack_limit = limit;
    if (!frame) return vm_report_bug(vm, BUG_STACK_OVERFLOW, "a thread's stack is too small to start it");
    for (uint32_t i = 0; i < function->parameter_slots; i++) frame->registers[i] = i ? 0 : call->arguments[1];
    if (!vm->coverage.functions[function->index]) vm_note_new_function(vm, function);
    call->result = new.is_context ? tasks_add_context(state, frames, new.low, new.high)
                                  : tasks_add_thread(state, frames, new_limit, new.block, new.pointer);
    return STEP_NEXT;
}

// Whether the intrinsic's first argument is a function with code, and `stack` can be the end of a stack.
static enum step check_task(struct vm *vm, const struct call *call, uint64_t stack) {
    const struct ir_function *function = ir_function_at(vm->program, call->arguments[0]);
    if (!function || !function->code) return vm_bad_call(vm, call->arguments[0]);
    if (stack < LEAST_STACK || stack > ADDRESS_END)
        return vm_report_bug(vm, BUG_BAD_CALL, "a thread's stack at 0x%llx", (unsigned long long)stack);
    return STEP_NEXT;
}

// thread(function, argument, stack, thread_pointer)
enum step builtin_task_thread(struct vm *vm, struct call *call) {
    uint64_t stack = call->arguments[2] & ~(uint64_t)15;
    enum step step = check_task(vm, call, stack);
    if (step != STEP_NEXT) return step;
    uint64_t block = state_new_thread_block(vm->state);
    if (!block) {
        call->result = 0;
        return STEP_NEXT;
    }
    vm_note_incomplete(vm, "a thread is started: one schedule of several is explored");
    return make_task(vm, call,
                     (struct new_stack){stack_limit(vm, stack), stack, false, block, call->arguments[3]});
}

// context(function, argument, low, high): the program itself switches to it, so that there is only one schedule.
enum step builtin_task_context(struct vm *vm, struct call *call) {
    uint64_t low = call->arguments[2], high = call->arguments[3] & ~(uint64_t)15;
    enum step step = check_task(vm, call, high);
    if (step != STEP_NEXT) return step;
    if (low >= high)
        return vm_report_bug(vm, BUG_BAD_CALL, "a context's stack of no bytes at 0x%llx",
                             (unsigned long long)low);
    return make_task(vm, call, (struct new_stack){low, high, true, 0, 0});
}

// Ends the call in the top frame of this stack, with this result.
static void finish_call(const struct call *call, struct frames *frames, uint64_t result) {
    struct frame *frame = frames_top(frames);
    if (call->insn->aux) {
        frame->registers[call->insn->dst] = result;
        if (frame->has_terms) frame_terms(frame)[call->insn->dst] = 0;
    }
    frame->instruction++;
}

// fork(is_image): the child becomes a waiting task; its result is 0.
enum step builtin_task_fork(struct vm *vm, struct call *call) {
    struct frames frames = frames_fork(&vm->state->frames);
    if (!call->arguments[0])
        vm_note_incomplete(vm, "a process is started: one schedule of several is explored");
    finish_call(call, &frames, 0);
    call->result = tasks_add_process(vm->state, frames);
    vm_forget_translations(vm); // every page is shared now
    return STEP_NEXT;
}

static bool waits(const struct vm *vm, uint64_t number) {
    for (uint32_t i = 0; i < tasks_count(vm->state->threads.waiting); i++)
        if (tasks_at(vm->state->threads.waiting, i)->number == number) return true;
    return false;
}

// switch(task, ends)
enum step builtin_task_switch(struct vm *vm, struct call *call) {
    provenance_forget_ranges(vm);
    if (!waits(vm, call->arguments[0]))
        return vm_report_bug(vm, BUG_BAD_CALL, "a switch to task %llu, which does not wait",
                             (unsigned long long)call->arguments[0]);
    struct state_threads *threads = &vm->state->threads;
    uint64_t block = threads->block, pointer = threads->pointer, how = call->arguments[1];
    bool same_thread = how == __TAMAR_CONTEXT_WAITS || how == __TAMAR_CONTEXT_ENDS;
    bool ends = how != __TAMAR_TASK_WAITS && how != __TAMAR_CONTEXT_WAITS;
    if (ends) vm_note_frames(vm, vm->state, &vm->state->frames);
    finish_call(call, &vm->state->frames, 0);
    bool found = tasks_switch(vm->state, (uint32_t)call->arguments[0], ends);
    assert(found);
    (void)found;
    if (same_thread) {
        threads->block = block;
        threads->pointer = pointer;
    }
    vm_forget_translations(vm);
    return STEP_RELOAD;
}

enum step builtin_task_end(struct vm *vm, struct call *call) {
    vm_note_positions(vm, vm->state);
    if (call->arguments[0] <= UINT32_MAX && tasks_end(vm->state, (uint32_t)call->arguments[0]))
        return STEP_NEXT;
    return vm_report_bug(vm, BUG_BAD_CALL, "the end of task %llu, which does not wait",
                         (unsigned long long)call->arguments[0]);
}

// ---- kernel choices: each alternative is a path. They need no terms.

static void apply_choice(struct vm *vm, struct state *state, const struct choice *choice,
                         uint64_t alternative) {
    if (alternative) {
        shared_list_add(&state->history.kernel_choices, state->history.kernel_choice_count);
        shared_list_add(&state->history.kernel_choices, (uint32_t)alternative);
    }
    state->history.kernel_choice_count++;
    if (state != vm->state) finish_call(choice->context, &state->frames, alternative);
}

// choose(count): forks; the running state takes the first alternative.
enum step builtin_choose(struct vm *vm, struct call *call) {
    if (call->arguments[0] > MOST_POSSIBILITIES)
        return vm_report_bug(vm, BUG_BAD_CALL, "a choice of %llu possibilities",
                             (unsigned long long)call->arguments[0]);
    struct choice choice = {
        .kind = CHOICE_KERNEL, .count = (uint32_t)call->arguments[0], .apply = apply_choice, .context = call};
    enum step step = vm->terms && choice.count > 1 ? vm_choose(vm, &choice) : STEP_NEXT;
    call->result = choice.taken;
    return step;
}

// event(text): describes the effect of a kernel choice, for the reader of a test.
enum step builtin_event(struct vm *vm, struct call *call) {
    struct text text = {0};
    enum step step = vm_read_string(vm, call->arguments[0], &text);
    if (step == STEP_NEXT && vm->terms && text.at) {
        uint32_t number = 0;
        while (number < vm->kernel.events.count && strcmp(vm->kernel.events.at[number], text.at) != 0)
            number++;
        if (number == vm->kernel.events.count)
            vec_push(&vm->kernel.events, arena_strdup(vm->kernel.texts, text.at));
        shared_list_add(&vm->state->history.events, number);
        shared_list_add(&vm->state->history.events, vm_current_site(vm));
    }
    text_free(&text);
    return step;
}
