// Compares finished paths with the oracle.
#include "oracle.h"

#include "base/alloc.h"
#include "solver/solver.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char message[400];

static const char *complaint(const char *format, ...) PRINTF(1, 2);
static const char *complaint(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return message;
}

// A path that is being judged, under each input in turn.
struct hearing {
    struct oracle *oracle;
    const struct finished *path;
    struct evaluator *evaluator;
    uint8_t *values; // by variable
    uint32_t var_count;
    uint32_t vars[MOST_INPUTS], used; // variables of the bytes that the path reads, in their order
    uint32_t choices[MOST_CHOICES], choice_count;
    vec(Term) conditions;
    bool open; // conditions mention uninitialised bytes: the input alone does not decide them
};

static void collect(void *context, Term condition) {
    struct hearing *hearing = context;
    vec_push(&hearing->conditions, condition);
}

static bool is_input(const struct hearing *hearing, uint32_t var) {
    for (uint32_t i = 0; i < hearing->used; i++)
        if (hearing->vars[i] == var) return true;
    return false;
}

// Whether the term depends on the path's inputs only.
static bool is_closed(const struct hearing *hearing, Term term) {
    struct terms *terms = hearing->path->terms;
    VarSet set = term_support(terms, term);
    for (uint32_t var = varset_next(terms, set, 0); var != VAR_NONE; var = varset_next(terms, set, var + 1))
        if (!is_input(hearing, var)) return false;
    return true;
}

static const char *read_path(struct hearing *hearing) {
    const struct state *state = hearing->path->state;
    uint32_t inputs[MOST_INPUTS], input_count = state_inputs_count(&state->inputs);
    if (input_count > MOST_INPUTS) return "the path has other inputs";
    state_inputs_copy(&state->inputs, inputs);
    for (uint32_t i = 0; i < input_count; i++) {
        if (state_inputs_size(&state->inputs, inputs[i]) != 1) return "the path has other inputs";
        hearing->vars[hearing->used++] = terms_input_var(hearing->path->terms, inputs[i], 0);
    }
    uint32_t pairs[2 * MOST_CHOICES] = {0}, count = shared_list_count(state->history.kernel_choices);
    if (count > COUNT(pairs) || state->history.kernel_choice_count > MOST_CHOICES)
        return "the path has more choices than the program";
    shared_list_copy(state->history.kernel_choices, pairs);
    hearing->choice_count = state->history.kernel_choice_count;
    for (uint32_t i = 0; i < count; i += 2) hearing->choices[pairs[i]] = pairs[i + 1];
    path_each(state->path, collect, hearing);
    vec_each (Term, condition, &hearing->conditions) hearing->open |= !is_closed(hearing, *condition);
    if (hearing->open && !program_has(hearing->oracle->program, PROGRAM_UNINITIALISED))
        return "a condition does not depend on inputs only";
    return NULL;
}

static void assign(struct hearing *hearing, uint32_t input) {
    for (uint32_t i = 0; i < hearing->used; i++)
        hearing->values[hearing->vars[i]] = oracle_byte(hearing->oracle, input, i);
    struct assignment assignment = {.bytes = hearing->values, .count = hearing->var_count};
    evaluator_assign(hearing->evaluator, &assignment);
}

// Whether some values of the uninitialised bytes satisfy the path condition for this input.
static bool can_be(struct hearing *hearing) {
    const struct finished *path = hearing->path;
    struct path_condition copy = path_copy(path->state->path);
    for (uint32_t i = 0; i < hearing->used; i++) {
        Term value = term_const(path->terms, 8, hearing->values[hearing->vars[i]]);
        Term same = term_eq(path->terms, term_var_byte(path->terms, hearing->vars[i]), value);
        path_add(path->solver, &copy, same, NULL);
    }
    bool possible = solver_check(path->solver, &copy) == ANSWER_YES;
    path_free(&copy);
    return possible;
}

static bool satisfies(struct hearing *hearing) {
    if (hearing->path->state->path->contradiction) return false;
    if (hearing->open) return can_be(hearing);
    vec_each (Term, condition, &hearing->conditions)
        if (!evaluate(hearing->evaluator, *condition)) return false;
    return true;
}

static bool same_choices(const struct hearing *hearing, const struct outcome *outcome) {
    return hearing->choice_count == outcome->choice_count &&
           !memcmp(hearing->choices, outcome->choices, hearing->choice_count * sizeof *hearing->choices);
}

// Whether this input is the model of the path.
static bool is_model(const struct hearing *hearing, uint32_t input) {
    for (uint32_t i = 0; i < hearing->used; i++)
        if (path_byte(hearing->path->state->path, hearing->vars[i]) != oracle_byte(hearing->oracle, input, i))
            return false;
    return true;
}

static bool is_access(enum bug_kind kind) {
    return kind == BUG_OUT_OF_BOUNDS || kind == BUG_USE_AFTER_FREE || kind == BUG_NULL;
}

