#include "vm/vm.h"

#include "base/arena.h"
#include "cover/assertions.h"
#include "cover/cover.h"
#include "vm/host_files.h"
#include "vm/provenance.h"

// ---- roots of the collector of terms: terms that states hold (the solver marks the path conditions)

static void mark_term(void *argument, uint32_t slot) {
    const struct vm *vm = argument;
    Term term = vm_slot_term(vm, slot);
    if (term) term_mark(vm->terms, term);
    Term base = provenance_slot_has_origin(slot) ? provenance_of_slot(vm, slot).base : 0;
    if (base) term_mark(vm->terms, base);
}

static void mark_preferences(struct terms *terms, struct shared_list preferences) {
    uint32_t count = shared_list_count(preferences), *all = NEW_ARRAY(uint32_t, count);
    shared_list_copy(preferences, all);
    for (uint32_t i = 0; i < count; i++) term_mark(terms, all[i]);
    DELETE_ARRAY(all, count);
}

static void mark_states(struct terms *terms, void *context) {
    struct vm *vm = context;
    vm->states.epoch++;
    vec_each (struct state *, state, &vm->states.live) {
        memory_each_term((*state)->memory, vm->states.epoch, mark_term, vm);
        frames_each_term(&(*state)->frames, vm->states.epoch, mark_term, vm);
        tasks_each_term((*state)->threads.waiting, vm->states.epoch, mark_term, vm);
        printed_each_term((*state)->printed, vm->states.epoch, mark_term, vm);
        mark_preferences(terms, (*state)->preferences);
        if ((*state)->waiting.condition) term_mark(terms, (*state)->waiting.condition);
    }
}

const char *const vm_event_names[] = {
#define EVENT(name, meaning) [VM_##name] = meaning,
    VM_EVENT_TABLE(EVENT)
#undef EVENT
};

// ---- coverage: a state keeps the edges that its path was the first to take

static void find_user_edges(struct vm *vm) {
    const struct ir_program *program = vm->program;
    uint8_t *own = NEW_ARRAY(uint8_t, program->block_count);
    for (uint32_t f = 0; f < program->function_count; f++)
        for (uint32_t b = 0; b < program->functions[f].block_count; b++)
            own[program->functions[f].first_block + b] = !program->functions[f].runtime;
    vm->coverage.user_edges = NEW_ARRAY(uint8_t, program->edge_count);
    for (uint32_t e = 0; e < program->edge_count; e++)
        vm->coverage.user_edges[e] = own[program->edges[e].from];
    DELETE_ARRAY(own, program->block_count);
}

void vm_note_new_edge(struct vm *vm, struct state *state, uint32_t edge) {
    assert(edge < vm->program->edge_count && !vm->coverage.edges[edge]);
    if (state->speculation.is_on) return;
    vm->coverage.edges[edge] = 1;
    vm->coverage.blocks_left[vm->program->edges[edge].from] = 1;
    if (vm->coverage.user_edges[edge]) shared_list_add(&state->coverage.fresh, edge);
}

void vm_note_new_function(struct vm *vm, const struct ir_function *function) {
    assert(function->index < vm->program->function_count && !vm->coverage.functions[function->index]);
    if (vm->state->speculation.is_on) return;
    vm->coverage.functions[function->index] = 1;
    if (!function->runtime)
        shared_list_add(&vm->state->coverage.fresh, cover_function_item(vm->program, function->index));
}

