// Checks of whole blocks that an operation does not access byte by byte. The blocks of memcpy must not overlap, unless
// they are the same; those of the string functions must not overlap at all. memcmp must be able to read all of its
// operands.
#include "vm/choice.h"
#include "vm/provenance.h"

static enum step report(struct vm *vm, const char *name, uint64_t to_size, uint64_t from_size) {
    return vm_report_bug(vm, BUG_OVERLAP,
                         "%s: the source (%llu byte%s) and the destination (%llu byte%s) overlap", name,
                         (unsigned long long)from_size, from_size == 1 ? "" : "s",
                         (unsigned long long)to_size, to_size == 1 ? "" : "s");
}

// Whether [a, a + a_size) and [b, b + b_size) have a byte in common.
static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size) {
    return a_size && b_size && (b - a < a_size || a - b < b_size);
}

enum step vm_check_copy(struct vm *vm, uint64_t to, uint64_t from, uint64_t size) {
    if (LIKELY(to == from || !overlap(to, size, from, size))) return STEP_NEXT;
    enum step step = report(vm, "memcpy", size, size);
    vm->instruction.passed = false; // the copy is executed as memmove's, with its own checks
    return step;
}

struct two_blocks {
    const char *name;
    Term to, to_size, from, from_size;
};

static void say_overlap(struct vm *vm, void *context) {
    const struct two_blocks *blocks = context;
    const struct path_condition *path = vm->state->path;
    report(vm, blocks->name, solver_evaluate(vm->solver, path, blocks->to_size),
           solver_evaluate(vm->solver, path, blocks->from_size));
}

// The object of the constant that the address is, or to which it adds an offset.
static bool base_object(struct vm *vm, Term address, struct object *object) {
    struct terms *terms = vm->terms;
    if (term_kind(terms, address) == KIND_ADD) address = term_arg(terms, address, 1);
    return term_is_const(terms, address) && object_at(vm->state, term_value(terms, address), object);
}

static bool may_overlap(struct vm *vm, Term a, Term b) {
    struct object one, other;
    return !base_object(vm, a, &one) || !base_object(vm, b, &other) || one.start == other.start;
}

// `same_is_right`: the blocks may begin at the same address.
static enum step check_blocks(struct vm *vm, struct two_blocks *blocks, bool same_is_right) {
    struct terms *terms = vm->terms;
    Term zero = term_const(terms, 64, 0);
    if (!may_overlap(vm, blocks->to, blocks->from)) return STEP_NEXT;
    Term forwards = term_sub(terms, blocks->from, blocks->to);
    Term backwards = term_sub(terms, blocks->to, blocks->from);
    Term apart = term_and(terms, term_ule(terms, blocks->to_size, forwards),
                          term_ule(terms, blocks->from_size, backwards));
    Term ok = term_or(terms, term_eq(terms, blocks->to_size, zero), apart);
    ok = term_or(terms, ok, term_eq(terms, blocks->from_size, zero));
    if (same_is_right) ok = term_or(terms, ok, term_eq(terms, forwards, zero));
    return vm_check(vm, "blocks that do not overlap", ok, say_overlap, blocks);
}

enum step vm_check_symbolic_copy(struct vm *vm, Term to, Term from, Term size) {
    struct two_blocks blocks = {"memcpy", to, size, from, size};
    return check_blocks(vm, &blocks, true);
}

// ---- intrinsics

// Returns an argument of 64 bits as a term.
static Term argument(struct vm *vm, const struct call *call, unsigned i) {
    return call->terms[i] ? term_resize(vm->terms, call->terms[i], 64)
                          : term_const(vm->terms, 64, call->arguments[i]);
}

enum step builtin_may_overlap(struct vm *vm, struct call *call) {
    struct object a, b;
    if (call->terms[0] || call->terms[1])
        call->result = may_overlap(vm, argument(vm, call, 0), argument(vm, call, 1));
    else
        call->result = !object_at(vm->state, call->arguments[0], &a) ||
                       !object_at(vm->state, call->arguments[1], &b) || a.start == b.start;
    return STEP_NEXT;
}

enum step builtin_check_apart(struct vm *vm, struct call *call) {
    const uint64_t *values = call->arguments;
    struct text name = {0};
    enum step step = vm_read_string(vm, values[4], &name);
    const char *shown = name.at ? name.at : "";
    if (step == STEP_NEXT && (call->terms[0] || call->terms[1] || call->terms[2] || call->terms[3])) {
        struct two_blocks blocks = {shown, argument(vm, call, 0), argument(vm, call, 1),
                                    argument(vm, call, 2), argument(vm, call, 3)};
        step = check_blocks(vm, &blocks, false);
    } else if (step == STEP_NEXT && overlap(values[0], values[1], values[2], values[3])) {
        step = report(vm, shown, values[1], values[3]);
        vm->instruction.passed = false;
    }
    text_free(&name);
    return step;
}

// A block of known length at a symbolic address, whose object the path need not know: the last byte is inside of the
// object if the block is.
static enum step check_last_byte(struct vm *vm, Term address, uint64_t size) {
    Term last = term_add(vm->terms, address, term_const(vm->terms, 64, size - 1)), value;
    return vm_load_symbolic(vm, last, 1, (struct access_owner){0}, &value);
}

enum step builtin_check_read(struct vm *vm, struct call *call) {
    if (!call->terms[0] && !call->terms[1]) {
        enum step step = vm_check_buffer(vm, call, 0, 0, call->arguments[1], false);
        if (step == STEP_NEXT) step = vm_check_access(vm, call->arguments[0], call->arguments[1], false);
        vm->instruction.passed = false;
        return step;
    }
    Term address = argument(vm, call, 0), size = argument(vm, call, 1);
    enum step step = uninit_use_value(vm, &size, "the length of a block");
    if (step == STEP_NEXT) step = uninit_use_value(vm, &address, "an address");
    if (step == STEP_NEXT) step = vm_check_buffer(vm, call, 0, size, 0, false);
    if (step != STEP_NEXT) return step;
    if (!term_is_const(vm->terms, size)) return vm_check_guarded(vm, address, size, false);
    uint64_t count = term_value(vm->terms, size);
    if (!count) return STEP_NEXT;
    if (!term_is_const(vm->terms, address)) return check_last_byte(vm, address, count);
    return vm_check_access(vm, term_value(vm->terms, address), count, false);
}
