// Intrinsics of the runtime: the end of a path, jumps between frames, and the marks of a harness.
#include "vm/choice.h"
#include "vm/replay.h"

#include <signal.h>

// ---- the end

enum step builtin_exit(struct vm *vm, struct call *call) {
    uint64_t status = call->arguments[0];
    if (call->terms[0]) {
        Term term = term_extract(vm->terms, call->terms[0], 0, 8); // the parent process gets the low 8 bits
        enum step step = uninit_use_value(vm, &term, "the exit status");
        if (step != STEP_NEXT) return step;
        status = solver_evaluate(vm->solver, vm->state->path, term);
    }
    vm->outcome.exit_status = (int)(status & 255);
    vm->outcome.event = VM_EXITED;
    if (check_wanted(vm->options.checks, CHECK_LEAK)) vm_report_leaks(vm);
    return STEP_STOP;
}

enum step builtin_killed(struct vm *vm, struct call *call) {
    int number = (int)call->arguments[0];
    // In a verification task (SV-COMP) abort is not a bug.
    bool ends = number == SIGABRT && vm->coverage.is_task;
    switch (ends ? 0 : number) {
    case SIGABRT: return vm_report_bug(vm, BUG_ABORT, "the program aborts");
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGFPE:
    case SIGTRAP:
        return vm_report_bug(vm, BUG_ABORT, "the program ends itself with signal %d (%s)", number,
                             strsignal(number));
    default:
        vm->outcome.exit_status = 128 + number;
        vm->outcome.event = VM_SIGNALLED;
        return STEP_STOP;
    }
}

// Adds the call stacks of all other tasks, for the report of a deadlock.
static void add_task_stacks(struct vm *vm) {
    const struct tasks *tasks = vm->state->threads.waiting;
    for (uint32_t i = 0; i < tasks_count(tasks); i++) {
        const struct task *task = tasks_at(tasks, i);
        text_add(&vm->outcome.bug.details, "%s%s %u waits:\n", i ? "  " : "",
                 task->process == task->number ? "process" : "thread", task->number);
        vm_print_stack(&vm->outcome.bug.details, vm, vm_site_of_frames(vm, &task->frames));
    }
}

enum step builtin_report(struct vm *vm, struct call *call) {
    struct text kind = {0}, message = {0};
    enum step step = vm_read_string(vm, call->arguments[0], &kind);
    if (step == STEP_NEXT) step = vm_read_string(vm, call->arguments[1], &message);
    if (step == STEP_NEXT) {
        enum bug_kind number = bug_kind_by_name(kind.at ? kind.at : "");
        if (number == BUG_COUNT) number = BUG_USER;
        step = vm_report_bug(vm, number, "%s", message.at ? message.at : "");
        if (number == BUG_DEADLOCK) add_task_stacks(vm);
    }
    text_free(&kind);
    text_free(&message);
    return step;
}

enum step builtin_not_modelled(struct vm *vm, struct call *call) {
    struct text what = {0};
    enum step step = vm_read_string(vm, call->arguments[0], &what);
    if (step == STEP_NEXT && vm->options.host.unmodelled == UNMODELLED_ERROR) {
        text_add(&what, " is not modelled: it failed with ENOSYS");
        vm_note_incomplete(vm, what.at);
    } else if (step == STEP_NEXT) {
        step = vm_report_not_modelled(vm, what.at ? what.at : "");
    }
    text_free(&what);
    return step;
}

enum step builtin_note(struct vm *vm, struct call *call) {
    struct text what = {0};
    enum step step = vm_read_string(vm, call->arguments[0], &what);
    if (step == STEP_NEXT && vm->options.host.log && !replay_is_replaying(vm))
        vm->options.host.log(vm->options.host.context, what.at ? what.at : "");
    text_free(&what);
    return step;
}

enum step builtin_one_of_several(struct vm *vm, struct call *call) {
    struct text what = {0};
    enum step step = vm_read_string(vm, call->arguments[0], &what);
    if (step == STEP_NEXT && what.at) vm_note_incomplete(vm, what.at);
    text_free(&what);
    return step;
}

// Reports that the runtime does not support a system feature and approximates it.
enum step builtin_gave_up(struct vm *vm, struct call *call) {
    enum step step = builtin_one_of_several(vm, call);
    return step == STEP_NEXT && !vm->options.sink.gave_up ? builtin_note(vm, call) : step;
}

enum step builtin_stop(struct vm *vm, struct call *call) {
    vm->outcome.event = VM_STOPPED;
    return STEP_STOP;
}