static const char *compare_bytes(struct hearing *hearing, const struct outcome *outcome) {
    const struct symbolic_program *program = hearing->oracle->program;
    const uint8_t *expected = outcome->bytes;
    for (uint32_t k = 0; k < MOST_OBJECTS; expected += program->objects[k++].size)
        for (uint32_t i = 0; i < program->objects[k].size; i++) {
            uint64_t address = program->objects[k].address + i;
            Term term = vm_byte_term(hearing->path->vm, hearing->path->state, address);
            uint8_t byte = 0;
            if (term && !is_closed(hearing, term)) continue;
            if (term)
                byte = (uint8_t)evaluate(hearing->evaluator, term);
            else
                memory_peek(hearing->path->state->memory, address, &byte, 1);
            if (byte != expected[i])
                return complaint("input %u: byte %u of object %u is %u instead of %u", outcome->input, i, k,
                                 byte, expected[i]);
        }
    return NULL;
}

// Describes the bug and its instruction, for error messages.
static const char *place_of(const struct finished *path) {
    static char text[200];
    struct site at = site_get(vm_sites(path->vm), path->bug->site);
    snprintf(text, sizeof text, "%s at instruction %u of %s: %s", bug_facts[path->bug->kind].name,
             at.instruction, vm_program(path->vm)->functions[at.function].name, path->bug->message.at);
    return text;
}

static const char *compare(struct hearing *hearing, const struct outcome *outcome) {
    const struct finished *path = hearing->path;
    bool exact = is_model(hearing, outcome->input);
    if (path->event != outcome->event)
        return complaint("input %u: the path ends with event %d instead of %d%s%s", outcome->input,
                         path->event, outcome->event, path->bug ? ": " : "", path->bug ? place_of(path) : "");
    if (path->event == VM_BUG) {
        bool same = path->bug->kind == outcome->kind ||
                    (!exact && is_access(path->bug->kind) && is_access(outcome->kind));
        if (!same)
            return complaint("input %u: the bug is %s instead of %s", outcome->input, place_of(path),
                             bug_facts[outcome->kind].name);
        if (site_hash(vm_sites(path->vm), path->bug->site) != outcome->site)
            return complaint("input %u: the bug (%s) is at another location", outcome->input,
                             bug_facts[outcome->kind].name);
    } else if (exact && path->event == VM_EXITED && path->exit_status != outcome->exit_status) {
        return complaint("input %u: exit status %d instead of %d", outcome->input, path->exit_status,
                         outcome->exit_status);
    }
    return compare_bytes(hearing, outcome);
}

static const char *hear(struct hearing *hearing) {
    const char *wrong = read_path(hearing);
    bool model_seen = hearing->path->event == VM_STOPPED || hearing->open;
    for (uint32_t i = 0; i < hearing->oracle->outcomes.count && !wrong;) {
        struct outcome *outcomes = hearing->oracle->outcomes.at;
        uint32_t input = outcomes[i].input, belongs = 0;
        assign(hearing, input);
        bool satisfied = satisfies(hearing);
        model_seen |= satisfied && is_model(hearing, input);
        for (; i < hearing->oracle->outcomes.count && outcomes[i].input == input && !wrong; i++) {
            if (!satisfied || !same_choices(hearing, &outcomes[i])) continue;
            belongs++;
            outcomes[i].paths++;
            wrong = compare(hearing, &outcomes[i]);
        }
        if (satisfied && !belongs && !wrong)
            wrong = complaint("input %u takes the path, but no run of it makes these choices", input);
    }
    if (!wrong && !model_seen) wrong = "the path's model does not satisfy its conditions";
    return wrong;
}

const char *oracle_judge(struct oracle *oracle, const struct finished *path) {
    if (path->incomplete && path->event == VM_STOPPED) return NULL;
    struct hearing hearing = {.oracle = oracle, .path = path, .evaluator = evaluator_new(path->terms)};
    hearing.var_count = terms_var_count(path->terms);
    hearing.values = NEW_ARRAY(uint8_t, hearing.var_count);
    const char *wrong = hear(&hearing);
    evaluator_free(hearing.evaluator);
    DELETE_ARRAY(hearing.values, hearing.var_count);
    vec_free(&hearing.conditions);
    return wrong;
}

const char *oracle_judge_all(struct oracle *oracle, bool incomplete, const uint8_t *edges_seen) {
    // The check may wrongly report a use of initialised memory: the input then belongs to no path.
    bool gaps = incomplete || program_has(oracle->program, PROGRAM_UNINITIALISED);
    vec_each (struct outcome, outcome, &oracle->outcomes) {
        if (outcome->paths > 1)
            return complaint("input %u belongs to %u paths", outcome->input, outcome->paths);
        if (!outcome->paths && outcome->event != VM_STOPPED && !gaps)
            return complaint("input %u, which ends with event %d, belongs to no path", outcome->input,
                             outcome->event);
    }
    for (uint32_t e = 0; e < oracle->program->symbolic->edge_count; e++)
        if (edges_seen[e] != oracle->edges_seen[e] && (edges_seen[e] || !gaps))
            return complaint("edge %u is taken %s", e, edges_seen[e] ? "by no concrete run" : "by no path");
    return NULL;
}
