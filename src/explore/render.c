#include "explore/render.h"

#include "base/arena.h"
#include "base/vec.h"
#include "expr/print_term.h"
#include "ir/operation.h"
#include "solver/solver.h"

#include <string.h>

#define MOST_FRAMES     200u
#define MOST_BYTES      200u
#define MOST_CONDITIONS 100u
#define LONGEST         400u // most characters of a condition

// ---- sites

static const struct ir_location *location_of(const struct vm *vm, uint32_t number) {
    const struct ir_program *program = vm_program(vm);
    struct site site = site_get(vm_sites(vm), number);
    assert(number && site.function < program->function_count);
    const struct ir_function *function = &program->functions[site.function];
    return &program->locations[function->code ? function->locations[site.instruction] : 0];
}

// Returns a frame of a site for the location `at`: the site's own location, or one that it was inlined at. Inlining
// within the library is not shown.
static struct finding_frame frame_at(const struct vm *vm, uint32_t number, const struct ir_location *at) {
    const struct ir_program *program = vm_program(vm);
    const struct ir_function *function = &program->functions[site_get(vm_sites(vm), number).function];
    const char *inlined = program->strings[at->function];
    bool is_inlined = at->inlined_at && !function->runtime && *inlined;
    return (struct finding_frame){.function = is_inlined ? inlined : function->name,
                                  .file = at->line ? program->files[at->file] : "",
                                  .line = at->line,
                                  .column = at->column,
                                  .own = !function->runtime};
}

static struct finding_frame frame_of(const struct vm *vm, uint32_t number) {
    return frame_at(vm, number, location_of(vm, number));
}

static uint32_t caller_of(const struct vm *vm, uint32_t number) {
    return site_get(vm_sites(vm), number).caller;
}

// ---- stacks

#define LONGEST_CYCLE 8u // most frames in one period of a folded recursion

struct shown_frame {
    uint32_t site, depth; // depth: index among all frames; 0 is the innermost
};
typedef vec(struct shown_frame) shown_frames;

// Selects the frames of user code, and those of library functions that it called.
static shown_frames shown_frames_of(const struct vm *vm, uint32_t number) {
    shown_frames shown = {0};
    const struct ir_program *program = vm_program(vm);
    for (uint32_t depth = 0; number; depth++) {
        uint32_t caller = caller_of(vm, number);
        bool own = !program->functions[site_get(vm_sites(vm), number).function].runtime;
        bool called = caller && !program->functions[site_get(vm_sites(vm), caller).function].runtime;
        if (own || called) vec_push(&shown, ((struct shown_frame){number, depth}));
        number = caller;
    }
    return shown;
}

static bool same_frame(const struct vm *vm, struct shown_frame a, struct shown_frame b) {
    struct site x = site_get(vm_sites(vm), a.site), y = site_get(vm_sites(vm), b.site);
    return x.function == y.function && x.instruction == y.instruction;
}

// Returns how often the `cycle` frames from `start` on are repeated in succession.
static uint32_t repeats_at(const struct vm *vm, const shown_frames *shown, uint32_t start, uint32_t cycle) {
    uint32_t same = 0;
    while (start + cycle + same < shown->count &&
           same_frame(vm, shown->at[start + same], shown->at[start + cycle + same]))
        same++;
    return same / cycle;
}

// Appends the frame of a site; functions inlined there come first, without arguments.
static uint32_t add_frame(struct arena *arena, struct vm *vm, struct shown_frame shown,
                          const struct state *state, struct finding_frame *frames, uint32_t count) {
    const struct ir_program *program = vm_program(vm);
    const struct ir_location *at = location_of(vm, shown.site);
    bool runtime = program->functions[site_get(vm_sites(vm), shown.site).function].runtime;
    for (; at->inlined_at && !runtime && count + 1 < MOST_FRAMES; at = &program->locations[at->inlined_at])
        frames[count++] = frame_at(vm, shown.site, at);
    struct finding_frame *frame = &frames[count++];
    struct text arguments = {0};
    *frame = frame_at(vm, shown.site, at);
    if (state && vm_add_arguments(&arguments, vm, state, shown.depth))
        frame->arguments = arena_strdup(arena, arguments.at ? arguments.at : "");
    text_free(&arguments);
    return count;
}

// Finds the shortest cycle that begins at this frame and is repeated at least twice. Returns the number of
// repetitions; 0: none.
static uint32_t find_cycle(const struct vm *vm, const shown_frames *shown, uint32_t start, uint32_t *cycle) {
    for (*cycle = 1; *cycle <= LONGEST_CYCLE; ++*cycle) {
        uint32_t repeats = repeats_at(vm, shown, start, *cycle);
        if (repeats > 1) return repeats;
    }
    return 0;
}