struct vm *vm_new(const struct ir_program *program, const struct vm_options *options) {
    struct vm *vm = NEW(struct vm);
    vm->program = program;
    vm->options = *options;
    vm->kernel.texts = arena_new();
    if (!vm->options.stack_size) vm->options.stack_size = STACK_SIZE_DEFAULT;
    // Uninitialised bytes are terms.
    bool uninit = check_wanted(options->checks, CHECK_UNINIT) || (options->terms && !options->concrete);
    assert(!uninit || options->terms);
    vm->initial_shadow = uninit ? SHADOW_UNINIT : SHADOW_OK;
    if (uninit) vm->uninit = uninit_new();
    vm->coverage.edges = NEW_ARRAY(uint8_t, program->edge_count);
    vm->coverage.symbolic_edges = NEW_ARRAY(uint8_t, program->edge_count);
    vm->coverage.deferred = NEW_ARRAY(uint32_t, program->block_count);
    vm->coverage.functions = NEW_ARRAY(uint8_t, program->function_count);
    vm->coverage.blocks_left = NEW_ARRAY(uint8_t, program->block_count);
    vm->coverage.positions = NEW_ARRAY(uint8_t, program->position_count + 1);
    vm->coverage.positions[0] = 1;
    find_user_edges(vm);
    vm->coverage.failing_blocks = NEW_ARRAY(uint8_t, program->block_count);
    assertions_blocks(program, vm->coverage.failing_blocks);
    vm->watch.marks = NEW_ARRAY(uint8_t, program->mark_count);
    vm->watch.entries = NEW_ARRAY(uint8_t, program->function_count);
    memset(vm->watch.marks, 1, program->mark_count);
    vm->tables.frame_shadows = NEW_ARRAY(uint8_t *, program->function_count);
    memset(vm->cache.read, 0xff, sizeof vm->cache.read);
    memset(vm->cache.write, 0xff, sizeof vm->cache.write);
    vm->coverage.is_task = assertions_is_task(program);
    vm->sites = sites_new();
    vm->solver = options->solver;
    vm->terms = options->terms;
    if (vm->terms) terms_add_roots(vm->terms, mark_states, vm);
    vm->inputs = options->inputs || !vm->terms ? options->inputs : inputs_new(vm->terms);
    vm_resolve_intrinsics(vm);
    return vm;
}

void vm_free(struct vm *vm) {
    assert(!vm->states.live.count);
    if (vm->terms) terms_remove_roots(vm->terms, mark_states, vm);
    if (!vm->options.inputs) inputs_free(vm->inputs);
    host_forget_dir_cache(vm);
    vec_free(&vm->states.live);
    vec_free(&vm->replay.own);
    novelty_free(&vm->novelty);
    vec_free(&vm->kernel.events);
    arena_free(vm->kernel.texts);
    vec_free(&vm->tables.constant_arrays.at);
    map_free(&vm->tables.constant_arrays.index);
    map_free(&vm->tables.lazy_inputs);
    uninit_free(vm->uninit);
    provenance_free(vm);
    text_free(&vm->outcome.bug.message);
    text_free(&vm->outcome.bug.details);
    for (uint32_t i = 0; i < vm->program->function_count; i++)
        if (vm->tables.frame_shadows[i])
            mem_free(vm->tables.frame_shadows[i], vm->program->functions[i].frame_size);
    DELETE_ARRAY(vm->tables.frame_shadows, vm->program->function_count);
    sites_free(vm->sites);
    DELETE_ARRAY(vm->coverage.edges, vm->program->edge_count);
    DELETE_ARRAY(vm->coverage.symbolic_edges, vm->program->edge_count);
    DELETE_ARRAY(vm->coverage.deferred, vm->program->block_count);
    DELETE_ARRAY(vm->coverage.functions, vm->program->function_count);
    DELETE_ARRAY(vm->coverage.blocks_left, vm->program->block_count);
    DELETE_ARRAY(vm->coverage.positions, vm->program->position_count + 1);
    DELETE_ARRAY(vm->coverage.user_edges, vm->program->edge_count);
    DELETE_ARRAY(vm->coverage.failing_blocks, vm->program->block_count);
    DELETE_ARRAY(vm->watch.marks, vm->program->mark_count);
    DELETE_ARRAY(vm->watch.entries, vm->program->function_count);
    for (unsigned own = 0; own < 2; own++)
        if (vm->tables.taken[own]) DELETE_ARRAY(vm->tables.taken[own], vm->program->function_count);
    DELETE_ARRAY(vm->tables.intrinsics, vm->program->function_count);
    DELETE(vm);
}

// ---- the start: the initial stack as the kernel makes it

// Bounds a symbolic string by its first NUL: bytes after it do not exist. So the string is an object of symbolic size,
// like one that malloc made.
static void bound_string(struct vm *vm, struct state *state, uint64_t address, uint64_t fixed, uint32_t count,
                         uint32_t input) {
    struct terms *terms = vm->terms;
    Term size = term_const(terms, 64, fixed + count + 1);
    for (uint32_t i = count; i--;) {
        Term ends = term_eq(terms, term_byte(terms, input, i), term_const(terms, 8, 0));
        size = term_ite(terms, ends, term_const(terms, 64, fixed + i + 1), size);
    }
    memory_set_shadow(&state->memory, address + fixed + 1, count, SHADOW_BOUND);
    struct object string;
    bool found = object_at(state, address, &string);
    assert(found && string.start == address);
    if (found) object_set_size_term(state, &string, size);
}