// ---- jumps. The record that setjmp stores in the buffer identifies the frame, and shows whether it has ended.

struct jump {
    uint64_t depth, function, instruction, memory;
};

enum step builtin_setjmp(struct vm *vm, struct call *call) {
    const struct frame *frame = frames_top(&vm->state->frames);
    struct jump jump = {vm->state->frames.depth, frame->function->index, frame->instruction, frame->memory};
    return vm_write_bytes(vm, call->arguments[0], &jump, sizeof jump);
}

// Sets the value that setjmp returns after longjmp: never 0.
static void set_jump_value(struct vm *vm, struct frame *frame, uint32_t dst, const struct call *call) {
    struct terms *terms = vm->terms;
    uint32_t value = (uint32_t)call->arguments[1];
    if (call->terms[1]) {
        Term term = term_resize(terms, call->terms[1], 32), zero = term_const(terms, 32, 0);
        term = term_ite(terms, term_eq(terms, term, zero), term_const(terms, 32, 1), term);
        vm_set_register_term(vm, frame, dst, 32, term);
        return;
    }
    frame->registers[dst] = value ? value : 1;
    if (frame->has_terms) frame_terms(frame)[dst] = 0;
}

// Whether the record names a call of setjmp in this frame. The program may have overwritten it.
static bool is_of_setjmp(const struct vm *vm, const struct frame *frame, const struct jump *jump) {
    const struct ir_function *function = frame->function;
    if (function->index != jump->function || frame->memory != jump->memory) return false;
    if (jump->instruction >= function->code_count) return false;
    const struct ir_insn *insn = &function->code[jump->instruction];
    return insn->op == IR_CALL && vm->tables.intrinsics[insn->a] == IR_INTRINSIC_setjmp;
}

enum step builtin_longjmp(struct vm *vm, struct call *call) {
    struct jump jump;
    enum step step = STEP_NEXT;
    if (call->terms[0]) step = vm_fork_on_value(vm, call->terms[0], &call->arguments[0]);
    if (step == STEP_NEXT) step = vm_read_bytes(vm, call->arguments[0], &jump, sizeof jump);
    if (step != STEP_NEXT) return step;
    struct frames *frames = &vm->state->frames;
    const struct frame_chunk *chunk = frames->chunk;
    const struct frame *frame = frames_top(frames);
    uint32_t depth = frames->depth;
    for (; frame && depth > jump.depth; depth--) frame = frames_below(&chunk, frame);
    if (!frame || depth != jump.depth || !is_of_setjmp(vm, frame, &jump))
        return vm_report_bug(vm, BUG_BAD_CALL, "longjmp to a function that has returned, or from no setjmp");
    vm_note_frames(vm, vm->state, frames);
    while (frames->depth > jump.depth) vm_leave_frame(vm);
    vm_open_scopes(vm);
    struct frame *target = frames_top(frames);
    target->instruction = (uint32_t)jump.instruction;
    const struct ir_insn *insn = target->function->code + target->instruction;
    if (insn->aux) set_jump_value(vm, target, insn->dst, call);
    target->instruction++;
    return STEP_RELOAD;
}

enum step builtin_thread_pointer(struct vm *vm, struct call *call) {
    call->result = vm->state->threads.pointer;
    return STEP_NEXT;
}

enum step builtin_set_thread_pointer(struct vm *vm, struct call *call) {
    vm->state->threads.pointer = call->arguments[0];
    return STEP_NEXT;
}

// Does nothing. Its argument is a function that only the VM calls; naming it keeps it in the program.
enum step builtin_use(struct vm *vm, struct call *call) { return STEP_NEXT; }

// Calls a function, which returns to this call, as if it had been called directly.
enum step builtin_call3(struct vm *vm, struct call *call) {
    const struct ir_function *callee = ir_function_at(vm->program, call->arguments[0]);
    if (!callee) return vm_bad_call(vm, call->arguments[0]);
    if (!callee->code) return call_builtin(vm, callee, call->insn);
    struct frame *frame = vm_enter_frame(vm, callee);
    if (!frame)
        return vm_report_bug(vm, BUG_STACK_OVERFLOW, "the stack is exhausted: call of %s", callee->name);
    if (!vm->coverage.functions[callee->index]) vm_note_new_function(vm, callee);
    for (uint32_t i = 0; i < callee->parameter_slots; i++)
        frame->registers[i] = i < 3 ? call->arguments[1 + i] : 0;
    if (callee->variadic) frame->registers[callee->parameter_slots] = 0;
    return STEP_RELOAD;
}