struct finding_stack render_stack(struct arena *arena, struct vm *vm, uint32_t number,
                                  const struct state *state) {
    struct finding_frame *frames = ARENA_ARRAY(arena, struct finding_frame, MOST_FRAMES);
    shown_frames shown = shown_frames_of(vm, number);
    uint32_t count = 0;
    for (uint32_t i = 0; i < shown.count && count < MOST_FRAMES;) {
        uint32_t first = count, cycle, repeats = find_cycle(vm, &shown, i, &cycle);
        for (uint32_t k = 0; k < (repeats ? cycle : 1) && count < MOST_FRAMES; k++)
            count = add_frame(arena, vm, shown.at[i + k], state, frames, count);
        if (repeats) {
            frames[count - 1].cycle = count - first;
            frames[count - 1].repeats = repeats;
        }
        i += repeats ? cycle * (1 + repeats) : 1;
    }
    vec_free(&shown);
    return (struct finding_stack){frames, count};
}

struct finding_frame render_place(const struct vm *vm, uint32_t number) {
    uint32_t without_line = 0; // a function of user code without lines, such as an intrinsic of the processor
    for (uint32_t at = number; at; at = caller_of(vm, at)) {
        struct finding_frame frame = frame_of(vm, at);
        if (frame.own && frame.line) return frame;
        if (frame.own && !without_line) without_line = at;
    }
    if (without_line) number = without_line;
    return number ? frame_of(vm, number) : (struct finding_frame){.function = "", .file = ""};
}

const uint32_t *render_site(struct arena *arena, const struct vm *vm, uint32_t number, uint32_t *count) {
    vec(uint32_t) chain = {0};
    for (; number; number = caller_of(vm, number)) {
        struct site site = site_get(vm_sites(vm), number);
        vec_push(&chain, site.function);
        vec_push(&chain, site.instruction);
    }
    *count = chain.count;
    const uint32_t *copy = arena_memdup(arena, chain.at, chain.count * sizeof *chain.at);
    vec_free(&chain);
    return copy;
}

// ---- relevant bytes

struct rendered_conditions {
    struct terms *terms;
    const struct inputs *inputs;
    VarSet vars;
    vec(Term) list;
};

// Whether the condition depends on inputs only. An uninitialised byte is not an input: no test can set it.
static bool is_of_inputs(const struct rendered_conditions *conditions, Term condition) {
    const struct terms *terms = conditions->terms;
    VarSet vars = term_support(terms, condition);
    for (uint32_t var = varset_next(terms, vars, 0); var != VAR_NONE; var = varset_next(terms, vars, var + 1))
        if (!terms_var_is_array(terms, var) &&
            inputs_id(conditions->inputs, terms_var_input(terms, var)).kind == INPUT_UNINITIALISED)
            return false;
    return true;
}

static void take_condition(void *context, Term condition) {
    struct rendered_conditions *conditions = context;
    if (!is_of_inputs(conditions, condition)) return;
    conditions->vars =
        varset_union(conditions->terms, conditions->vars, term_support(conditions->terms, condition));
    vec_push(&conditions->list, condition);
}

// Returns the name of the input in C syntax; for an environment variable, only its name.
static const char *shown_name(struct arena *arena, const struct test_input *input) {
    if (input->kind == INPUT_ENVIRONMENT) return input->name;
    struct text name = {0};
    input_add_c_name(&name, input_parse(input->kind, input->name));
    const char *copy = arena_strdup(arena, name.at);
    text_free(&name);
    return copy;
}

static void add_c_name(const void *inputs, struct text *to, uint32_t input) {
    input_add_c_name(to, inputs_id(inputs, input));
}

static const char *condition_text(struct arena *arena, const struct rendered_conditions *conditions,
                                  Term condition) {
    struct text text = {0};
    struct input_names names = {add_c_name, conditions->inputs};
    term_print_named(conditions->terms, &text, condition, &names);
    if (text.count > LONGEST) {
        text.count = LONGEST;
        text.at[LONGEST] = 0;
        text_add(&text, " ...");
    }
    size_t last = text.count - 1; // drops parentheses around the whole text
    bool bare = text.at[0] == '(' && text.at[last] == ')';
    if (bare) text.at[last] = 0;
    const char *copy = arena_strdup(arena, text.at + bare);
    text_free(&text);
    return copy;
}

