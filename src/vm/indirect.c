// Symbolic pointers to code, and symbolic arguments of free. There is one path for each function, label or heap object
// that the pointer may point to. All other values together are one path, which is a bug. Forking on each value would be
// useless: most values are invalid.
#include "vm/choice.h"

#include <stdlib.h>

typedef vec(uint64_t) value_list;

// Returns the condition that the term is one of these values.
static Term is_among(struct terms *terms, Term term, const value_list *values) {
    Term condition = term_false(terms);
    vec_each (uint64_t, value, values)
        condition = term_or(terms, condition, term_eq(terms, term, term_const(terms, 64, *value)));
    return condition;
}

// Forks on the value of the term, after the check that it is one of the values.
static enum step fork_among(struct vm *vm, Term term, const value_list *values,
                            void (*fails)(struct vm *vm, void *context), uint64_t *value) {
    enum step step = vm_check(vm, "target of a pointer", is_among(vm->terms, term, values), fails, &term);
    return step == STEP_NEXT ? vm_fork_on_value(vm, term, value) : step;
}

// ---- calls

static void say_bad_call(struct vm *vm, void *context) {
    const Term *term = context;
    vm_bad_call(vm, solver_evaluate(vm->solver, vm->state->path, *term));
}

static const uint8_t *taken_functions(struct vm *vm, bool own) {
    uint8_t **taken = &vm->tables.taken[own];
    if (!*taken) {
        *taken = NEW_ARRAY(uint8_t, vm->program->function_count);
        ir_find_taken(vm->program, own, *taken);
    }
    return *taken;
}

struct callees {
    struct vm *vm;
    uint8_t *named; // per function: its address occurs in the term
    bool any;       // add every function whose address is taken: a table is read, or the library calls
};

static bool note_callee(void *context, Term t) {
    struct callees *callees = context;
    struct terms *terms = callees->vm->terms;
    if (term_is_array(terms, t)) {
        callees->any = true;
    } else if (term_is_const(terms, t) && term_width(terms, t) <= 64) {
        const struct ir_function *function = ir_function_at(callees->vm->program, term_value(terms, t));
        if (function) callees->named[function->index] = 1;
    }
    return true;
}

// Finds the possible callees: the functions whose addresses user code takes, and those in the term itself. Functions of
// the C library are added if the term reads a table, or for calls inside the library.
static void find_callable(struct vm *vm, Term term, value_list *values) {
    const struct ir_program *program = vm->program;
    uint8_t *named = NEW_ARRAY(uint8_t, program->function_count);
    struct callees callees = {vm, named, frames_top(&vm->state->frames)->function->runtime};
    term_visit(vm->terms, &term, 1, note_callee, &callees);
    const uint8_t *taken = taken_functions(vm, !callees.any);
    for (uint32_t f = 0; f < program->function_count; f++)
        if (taken[f] || named[f]) vec_push(values, IR_CODE_BASE + 16 * (uint64_t)f);
    DELETE_ARRAY(named, program->function_count);
}

enum step fork_on_callee(struct vm *vm, Term term, uint64_t *value) {
    struct terms *terms = vm->terms;
    value_list values = {0};
    enum step step = vm_check(vm, "call through a null pointer",
                              term_ne(terms, term, term_const(terms, 64, 0)), say_bad_call, &term);
    if (step != STEP_NEXT) return step;
    find_callable(vm, term, &values);
    step = fork_among(vm, term, &values, say_bad_call, value);
    vec_free(&values);
    return step;
}

// ---- computed gotos

static void say_bad_label(struct vm *vm, void *context) {
    const Term *term = context;
    vm_report_label(vm, solver_evaluate(vm->solver, vm->state->path, *term));
}

enum step fork_on_label(struct vm *vm, const struct ir_goto *targets, Term term, uint64_t *value) {
    value_list values = {0};
    for (uint32_t i = 0; i < targets->count; i++) vec_push(&values, IR_LABEL_BASE + targets->labels[i]);
    enum step step = fork_among(vm, term, &values, say_bad_label, value);
    vec_free(&values);
    return step;
}

// ---- blocks of the heap

#define MOST_BLOCKS 256u // most heap blocks that are listed; with more, the path forks on each value

struct blocks {
    struct facts facts; // facts about the pointer
    value_list at;
};

static void note_block(void *argument, const struct heap_object *object) {
    struct blocks *blocks = argument;
    uint64_t address = object->address;
    if (object->kind != HEAP_MALLOC || address < blocks->facts.low || address > blocks->facts.high ||
        address & blocks->facts.zeros || ~address & blocks->facts.ones)
        return;
    vec_push(&blocks->at, address);
}

static void say_bad_free(struct vm *vm, void *context) {
    const Term *term = context;
    vm_report_free(vm, solver_evaluate(vm->solver, vm->state->path, *term));
}

enum step fork_on_block(struct vm *vm, Term term, uint64_t *value) {
    struct blocks blocks = {.facts = term_facts(vm->terms, term)};
    heap_each(vm->state->memory, note_block, &blocks);
    enum step step = blocks.at.count <= MOST_BLOCKS ? fork_among(vm, term, &blocks.at, say_bad_free, value)
                                                    : vm_fork_on_value(vm, term, value);
    vec_free(&blocks.at);
    return step;
}
