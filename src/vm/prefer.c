// Preferences of the program for the values of its tests (klee_prefer_cex).
#include "vm/vm_int.h"

enum step builtin_prefer(struct vm *vm, struct call *call) {
    if (!call->terms[0] || !vm->state->path || vm->state->speculation.is_on) return STEP_NEXT;
    Term zero = term_const(vm->terms, term_width(vm->terms, call->terms[0]), 0);
    Term wanted = uninit_as_zero(vm, term_ne(vm->terms, call->terms[0], zero));
    if (!term_is_const(vm->terms, wanted)) shared_list_add(&vm->state->preferences, wanted);
    return STEP_NEXT;
}

void vm_prefer(struct vm *vm, struct state *state) {
    uint32_t count = shared_list_count(state->preferences), *wanted = NEW_ARRAY(uint32_t, count);
    struct path_condition path = path_copy(state->path);
    shared_list_copy(state->preferences, wanted);
    for (uint32_t i = 0; i < count; i++) { // earlier ones count more
        struct model *model = NULL;
        if (solver_may_be_true(vm->solver, &path, wanted[i], &model) != ANSWER_YES) continue;
        path_add(vm->solver, &path, wanted[i], model);
        model_release(model);
    }
    if (count) {
        vm_copy_values(vm, state, &path, state->path);
        path_use_defaults(vm->solver, state->path);
    }
    path_free(&path);
    DELETE_ARRAY(wanted, count);
}