static const char *value_text(struct arena *arena, const struct finding_byte *byte) {
    struct text text = {0};
    bool plain = byte->value >= 32 && byte->value < 127 && byte->value != '\'' && byte->value != '\\';
    text_add(&text, "%s[%u] == ", byte->input, byte->offset);
    text_add(&text, plain ? "'%c'" : "%u", byte->value);
    const char *copy = arena_strdup(arena, text.at);
    text_free(&text);
    return copy;
}

// Renders the path condition. A byte with only one possible value is mentioned once.
static void find_conditions(struct arena *arena, struct terms *terms,
                            const struct rendered_conditions *conditions, VarSet fixed,
                            struct finding *finding) {
    const char **texts = ARENA_ARRAY(arena, const char *, MOST_CONDITIONS);
    for (uint32_t i = 0; i < finding->byte_count && finding->condition_count < MOST_CONDITIONS; i++)
        if (finding->bytes[i].low == finding->bytes[i].high)
            texts[finding->condition_count++] = value_text(arena, &finding->bytes[i]);
    for (uint32_t i = 0; i < conditions->list.count && finding->condition_count < MOST_CONDITIONS; i++)
        if (!varset_subset(terms, term_support(terms, conditions->list.at[i]), fixed))
            texts[finding->condition_count++] = condition_text(arena, conditions, conditions->list.at[i]);
    finding->conditions = texts;
}

void render_inputs(struct arena *arena, struct solver *solver, struct terms *terms,
                   const struct inputs *inputs, const struct path_condition *path,
                   const struct test_case *test, struct finding *finding) {
    struct rendered_conditions conditions = {.terms = terms, .inputs = inputs};
    VarSet fixed = 0;
    path_each(path, take_condition, &conditions);
    struct finding_byte *bytes = ARENA_ARRAY(arena, struct finding_byte, MOST_BYTES);
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        uint32_t number = inputs_find(inputs, input_parse(input->kind, input->name));
        if (number == NO_INPUT) continue; // the kernel's choices are not terms
        for (uint32_t k = 0; k < input->size && finding->byte_count < MOST_BYTES; k++) {
            uint32_t var = terms_input_var(terms, number, k);
            if (!varset_has(terms, conditions.vars, var)) continue;
            uint64_t low, high;
            Term byte = term_input_bits(terms, number, k, 1);
            solver_byte_bounds(solver, path, var, byte, &low, &high);
            bytes[finding->byte_count++] = (struct finding_byte){shown_name(arena, input), k, input->bytes[k],
                                                                 (uint32_t)low, (uint32_t)high};
            if (low == high) fixed = varset_union(terms, fixed, varset_single(terms, var));
        }
    }
    assert(finding->byte_count <= MOST_BYTES);
    finding->bytes = bytes;
    find_conditions(arena, terms, &conditions, fixed, finding);
    vec_free(&conditions.list);
}

// ---- bugs

// Sets the function's start, and the index of the failing operation at its source position.
static void find_operation(const struct vm *vm, uint32_t user_site, struct finding *finding) {
    const struct ir_program *program = vm_program(vm);
    struct site site = user_site ? site_get(vm_sites(vm), user_site) : (struct site){0};
    const struct ir_function *function = &program->functions[site.function];
    if (!user_site || !function->code) return;
    finding->ordinal = ir_operation_at(program, function, site.instruction).ordinal;
    const struct ir_location *at = &program->locations[function->locations[site.instruction]];
    if (!at->inlined_at) finding->function_line = program->locations[function->location].line;
}

struct finding *render_bug(struct arena *arena, struct vm *vm, const struct bug *bug,
                           const struct state *state) {
    struct finding *finding = ARENA_NEW(arena, struct finding);
    finding->kind = bug_facts[bug->kind].name;
    finding->message = arena_strdup(arena, bug->message.at ? bug->message.at : "");
    finding->details = arena_strdup(arena, bug->details.at ? bug->details.at : "");
    finding->place = render_place(vm, bug->site);
    finding->stack = render_stack(arena, vm, bug->site, state);
    finding->allocated = render_stack(arena, vm, bug->allocated_at, NULL);
    finding->freed = render_stack(arena, vm, bug->freed_at, NULL);
    finding->replayed = -1;
    finding->fault = bug_fault_names[bug->fault];
    find_operation(vm, vm_user_site(vm, bug->site), finding);
    finding->hash = finding_fingerprint(finding);
    return finding;
}
