// `tamar run --follow TEST`: replays one path and prints its choices, with source lines and values.
#include "run/follow_test.h"

#include "base/arena.h"
#include "base/error.h"
#include "explore/follow.h"
#include "explore/render.h"
#include "expr/print_term.h"
#include "output/report.h"
#include "run/native_replay.h"
#include "run/out_folder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 160 // characters of a term

struct follow_printer {
    const struct ir_program *program;
    uint64_t steps;
};

// Returns the instruction that an edge leaves from, or NULL if it is not a branch of user code.
static const struct ir_insn *choice_of(const struct ir_program *program, uint32_t edge,
                                       const struct ir_function **function) {
    uint32_t from = program->edges[edge].from;
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *one = &program->functions[f];
        if (!one->code || from < one->first_block || from >= one->first_block + one->block_count) continue;
        const struct ir_block *block = &one->blocks[from - one->first_block];
        const struct ir_insn *last = &one->code[block->end - 1];
        if (last->op == IR_EXTRA) last--;
        *function = one;
        return !one->runtime && ir_is_branch(last->op) ? last : NULL;
    }
    return NULL;
}

static void add_term(struct text *line, struct terms *terms, Term term) {
    struct text text = {0};
    term_print(terms, &text, term);
    report_add_safe(line, text.count > LONGEST ? (text.at[LONGEST] = 0, text.at) : text.at);
    text_free(&text);
}

static void add_register(struct text *line, const struct vm *vm, struct terms *terms, struct frame *frame,
                         uint32_t index, unsigned width) {
    uint32_t term = frame->has_terms ? vm_slot_term(vm, frame_terms(frame)[index]) : 0;
    if (!term) {
        text_add(line, "%lld", (long long)sign_extend(frame->registers[index], width));
        return;
    }
    add_term(line, terms, term);
}

static void add_operands(struct text *line, const struct vm *vm, struct terms *terms, struct frame *frame,
                         const struct ir_insn *insn) {
    const struct ir_op_info *info = &ir_op_info[insn->op];
    unsigned width = info->width ? info->width : insn->aux;
    if (!width || width > 64) return;
    text_add(line, "  [");
    add_register(line, vm, terms, frame, insn->a, insn->op == IR_BR ? 64 : width);
    if (info->format == IR_FORMAT_BRR) {
        text_add(line, " and ");
        add_register(line, vm, terms, frame, insn->b, width);
    } else if (info->format == IR_FORMAT_BRI || info->format == IR_FORMAT_BRJ) {
        text_add(line, " and %d", (int)insn->b);
    }
    text_add(line, "]");
}

// Begins the line of a decision with its number and the location of the instruction.
static struct finding_frame add_place(struct follow_printer *view, struct text *line,
                                      const struct ir_function *function, uint32_t instruction) {
    const struct ir_location *at = &view->program->locations[function->locations[instruction]];
    struct finding_frame place = {.function = function->name,
                                  .file = view->program->files[at->file],
                                  .line = at->line,
                                  .column = at->column,
                                  .own = true};
    text_add(line, "%llu  ", (unsigned long long)++view->steps);
    report_add_safe(line, place.file);
    text_add(line, ":%u:%u  in %s: ", place.line, place.column, function->name);
    return place;
}

// Prints a decision that is not a branch. A decision in the C library is shown at the line of user code that calls it.
static void chose(void *context, struct vm *vm, struct terms *terms, struct state *state,
                  const struct vm_decision *decision) {
    const struct frame_chunk *chunk = state->frames.chunk;
    const struct frame *top = chunk ? frames_top(&state->frames) : NULL, *frame = top;
    while (frame && frame->function->runtime) frame = frames_below(&chunk, frame);
    if (!frame) return;
    struct text line = {0};
    struct finding_frame place = add_place(context, &line, frame->function, frame->instruction);
    text_add(&line, "%s", decision->name);
    if (frame != top) text_add(&line, " (in %s)", top->function->name);
    if (decision->is_check)
        text_add(&line, ": %s", decision->taken ? "passes" : "fails");
    else if (decision->is_side)
        text_add(&line, ": %s", decision->taken ? "true" : "false");
    else
        text_add(&line, ": %llu", (unsigned long long)decision->taken);
    if (decision->term) {
        text_add(&line, "  [");
        add_term(&line, terms, decision->term);
        text_add(&line, "]");
    }
    text_add(&line, "\n");
    report_add_source(&line, &place, 0);
    fputs(line.at, stdout);
    text_free(&line);
}

static void took(void *context, struct vm *vm, struct terms *terms, struct state *state, uint32_t edge) {
    struct follow_printer *view = context;
    const struct ir_function *function = NULL;
    const struct ir_insn *insn = choice_of(view->program, edge, &function);
    if (!insn) return;
    struct text line = {0};
    struct finding_frame place = add_place(view, &line, function, (uint32_t)(insn - function->code));
    if (insn->op == IR_SWITCH || insn->op == IR_GOTO)
        text_add(&line, "case");
    else
        text_add(&line, edge == insn[1].dst ? "true" : "false");
    add_operands(&line, vm, terms, frames_top(&state->frames), insn);
    text_add(&line, "\n");
    report_add_source(&line, &place, 0);
    fputs(line.at, stdout);
    text_free(&line);
}

static void add_bug(struct text *to, struct vm *vm, enum vm_event event) {
    struct arena *arena = arena_new();
    report_add_short(to, render_bug(arena, vm, vm_bug(vm), NULL), event == VM_NOT_MODELLED);
    arena_free(arena);
}

static void ended(void *context, struct vm *vm, enum vm_event event) {
    struct text text = {0};
    if (event == VM_BUG || event == VM_NOT_MODELLED)
        add_bug(&text, vm, event);
    else if (event == VM_EXITED || event == VM_SIGNALLED)
        text_add(&text, "the program ends with status %d\n", vm_exit_status(vm));
    else
        text_add(&text, "%s\n", vm_event_names[event]);
    fputs(text.at, stdout);
    text_free(&text);
}

// Returns OUT for OUT/tests/000003.json.
static const char *folder_of(struct arena *arena, const char *path) {
    char absolute[PATH_MAX];
    if (!realpath(path, absolute)) return NULL;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(absolute, '/');
        if (!slash) return NULL;
        *slash = 0;
    }
    return arena_strdup(arena, absolute);
}

int follow_test(const char *word) {
    struct native_replay replay = {.arena = arena_new()};
    uint32_t number;
    int status = EXIT_USAGE;
    struct test_case test;
    struct finding finding;
    bool bare = out_test_number(word, &number) && !strchr(word, '/');
    const char *folder = bare ? "tamar-last" : folder_of(replay.arena, word);
    if (!folder || !out_test_number(word, &number)) {
        user_error_at("--follow", "Name OUT/tests/NNNNNN.json, or a number of tamar-last.",
                      "'%s' is not a test", word);
    } else if (replay_open(&replay, folder) &&
               out_read_test(replay.arena, replay.folder, number, &test, &finding)) {
        replay_set_inputs(&replay, &test);
        struct follow_printer context = {.program = replay.program};
        struct follow_view view = {.context = &context, .took = took, .chose = chose, .ended = ended};
        struct followed followed;
        explore_follow(replay.program, &replay.explore, &test, &view, &followed);
        if (followed.strayed || followed.decisions_left)
            user_warning("the path was not followed to its end: %u decisions are left",
                         followed.decisions_left);
        status = EXIT_OK;
        follow_free(&followed);
    }
    replay_close(&replay);
    return status;
}
