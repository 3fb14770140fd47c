#include "cli/findings.h"

#include "base/arena.h"
#include "base/vec.h"
#include "cover/cover.h"
#include "expr/print.h"

#include <string.h>

#define MOST_FRAMES     200u
#define MOST_BYTES      200u
#define MOST_CONDITIONS 100u
#define LONGEST         400u // characters of a condition

static struct finding_frame frame_of(const struct ir_program *program, struct site site) {
    const struct ir_function *function = &program->functions[site.function];
    uint32_t location = function->code ? function->locations[site.instruction] : 0;
    const struct ir_location *at = &program->locations[location];
    return (struct finding_frame){.function = function->name,
                                  .file = at->line ? program->files[at->file] : "",
                                  .line = at->line,
                                  .column = at->column,
                                  .own = !function->runtime};
}

// Of the library only the functions that the program called are shown: what they did inside concerns nobody.
// `state`: the one that stands there, for the arguments; NULL: none does any more.
static struct finding_stack stack_of(struct arena *arena, struct explore *explore,
                                     const struct ir_program *program, uint32_t number,
                                     const struct state *state) {
    struct sites *sites = vm_sites(explore_vm(explore));
    struct finding_frame *frames = ARENA_ARRAY(arena, struct finding_frame, MOST_FRAMES);
    uint32_t count = 0;
    for (uint32_t depth = 0; number && count < MOST_FRAMES; depth++) {
        struct site site = site_get(sites, number);
        struct finding_frame frame = frame_of(program, site);
        bool inside = !frame.own && site.caller && !frame_of(program, site_get(sites, site.caller)).own;
        bool below = !frame.own && !site.caller; // what starts the program
        struct text arguments = {0};
        if (!inside && !below && state && vm_add_arguments(&arguments, explore_vm(explore), state, depth))
            frame.arguments = arena_strdup(arena, arguments.at ? arguments.at : "");
        text_free(&arguments);
        if (!inside && !below) frames[count++] = frame;
        number = site.caller;
    }
    return (struct finding_stack){frames, count};
}

struct finding_frame finding_frame_at(struct explore *explore, const struct ir_program *program,
                                      uint32_t number) {
    struct sites *sites = vm_sites(explore_vm(explore));
    for (uint32_t at = number; at;) {
        struct site site = site_get(sites, at);
        struct finding_frame frame = frame_of(program, site);
        if (frame.own) return frame;
        at = site.caller;
    }
    return number ? frame_of(program, site_get(sites, number))
                  : (struct finding_frame){.function = "", .file = ""};
}

// ---- which bytes matter

struct conditions {
    struct terms *terms;
    const struct inputs *inputs;
    VarSet vars;
    vec(Term) list;
};

// What an uninitialised byte holds is not an input: no test can give it.
static bool is_of_inputs(const struct conditions *conditions, Term condition) {
    const struct terms *terms = conditions->terms;
    VarSet vars = term_support(terms, condition);
    for (uint32_t var = varset_next(terms, vars, 0); var != VAR_NONE; var = varset_next(terms, vars, var + 1))
        if (!terms_var_is_array(terms, var) &&
            inputs_id(conditions->inputs, terms_var_input(terms, var)).kind == INPUT_UNINITIALISED)
            return false;
    return true;
}

static void take_condition(void *context, Term condition) {
    struct conditions *conditions = context;
    if (!is_of_inputs(conditions, condition)) return;
    conditions->vars =
        varset_union(conditions->terms, conditions->vars, term_support(conditions->terms, condition));
    vec_push(&conditions->list, condition);
}

// As a C programmer would name it; a variable of the environment goes by its name alone.
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

static const char *condition_text(struct arena *arena, const struct conditions *conditions, Term condition) {
    struct text text = {0};
    struct input_names names = {add_c_name, conditions->inputs};
    term_print_named(conditions->terms, &text, condition, &names);
    if (text.count > LONGEST) {
        text.count = LONGEST;
        text.at[LONGEST] = 0;
        text_add(&text, " ...");
    }
    size_t last = text.count - 1; // one pair of parentheses around it all says nothing
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

// The path's conditions: a byte that can have one value only is said once, and nothing else about it.
static void find_conditions(struct arena *arena, struct terms *terms, const struct conditions *conditions,
                            VarSet fixed, struct finding *finding) {
    const char **texts = ARENA_ARRAY(arena, const char *, MOST_CONDITIONS);
    for (uint32_t i = 0; i < finding->byte_count && finding->condition_count < MOST_CONDITIONS; i++)
        if (finding->bytes[i].low == finding->bytes[i].high)
            texts[finding->condition_count++] = value_text(arena, &finding->bytes[i]);
    for (uint32_t i = 0; i < conditions->list.count && finding->condition_count < MOST_CONDITIONS; i++)
        if (!varset_subset(terms, term_support(terms, conditions->list.at[i]), fixed))
            texts[finding->condition_count++] = condition_text(arena, conditions, conditions->list.at[i]);
    finding->conditions = texts;
}

static void find_bytes(struct arena *arena, struct explore *explore, const struct test_case *test,
                       struct finding *finding) {
    struct solver *solver = explore_solver(explore);
    struct terms *terms = explore_terms(explore);
    const struct inputs *inputs = vm_inputs(explore_vm(explore));
    struct conditions conditions = {.terms = terms, .inputs = inputs};
    VarSet fixed = 0;
    path_each(test->path, take_condition, &conditions);
    struct finding_byte *bytes = ARENA_ARRAY(arena, struct finding_byte, MOST_BYTES);
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        uint32_t number = inputs_find(inputs, input_parse(input->kind, input->name));
        if (number == NO_INPUT) continue; // the kernel's choices are not terms
        for (uint32_t k = 0; k < input->size && finding->byte_count < MOST_BYTES; k++) {
            uint32_t var = terms_input_var(terms, number, k);
            if (!varset_has(terms, conditions.vars, var)) continue;
            uint64_t low = 0, high = 255;
            Term byte = term_input_bits(terms, number, k, 1);
            if (solver_bounds(solver, test->path, byte, &low, &high) != ANSWER_YES) low = 0, high = 255;
            bytes[finding->byte_count++] = (struct finding_byte){shown_name(arena, input), k, input->bytes[k],
                                                                 (uint8_t)low, (uint8_t)high};
            if (low == high) fixed = varset_union(terms, fixed, varset_single(terms, var));
        }
    }
    finding->bytes = bytes;
    find_conditions(arena, terms, &conditions, fixed, finding);
    vec_free(&conditions.list);
}

struct finding *finding_make(struct arena *arena, struct explore *explore, const struct ir_program *program,
                             const struct bug *bug, const struct test_case *test) {
    struct finding *finding = ARENA_NEW(arena, struct finding);
    finding->kind = bug_facts[bug->kind].name;
    finding->message = arena_strdup(arena, bug->message.at ? bug->message.at : "");
    finding->details = arena_strdup(arena, bug->details.at ? bug->details.at : "");
    finding->place = finding_frame_at(explore, program, bug->site);
    finding->stack = stack_of(arena, explore, program, bug->site, test ? test->state : NULL);
    finding->allocated = stack_of(arena, explore, program, bug->allocated_at, NULL);
    finding->freed = stack_of(arena, explore, program, bug->freed_at, NULL);
    finding->replayed = -1;
    finding->hash = finding_hash(finding);
    if (test) {
        finding->test = test->number;
        finding->events = test->events;
        finding->event_count = test->event_count;
        if (test->path) find_bytes(arena, explore, test, finding);
    }
    return finding;
}
