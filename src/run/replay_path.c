// Checks that the native run makes the same choices in the same order. The engine's choices come from replaying the
// test's decisions, the native ones from the record of the exact build.
#include "explore/follow.h"
#include "run/native_replay.h"

#include <stdio.h>

// The choice that an edge belongs to, and the value that takes the edge.
struct edge_choice {
    uint32_t choice; // UINT32_MAX: not a choice of user code
    uint32_t function, instruction;
};

struct path_walk {
    const struct ir_program *program;
    const struct edge_choice *edges;
    const uint64_t *native; // pairs of number and value
    uint64_t native_count, at;
    bool differs;
    bool open_end; // the path after the last decision is not known
    struct text *why;
};

// Numbers choices as the front end's trace does. Choices of the runtime and choices added by lowering have numbers,
// but are not recorded. Computed gotos are not recorded either, since labels have other addresses natively.
static struct edge_choice *number_edges(const struct ir_program *program, const struct text *own) {
    struct edge_choice *edges = NEW_ARRAY(struct edge_choice, program->edge_count + 1);
    uint32_t number = 0;
    for (uint32_t e = 0; e < program->edge_count; e++) edges[e].choice = UINT32_MAX;
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t i = 0; function->code && i < function->code_count;
             i += ir_op_info[function->code[i].op].words) {
            const struct ir_insn *insn = &function->code[i];
            if (!ir_is_branch(insn->op)) continue;
            bool made = number < own->count && !own->at[number];
            struct edge_choice from = {function->runtime || made ? UINT32_MAX : number, f, i};
            number++;
            if (insn->op == IR_GOTO) continue;
            if (insn->op == IR_SWITCH) {
                const struct ir_switch *table = &function->switches[insn->b];
                for (uint32_t k = 0; k < table->count; k++) edges[table->edges[k]] = from;
                edges[table->default_edge] = from;
            } else {
                edges[insn[1].dst] = from;
                edges[insn[1].dst + 1] = from;
            }
        }
    }
    return edges;
}

// Returns the edge that a native value takes.
static uint32_t edge_of_value(const struct ir_program *program, struct edge_choice from, uint64_t value) {
    const struct ir_function *function = &program->functions[from.function];
    const struct ir_insn *insn = &function->code[from.instruction];
    if (insn->op != IR_SWITCH) return insn[1].dst + !(value & 1);
    const struct ir_switch *table = &function->switches[insn->b];
    for (uint32_t k = 0; k < table->count; k++)
        if (table->values[k] == (value & mask_bits(insn->aux))) return table->edges[k];
    return table->default_edge;
}

static void say_place(struct text *why, const struct ir_program *program, struct edge_choice from) {
    const struct ir_function *function = &program->functions[from.function];
    const struct ir_location *at = &program->locations[function->locations[from.instruction]];
    text_add(why, "%s:%u:%u", program->files[at->file], at->line, at->column);
}

// Appends the location of the choice with this number to `why`.
static void say_choice(const struct path_walk *walk, uint64_t number) {
    for (uint32_t e = 0; e < walk->program->edge_count; e++) {
        if (walk->edges[e].choice != number) continue;
        say_place(walk->why, walk->program, walk->edges[e]);
        return;
    }
    text_add(walk->why, "a line of the runtime");
}

static void took(void *context, struct vm *vm, struct terms *terms, struct state *state, uint32_t edge) {
    struct path_walk *walk = context;
    struct edge_choice from = walk->edges[edge];
    if (from.choice == UINT32_MAX || walk->differs) return;
    if (walk->open_end && !vm_follow_left(vm)) return;
    uint64_t place = walk->at++;
    if (place >= walk->native_count) {
        text_add(walk->why, "natively there are only %llu choices; the engine continues at ",
                 (unsigned long long)walk->native_count);
    } else if (walk->native[2 * place] != from.choice) {
        text_add(walk->why, "choice %llu is natively at ", (unsigned long long)place + 1);
        say_choice(walk, walk->native[2 * place]);
        text_add(walk->why, ", the engine's is at ");
    } else if (edge_of_value(walk->program, from, walk->native[2 * place + 1]) != edge) {
        text_add(walk->why, "choice %llu goes the other way natively, at ", (unsigned long long)place + 1);
    } else {
        return;
    }
    say_place(walk->why, walk->program, from);
    walk->differs = true;
}

static bool same_end(const struct test_case *test, const struct followed *followed) {
    switch (test->outcome) {
    case TEST_EXITED: return followed->event == VM_EXITED && followed->exit_status == test->exit_status;
    case TEST_SIGNALLED: return followed->event == VM_SIGNALLED && followed->exit_status == test->exit_status;
    case TEST_BUG: return followed->event == VM_BUG;
    case TEST_NOT_MODELLED: return followed->event == VM_NOT_MODELLED;
    case TEST_REACHED: return followed->decisions_left == 0; // the path after the target is not known
    default: return followed->event == VM_STOPPED;
    }
}

bool replay_same_path(const struct native_replay *replay, const struct test_case *test,
                      const struct native_run *run, struct text *why, uint64_t *count) {
    struct edge_choice *edges = number_edges(replay->program, &replay->own_choices);
    struct path_walk walk = {.program = replay->program,
                             .edges = edges,
                             .native = run->choices,
                             .native_count = run->choice_count,
                             .open_end = test->outcome == TEST_REACHED,
                             .why = why};
    struct follow_view view = {.context = &walk, .took = took};
    struct followed followed;
    explore_follow(replay->program, &replay->explore, test, &view, &followed);
    bool same = !walk.differs;
    if (same && !same_end(test, &followed)) {
        text_add(why, "the engine no longer takes the test's path: %s", vm_event_names[followed.event]);
        if (followed.bug.message.count) text_add(why, " (%s)", followed.bug.message.at);
        text_add(why, ", with %u of %u decisions left", followed.decisions_left, test->decision_count);
        same = false;
    }
    // The native program continues after a bug that does not crash it.
    bool goes_on =
        test->outcome == TEST_BUG || test->outcome == TEST_NOT_MODELLED || test->outcome == TEST_REACHED;
    if (same && !goes_on && walk.at != run->choice_count) {
        text_add(why, "natively there are %llu choices, %llu were predicted",
                 (unsigned long long)run->choice_count, (unsigned long long)walk.at);
        same = false;
    }
    *count = walk.at;
    follow_free(&followed);
    DELETE_ARRAY(edges, replay->program->edge_count + 1);
    return same;
}
