// Intrinsics of the runtime: symbolic values. In a concrete run a symbolic object is all zero, and an
// assumption must hold.
#include "vm/choice.h"
#include "vm/replay.h"

uint32_t vm_unique_input(struct vm *vm, const char *name, uint32_t size) {
    return state_inputs_add_object(&vm->state->inputs, vm->inputs, name, size);
}

// Limits of symbolic objects: input bytes and terms have 32-bit numbers. MEMORY_OF_BYTE estimates the memory that a
// symbolic byte takes: its term, its variable, its page.
#define MOST_BYTES     (256u << 20)
#define MEMORY_OF_BYTE 100u

static enum step check_symbolic_size(struct vm *vm, uint64_t size) {
    uint64_t memory = limits_memory();
    bool fits = !memory || size <= memory / MEMORY_OF_BYTE;
    if (size <= MOST_BYTES && fits) return STEP_NEXT;
    struct text what = {0};
    text_add(&what, "a symbolic object of %llu bytes (%s)", (unsigned long long)size,
             size > MOST_BYTES ? "256 MB is the most" : "it needs more than --max-memory");
    enum step step = vm_report_not_modelled(vm, what.at);
    text_free(&what);
    return step;
}

// Fills an object in a concrete run: a harness's input with the given bytes, every other object with zeros.
static enum step set_concrete(struct vm *vm, struct call *call) {
    const struct vm_start_config *around = vm->state->start.around;
    uint64_t address = call->arguments[0], size = call->arguments[1];
    struct text name = {0};
    enum step step = around->input ? vm_read_string(vm, call->arguments[2], &name) : STEP_NEXT;
    bool given = name.at && !strcmp(name.at, input_roles[ROLE_HARNESS].name) && size == around->input_size;
    text_free(&name);
    if (step != STEP_NEXT) return step;
    return given ? vm_write_bytes(vm, address, around->input, size) : vm_set_bytes(vm, address, 0, size);
}

enum step builtin_symbolic(struct vm *vm, struct call *call) {
    uint64_t address = call->arguments[0], size = call->arguments[1];
    if (!vm->terms || vm->options.concrete) return set_concrete(vm, call);
    struct text name = {0};
    enum step step = vm_check_buffer(vm, call, 0, 0, size, true);
    if (step == STEP_NEXT) step = vm_check_access(vm, address, size, true);
    if (step == STEP_NEXT) step = check_symbolic_size(vm, size);
    if (step == STEP_NEXT) step = vm_read_string(vm, call->arguments[2], &name);
    if (step == STEP_NEXT && size)
        vm_make_symbolic(vm, address, size, vm_unique_input(vm, name.at ? name.at : "input", (uint32_t)size),
                         0);
    text_free(&name);
    return step;
}

enum step builtin_arrival(struct vm *vm, struct call *call) { return builtin_symbolic(vm, call); }

enum step builtin_assume(struct vm *vm, struct call *call) {
    if (call->terms[0]) {
        Term condition = term_resize(vm->terms, call->terms[0], 32);
        return vm_assume(vm, term_ne(vm->terms, condition, term_const(vm->terms, 32, 0)));
    }
    if ((uint32_t)call->arguments[0]) return STEP_NEXT;
    vm->outcome.event = VM_STOPPED;
    return STEP_STOP;
}

enum step builtin_is_symbolic(struct vm *vm, struct call *call) {
    call->result = call->terms[0] != 0;
    return STEP_NEXT;
}

enum step builtin_is_symbolic_bytes(struct vm *vm, struct call *call) {
    enum step step = vm_check_access(vm, call->arguments[0], call->arguments[1], false);
    if (step == STEP_NEXT) call->result = vm_any_symbolic(vm, call->arguments[0], call->arguments[1]);
    return step;
}

enum step builtin_pin(struct vm *vm, struct call *call) {
    call->result = call->arguments[0];
    return call->terms[0] ? vm_concretize(vm, call->terms[0], "a value was concretized", &call->result)
                          : STEP_NEXT;
}

enum step builtin_unset(struct vm *vm, struct call *call) {
    if (call->terms[0] || call->arguments[0] < 1 || call->arguments[0] > 8)
        return vm_report_bug(vm, BUG_BAD_CALL, "a value of %llu bytes",
                             (unsigned long long)call->arguments[0]);
    call->result = 0;
    if (vm->uninit) call->result_term = uninit_register(vm, (unsigned)call->arguments[0]);
    return STEP_NEXT;
}

enum step builtin_example(struct vm *vm, struct call *call) {
    enum step step = STEP_NEXT;
    call->result = call->arguments[0];
    if (!call->terms[0]) return STEP_NEXT;
    if (vm_is_recorded(vm, &step)) {
        call->result = vm_recall_number(vm);
        step = vm_recalled(vm);
    } else if (step == STEP_NEXT) {
        call->result = solver_evaluate(vm->solver, vm->state->path, call->terms[0]);
        vm_know_number(vm, call->result);
    }
    return step;
}

enum step builtin_may_be_true(struct vm *vm, struct call *call) {
    call->result = call->arguments[0] != 0;
    if (!call->terms[0]) return STEP_NEXT;
    Term zero = term_const(vm->terms, term_width(vm->terms, call->terms[0]), 0);
    Term condition = term_ne(vm->terms, call->terms[0], zero);
    enum answer answer = ANSWER_UNKNOWN;
    enum step step = vm_ask(vm, condition, &answer);
    call->result = answer != ANSWER_NO;
    return step;
}

enum step builtin_set_forking(struct vm *vm, struct call *call) {
    vm->state->forks_off = !call->arguments[0];
    return STEP_NEXT;
}

enum step builtin_print_value(struct vm *vm, struct call *call) {
    struct text line = {0};
    enum step step = vm_read_string(vm, call->arguments[0], &line);
    // In a replay the message has been printed before.
    if (step == STEP_NEXT && vm->options.host.log && !replay_is_replaying(vm)) {
        uint64_t value = call->arguments[1];
        if (call->terms[1]) value = solver_evaluate(vm->solver, vm->state->path, call->terms[1]);
        text_add(&line, ": %llu%s", (unsigned long long)value,
                 call->terms[1] ? " (symbolic, for example)" : "");
        vm->options.host.log(vm->options.host.context, line.at);
    }
    text_free(&line);
    return step;
}
