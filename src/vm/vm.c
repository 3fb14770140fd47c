#include "vm/vm.h"

#include "vm/vm_int.h"

struct vm *vm_new(const struct ir_program *program, const struct vm_options *options) {
    struct vm *vm = NEW(struct vm);
    vm->program = program;
    vm->options = *options;
    if (!vm->options.stack_size) vm->options.stack_size = STACK_SIZE_DEFAULT;
    vm->fresh_shadow = options->check_uninit ? SHADOW_UNINIT : SHADOW_OK;
    vm->edges_seen = NEW_ARRAY(uint8_t, program->edge_count);
    vm->sites = sites_new();
    resolve_builtins(vm);
    return vm;
}

void vm_free(struct vm *vm) {
    text_free(&vm->bug.message);
    text_free(&vm->bug.details);
    sites_free(vm->sites);
    DELETE_ARRAY(vm->edges_seen, vm->program->edge_count);
    DELETE_ARRAY(vm->builtins, vm->program->function_count);
    DELETE(vm);
}

// ---- the start: what the kernel leaves on a new stack

static uint64_t put_string(struct state *state, uint64_t *at, const char *string) {
    uint64_t size = strlen(string) + 1;
    *at -= size;
    memory_set_shadow(&state->memory, *at, size, SHADOW_OK);
    memory_poke(&state->memory, *at, string, size);
    return *at;
}

static uint32_t count_strings(char *const *strings) {
    uint32_t count = 0;
    while (strings[count]) count++;
    return count;
}

struct state *vm_start(struct vm *vm, char *const *arguments, char *const *environment) {
    const struct ir_program *program = vm->program;
    struct state *state = state_new(program, vm->options.stack_size);
    state->number = vm->next_state++;
    uint32_t argc = count_strings(arguments), envc = count_strings(environment);
    vec(uint64_t) words = {0};
    uint64_t at = STACK_TOP - 64; // the strings, with a little room above them
    vec_push(&words, argc);
    for (uint32_t i = 0; i < argc; i++) vec_push(&words, put_string(state, &at, arguments[i]));
    vec_push(&words, 0);
    for (uint32_t i = 0; i < envc; i++) vec_push(&words, put_string(state, &at, environment[i]));
    vec_push(&words, 0);
    static const uint64_t auxiliary[] = {6, 4096, 0, 0}; // AT_PAGESZ, AT_NULL
    for (unsigned i = 0; i < COUNT(auxiliary); i++) vec_push(&words, auxiliary[i]);
    uint64_t size = words.count * sizeof(uint64_t);
    at = (at - size - 32) & ~(uint64_t)15;
    memory_set_shadow(&state->memory, at, size, SHADOW_OK);
    memory_poke(&state->memory, at, words.at, size);
    vec_free(&words);

    const struct ir_function *start = ir_find_function(program, "__tamar_start");
    bool library = start && start->code;
    if (!library) start = ir_find_function(program, "main");
    assert(start && start->code);
    struct frame *frame = state_enter_below(state, start, at - 32, vm->fresh_shadow);
    assert(frame);
    uint64_t passed[3] = {argc, at + 8, at + 8 * ((uint64_t)argc + 2)};
    for (uint32_t i = 0; i < start->parameter_slots; i++)
        frame->registers[i] = library ? at : i < 3 ? passed[i] : 0;
    return state;
}

// ---- running

enum vm_event vm_run(struct vm *vm, struct state *state, uint64_t budget) {
    vm->state = state;
    vm->steps = 0;
    vm->steps_limit = budget;
    forget_translations(vm);
    interpret(vm);
    state->instructions += vm->steps;
    return vm->event;
}

int vm_exit_status(const struct vm *vm) { return vm->exit_status; }
const struct bug *vm_bug(const struct vm *vm) { return &vm->bug; }
struct sites *vm_sites(struct vm *vm) { return vm->sites; }
const uint8_t *vm_edges_seen(const struct vm *vm) { return vm->edges_seen; }