// Puts a string on the stack; a symbolic one consists of the input's bytes and a NUL.
static uint64_t put_text(struct vm *vm, struct state *state, uint64_t *at, const struct vm_text *text,
                         struct input_id input, const char *prefix) {
    uint64_t start = strlen(prefix),
             size = start + (text->symbolic ? text->symbolic : strlen(text->text)) + 1;
    *at -= size + STRING_GAP; // a red zone after each string
    memory_zero(&state->memory, *at, size, SHADOW_OK);
    memory_set_shadow(&state->memory, *at + size, STRING_GAP, SHADOW_AFTER_BOUND);
    object_add_start(state, OBJECT_STRING, *at, size);
    memory_poke(&state->memory, *at, prefix, start);
    if (text->symbolic) {
        uint32_t number = inputs_get(vm->inputs, input, text->symbolic);
        state_inputs_use(&state->inputs, number, text->symbolic);
        bound_string(vm, state, *at, start, text->symbolic, number);
        vm_make_symbolic(vm, *at + start, text->symbolic, number, 0);
    } else {
        memory_poke(&state->memory, *at + start, text->text, strlen(text->text));
    }
    return *at;
}

static uint64_t put_argument(struct vm *vm, struct state *state, uint64_t *at, const struct vm_text *text,
                             uint32_t i) {
    return put_text(vm, state, at, text, input_numbered(INPUT_ARGUMENT, i), "");
}

static uint64_t put_variable(struct vm *vm, struct state *state, uint64_t *at, const struct vm_text *text) {
    struct text prefix = {0};
    if (text->symbolic) text_add(&prefix, "%s=", text->text);
    uint64_t address =
        put_text(vm, state, at, text, input_variable(text->text), text->symbolic ? prefix.at : "");
    text_free(&prefix);
    return address;
}

// Gives the symbolic part of a file its original bytes as default values.
static void set_file_defaults(struct vm *vm, struct state *state) {
    uint32_t count;
    const struct vm_file *files = host_symbolic_files(vm, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!files[i].around) continue;
        uint32_t input = inputs_get(vm->inputs, input_file(files[i].path), files[i].most);
        for (uint32_t at = files[i].from; at < files[i].to; at++)
            path_set_default(state->path, terms_input_var(vm->terms, input, at), files[i].around[at]);
    }
}

struct state *vm_start(struct vm *vm, const struct vm_start_config *environment) {
    const struct ir_program *program = vm->program;
    struct state *state = state_new(program, vm->options.stack_size);
    state->number = vm->states.next++;
    state->start.around = environment;
    vm->state = state;
    vm->instruction.change_taint = 0;
    vm->instruction.dangerous = false;
    vm_forget_translations(vm);
    uint32_t argc = environment->argument_count;
    vec(uint64_t) words = {0};
    uint64_t at = STACK_TOP - STACK_ROOM; // the strings are put below it
    vec_push(&words, argc);
    for (uint32_t i = 0; i < argc; i++)
        vec_push(&words, put_argument(vm, state, &at, &environment->arguments[i], i));
    vec_push(&words, 0);
    for (uint32_t i = 0; i < environment->variable_count; i++)
        vec_push(&words, put_variable(vm, state, &at, &environment->variables[i]));
    vec_push(&words, 0);
    // AT_PAGESZ; AT_PHDR, AT_PHENT and AT_PHNUM, which the C library needs natively; AT_NULL
    static const uint64_t auxiliary[] = {6, 4096, 3, 0, 4, 0, 5, 0, 0, 0};
    for (unsigned i = 0; i < COUNT(auxiliary); i++) vec_push(&words, auxiliary[i]);
    uint64_t size = words.count * sizeof(uint64_t);
    at = (at - size - START_GAP) & ~(uint64_t)15;
    assert(at > state->threads.stack_limit && at + size < STACK_TOP);
    memory_set_shadow(&state->memory, at, size, SHADOW_OK);
    object_add_start(state, OBJECT_START_LIST, at, size);
    memory_poke(&state->memory, at, words.at, size);
    vec_free(&words);

