#include "cli/findings.h"

#include "base/arena.h"
#include "cover/cover.h"
#include "expr/print.h"

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
static struct finding_stack stack_of(struct arena *arena, struct explore *explore,
                                     const struct ir_program *program, uint32_t number) {
    struct sites *sites = vm_sites(explore_vm(explore));
    struct finding_frame *frames = ARENA_ARRAY(arena, struct finding_frame, MOST_FRAMES);
    uint32_t count = 0;
    while (number && count < MOST_FRAMES) {
        struct site site = site_get(sites, number);
        struct finding_frame frame = frame_of(program, site);
        bool inside = !frame.own && site.caller && !frame_of(program, site_get(sites, site.caller)).own;
        bool below = !frame.own && !site.caller; // what starts the program
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
    return number ? frame_of(program, site_get(sites, number)) : (struct finding_frame){"", "", 0, 0, false};
}

// ---- which bytes matter

struct conditions {
    struct terms *terms;
    VarSet vars;
    const char **texts;
    uint32_t count;
    struct arena *arena;
};

static void take_condition(void *context, Term condition) {
    struct conditions *conditions = context;
    conditions->vars =
        varset_union(conditions->terms, conditions->vars, term_support(conditions->terms, condition));
    if (conditions->count >= MOST_CONDITIONS) return;
    struct text text = {0};
    term_print(conditions->terms, &text, condition);
    if (text.count > LONGEST) {
        text.count = LONGEST;
        text.at[LONGEST] = 0;
        text_add(&text, " ...");
    }
    conditions->texts[conditions->count++] = arena_strdup(conditions->arena, text.at);
    text_free(&text);
}

static uint32_t input_of(struct terms *terms, const struct test_input *input) {
    static const char *const prefixes[] = {"", "arg:", "stdin:", "file:", "env:"};
    struct text name = {0};
    text_add(&name, "%s%s", prefixes[input->kind], input->name);
    uint32_t number = terms_find_input(terms, name.at);
    text_free(&name);
    return number;
}

static const char *shown_name(struct arena *arena, const struct test_input *input) {
    if (input->kind == INPUT_STDIN) return "stdin";
    if (input->kind != INPUT_ARGUMENT) return input->name;
    struct text name = {0};
    text_add(&name, "argv[%s]", input->name);
    const char *copy = arena_strdup(arena, name.at);
    text_free(&name);
    return copy;
}

static void find_bytes(struct arena *arena, struct explore *explore, const struct test_case *test,
                       struct finding *finding) {
    struct solver *solver = explore_solver(explore);
    struct terms *terms = explore_terms(explore);
    struct conditions conditions = {.terms = terms, .arena = arena};
    conditions.texts = ARENA_ARRAY(arena, const char *, MOST_CONDITIONS);
    path_each(test->path, take_condition, &conditions);
    struct finding_byte *bytes = ARENA_ARRAY(arena, struct finding_byte, MOST_BYTES);
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        uint32_t number = input_of(terms, input);
        for (uint32_t k = 0; k < input->size && finding->byte_count < MOST_BYTES; k++) {
            if (!varset_has(terms, conditions.vars, terms_input_var(terms, number, k))) continue;
            uint64_t low = 0, high = 255;
            Term byte = term_input_bits(terms, number, k, 1);
            if (solver_bounds(solver, test->path, byte, &low, &high) != ANSWER_YES) low = 0, high = 255;
            bytes[finding->byte_count++] = (struct finding_byte){shown_name(arena, input), k, input->bytes[k],
                                                                 (uint8_t)low, (uint8_t)high};
        }
    }
    finding->bytes = bytes;
    finding->conditions = conditions.texts;
    finding->condition_count = conditions.count;
}

struct finding *finding_make(struct arena *arena, struct explore *explore, const struct ir_program *program,
                             const struct bug *bug, const struct test_case *test) {
    struct finding *finding = ARENA_NEW(arena, struct finding);
    finding->kind = bug_kind_names[bug->kind];
    finding->message = arena_strdup(arena, bug->message.at ? bug->message.at : "");
    finding->details = arena_strdup(arena, bug->details.at ? bug->details.at : "");
    finding->place = finding_frame_at(explore, program, bug->site);
    finding->stack = stack_of(arena, explore, program, bug->site);
    finding->allocated = stack_of(arena, explore, program, bug->allocated_at);
    finding->freed = stack_of(arena, explore, program, bug->freed_at);
    finding->replayed = -1;
    finding->hash = finding_hash(finding);
    if (test) {
        finding->test = test->number;
        if (test->path) find_bytes(arena, explore, test, finding);
    }
    return finding;
}