    const struct ir_function *start = ir_find_function(program, "__tamar_start");
    bool library = start && start->code;
    if (!library) start = ir_find_function(program, "main");
    assert(start && start->code);
    struct frame *frame = state_enter_below(state, start, at - START_GAP);
    assert(frame);
    if (!vm->coverage.functions[start->index]) vm_note_new_function(vm, start);
    uint64_t passed[3] = {argc, at + 8, at + 8 * ((uint64_t)argc + 2)};
    for (uint32_t i = 0; i < start->parameter_slots; i++)
        frame->registers[i] = library ? at : i < 3 ? passed[i] : 0;
    for (uint32_t i = 0; vm->terms && environment->own_files && i < environment->file_count; i++)
        vm_file_input(vm, &environment->files[i]);
    provenance_mark_initial(vm);
    if (vm->terms) {
        state->path = NEW(struct path_condition);
        state->live_index = vm->states.live.count;
        vec_push(&vm->states.live, state);
        set_file_defaults(vm, state);
    }
    return state;
}

// ---- running

void vm_collect(struct vm *vm) {
    if (vm->terms && terms_should_collect(vm->terms)) terms_collect(vm->terms);
}

enum vm_event vm_run(struct vm *vm, struct state *state, uint64_t budget) {
    assert(!state->waiting.condition && state->frames.chunk);
    assert(!vm->terms == !state->path && (!state->path || vm->states.live.at[state->live_index] == state));
    vm->state = state;
    vm->budget.steps = 0;
    // The loop reports an edge when its budget ends there.
    vm->budget.steps_limit = vm->watch.trace ? 1 : budget;
    uint64_t work = vm->solver ? solver_work(vm->solver) : 0;
    vm->budget.work_limit = work + MIN(budget, UINT64_MAX - work);
    vm->watch.ends_soon = false;
    replay_begin_retry(vm);
    vm_forget_translations(vm);
    provenance_forget_ranges(vm);
    if (state->speculation.is_on) return vm_run_speculative(vm, budget);
    vm_interpret(vm);
    state->instructions += vm->budget.steps;
    return vm->outcome.event;
}

const struct symbolic_counters *vm_counters(const struct vm *vm) { return &vm->counts; }
void vm_restore_counters(struct vm *vm, const struct symbolic_counters *counters) { vm->counts = *counters; }
int vm_exit_status(const struct vm *vm) { return vm->outcome.exit_status; }
const struct bug *vm_bug(const struct vm *vm) { return &vm->outcome.bug; }
struct sites *vm_sites(const struct vm *vm) { return vm->sites; }
struct inputs *vm_inputs(struct vm *vm) { return vm->inputs; }

uint32_t vm_user_site(const struct vm *vm, uint32_t site) {
    uint32_t without_line = 0;
    for (uint32_t number = site; number;) {
        struct site at = site_get(vm->sites, number);
        const struct ir_function *function = &vm->program->functions[at.function];
        if (!function->runtime && function->location) return number;
        if (!function->runtime && !without_line) without_line = number;
        number = at.caller;
    }
    return without_line ? without_line : site;
}
const struct ir_program *vm_program(const struct vm *vm) { return vm->program; }
const char *vm_event_text(const struct vm *vm, uint32_t number) {
    assert(number < vm->kernel.events.count);
    return vm->kernel.events.at[number];
}
const uint8_t *vm_edges_seen(const struct vm *vm) { return vm->coverage.edges; }
const uint8_t *vm_edges_decided(const struct vm *vm) { return vm->coverage.symbolic_edges; }
const uint32_t *vm_pending_per_block(const struct vm *vm) { return vm->coverage.deferred; }
const uint8_t *vm_functions_seen(const struct vm *vm) { return vm->coverage.functions; }

void vm_enable_mark(struct vm *vm, uint32_t mark, bool wanted) {
    assert(mark & IR_MARK_ENTRY ? (mark & ~IR_MARK_ENTRY) < vm->program->function_count
                                : mark < vm->program->mark_count);
    if (mark & IR_MARK_ENTRY)
        vm->watch.entries[mark & ~IR_MARK_ENTRY] = wanted;
    else
        vm->watch.marks[mark] = wanted;
}

void vm_request_stop(struct vm *vm) { vm->watch.ends_soon = true; }

void vm_trace(struct vm *vm, void (*took)(void *context, uint32_t edge),
              void (*chose)(void *context, const struct vm_decision *decision), void *context) {
    vm->watch.trace = took;
    vm->watch.chose = chose;
    vm->watch.trace_context = context;
}
