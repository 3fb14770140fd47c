// Instructions with a symbolic operand: arithmetic builds terms, branches are choices (choice.h). Loads and stores are
// in symbolic_memory.c.
#include "base/error.h"
#include "vm/address_map.h"
#include "vm/choice.h"
#include "vm/float_check.h"
#include "vm/numeric.h"
#include "vm/provenance.h"
#include "vm/replay.h"
#include "vm/term_ops.h"
#include "vm/vm_int.h"

Term vm_register_term(struct vm *vm, struct frame *frame, uint32_t index, unsigned width) {
    Term term = frame->has_terms ? vm_read_slot(vm, frame_terms(frame)[index]) : 0;
    assert(index < frame->function->register_count &&
           (term || index + ir_slots(width) <= frame->function->register_count));
    if (!term) return term_const_limbs(vm->terms, width, frame->registers + index);
    return term_width(vm->terms, term) == width ? term : term_resize(vm->terms, term, width);
}

void vm_set_register_term(struct vm *vm, struct frame *frame, uint32_t index, unsigned width, Term value) {
    assert(term_width(vm->terms, value) == width &&
           index + ir_slots(width) <= frame->function->register_count);
    if (!term_is_const(vm->terms, value)) {
        frame_add_terms(frame);
        frame->registers[index] = 0;
        frame_terms(frame)[index] = vm_slot_of(vm, value);
        return;
    }
    memcpy(frame->registers + index, term_limbs(vm->terms, value), ir_slots(width) * sizeof(uint64_t));
    if (frame->has_terms) frame_terms(frame)[index] = 0;
}

// An instruction being executed: the frame and its operands as terms.
struct symbolic_operation {
    struct vm *vm;
    struct frame *frame;
    const struct ir_insn *insn;
    const struct ir_op_info *info;
};

static Term operand(const struct symbolic_operation *o, uint32_t index, unsigned width) {
    return vm_register_term(o->vm, o->frame, index, width);
}

// Returns the second operand of a two-operand format: a register or an immediate.
static Term second(const struct symbolic_operation *o, unsigned width) {
    switch (o->info->format) {
    case IR_FORMAT_RRI:
    case IR_FORMAT_BRI: return term_const(o->vm->terms, width, o->insn->b);
    case IR_FORMAT_RRJ:
    case IR_FORMAT_BRJ: return term_const(o->vm->terms, width, (uint64_t)(int64_t)(int32_t)o->insn->b);
    default: return operand(o, o->insn->b, width);
    }
}

static void set(const struct symbolic_operation *o, unsigned width, Term value) {
    vm_set_register_term(o->vm, o->frame, o->insn->dst, width, value);
}

// Makes the loop continue after the instruction, which it may have left halfway.
static enum step done(const struct symbolic_operation *o) {
    o->frame->instruction = (uint32_t)(o->insn - o->frame->function->code) + o->info->words;
    assert(o->frame->instruction < o->frame->function->code_count); // blocks end with a jump
    return STEP_RELOAD;
}

static bool is_remainder(const struct symbolic_operation *o) {
    enum ir_fn fn = o->info->fn ? (enum ir_fn)o->info->fn : (enum ir_fn)o->insn[1].dst;
    return fn == IR_FN_UREM || fn == IR_FN_SREM;
}

static void say_zero_divisor(struct vm *vm, void *context) {
    vm_report_zero_divisor(vm, is_remainder(context));
}
static void say_quotient(struct vm *vm, void *context) { vm_report_quotient(vm, is_remainder(context)); }

// Checks that the divisor is not zero and, for signed divisions of at least 32 bits, that the quotient is
// representable.
static enum step check_division(const struct symbolic_operation *o, enum ir_fn fn, unsigned width, Term a,
                                Term b) {
    struct terms *terms = o->vm->terms;
    enum step step = uninit_use_value(o->vm, &b, "a divisor");
    if (step != STEP_NEXT) return step;
    step = vm_check(o->vm, "division by zero", term_ne(terms, b, term_const(terms, width, 0)),
                    say_zero_divisor, (void *)o);
    if (step != STEP_NEXT || (fn != IR_FN_SDIV && fn != IR_FN_SREM) || width < 32) return step;
    return vm_check(o->vm, "overflow of a division",
                    term_not(terms, term_apply(terms, KIND_SDIV_OVERFLOW, a, b, 0)), say_quotient, (void *)o);
}

static bool is_division(enum ir_fn fn) {
    return fn == IR_FN_UDIV || fn == IR_FN_SDIV || fn == IR_FN_UREM || fn == IR_FN_SREM;
}

static enum step arithmetic(const struct symbolic_operation *o) {
    enum ir_fn fn = o->info->fn;
    unsigned width = o->info->width ? o->info->width : o->insn->aux;
    Term a = operand(o, o->insn->a, width), b = second(o, width);
    if (is_division(fn)) {
        enum step step = check_division(o, fn, width, a, b);
        if (step != STEP_NEXT) return step;
    }
    Term value = vm_term_of_int(o->vm->terms, fn, width, width, a, b, 0, NULL);
    set(o, ir_fn_info[fn].result == 'B' ? 1 : width, value);
    return done(o);
}

static enum step convert(const struct symbolic_operation *o) {
    unsigned from = o->insn->aux & 255, to = o->insn->aux >> 8;
    Term a = operand(o, o->insn->a, from);
    set(o, to, vm_term_of_int(o->vm->terms, o->info->fn, from, to, a, 0, 0, NULL));
    return done(o);
}

static enum step general_int(const struct symbolic_operation *o) {
    enum ir_fn fn = o->insn[1].dst;
    unsigned width = o->insn->aux, result_width = o->insn[1].aux, arity = ir_fn_info[fn].arity;
    Term a = operand(o, o->insn->a, width), b = arity > 1 ? operand(o, o->insn->b, width) : 0;
    Term c = arity > 2 ? operand(o, o->insn[1].a, width) : 0, overflow = 0;
    if (is_division(fn)) {
        enum step step = check_division(o, fn, width, a, b);
        if (step != STEP_NEXT) return step;
    }
    Term value = vm_term_of_int(o->vm->terms, fn, width, result_width, a, b, c, &overflow);
    char result = ir_fn_info[fn].result;
    set(o, result == 'B' ? 1 : result == 'C' ? result_width : width, value);
    if (result == 'V') vm_set_register_term(o->vm, o->frame, o->insn->dst + ir_slots(width), 1, overflow);
    return done(o);
}

// Concretizes a register: its other values are not explored.
static enum step concretize_register(const struct symbolic_operation *o, uint32_t index, unsigned width,
                                     const char *why) {
    struct terms *terms = o->vm->terms;
    Term whole = operand(o, index, width);
    for (unsigned slot = 0; slot < ir_slots(width); slot++) {
        unsigned bits = MIN(64, width - 64 * slot);
        uint64_t value;
        enum step step = vm_concretize(o->vm, term_extract(terms, whole, 64 * slot, bits), why, &value);
        if (step != STEP_NEXT) return step;
        o->frame->registers[index + slot] = value;
    }
    if (o->frame->has_terms) frame_terms(o->frame)[index] = 0;
    return STEP_NEXT;
}

// A float function of an instruction, with its operands.
struct float_operation {
    enum ir_fn fn;
    enum ir_float format;
    unsigned extra, arity;
    uint32_t operands[3]; // registers
    unsigned widths[3];
};

static struct float_operation float_operation(const struct symbolic_operation *o) {
    bool general = o->insn->op == IR_FLOAT;
    struct float_operation f = {.fn = general ? o->insn[1].dst : o->info->fn,
                                .format = general                ? o->insn->aux
                                          : o->info->width == 32 ? IR_F32
                                                                 : IR_F64,
                                .extra = general ? o->insn[1].b : o->insn->aux,
                                .operands = {o->insn->a, o->insn->b, general ? o->insn[1].a : 0}};
    assert(f.fn >= IR_FN_FADD && f.fn < IR_FN_COUNT && f.format < IR_FLOAT_COUNT);
    f.arity = ir_fn_info[f.fn].arity;
    bool from_int = f.fn == IR_FN_FFROM_SINT || f.fn == IR_FN_FFROM_UINT;
    for (unsigned i = 0; i < 3; i++) f.widths[i] = from_int ? f.extra : ir_float_width(f.format);
    if (f.fn == IR_FN_FLDEXP) f.widths[1] = 64;
    return f;
}

static enum step concretize_operands(const struct symbolic_operation *o, const struct float_operation *f) {
    for (unsigned i = 0; i < f->arity; i++) {
        enum step step = concretize_register(
            o, f->operands[i], f->widths[i],
            "conversion to an integer of 65 to 128 bits that cannot hold it: it got one value");
        if (step != STEP_NEXT) return step;
    }
    return STEP_RELOAD; // executes the instruction again, with concrete operands
}

static enum step floating(const struct symbolic_operation *o) {
    struct float_operation f = float_operation(o);
    Term operands[3] = {0}, valid;
    for (unsigned i = 0; i < f.arity; i++) operands[i] = operand(o, f.operands[i], f.widths[i]);
    Term value = vm_term_of_float(o->vm->terms, f.fn, f.format, f.extra, operands[0], operands[1],
                                  operands[2], &valid);
    if (vm_float_is_checked(o->vm, o->frame)) {
        enum step checked = vm_require_float(o->vm, f.fn, f.format, f.extra, operands, value);
        if (checked != STEP_NEXT) return checked;
    }
    struct choice choice = {.kind = CHOICE_PART, .term = valid};
    enum step step = vm_choose(o->vm, &choice);
    if (step != STEP_NEXT) return step;
    if (!choice.taken) return concretize_operands(o, &f);
    set(o, term_width(o->vm->terms, value), value);
    enum step next = done(o);
    if (!choice.forked) return next;
    o->vm->outcome.event = VM_FORKED;
    return STEP_STOP;
}

static enum step parts(const struct symbolic_operation *o) {
    struct terms *terms = o->vm->terms;
    unsigned width = o->insn->aux, count = o->insn->b, part = o->insn[1].a, slots = ir_slots(part);
    if (o->insn->op == IR_CONCAT) {
        Term value = operand(o, o->insn->a, part);
        for (unsigned i = 1; i < count; i++)
            value = term_concat(terms, operand(o, o->insn->a + i * slots, part), value);
        set(o, width, value);
    } else {
        Term whole = operand(o, o->insn->a, width);
        for (unsigned i = 0; i < count; i++)
            vm_set_register_term(o->vm, o->frame, o->insn->dst + i * slots, part,
                                 term_extract(terms, whole, i * part, part));
    }
    return done(o);
}

static Term frame_term(const struct symbolic_operation *o, uint32_t index) {
    return o->frame->has_terms ? vm_slot_term(o->vm, frame_terms(o->frame)[index]) : 0;
}

static void set_register_slot(struct frame *frame, uint32_t index, uint32_t slot) {
    frame_add_terms(frame);
    frame_terms(frame)[index] = slot;
}

// Moves a value of at most 64 bits; a pointer keeps its origin.
static enum step move(const struct symbolic_operation *o, uint32_t from) {
    uint32_t slot = o->frame->has_terms ? frame_terms(o->frame)[from] : 0;
    set(o, o->insn->aux, operand(o, from, o->insn->aux));
    if (o->insn->aux == 64 && provenance_slot_has_origin(slot))
        set_register_slot(
            o->frame, o->insn->dst,
            provenance_pointer_slot(o->vm, frame_term(o, o->insn->dst), provenance_of_slot(o->vm, slot)));
    return done(o);
}

static bool has_origin(const struct symbolic_operation *o, uint32_t index) {
    return o->frame->has_terms && provenance_slot_has_origin(frame_terms(o->frame)[index]);
}

// The selected pointer belongs to the object of one operand or of the other.
static void select_base(const struct symbolic_operation *o, Term condition) {
    Term then = provenance_base_of_register(o->vm, o->frame, o->insn->b);
    Term other = provenance_base_of_register(o->vm, o->frame, o->insn[1].a);
    if (!then || !other || !frame_term(o, o->insn->dst)) return;
    struct pointer_origin origin = {.base = term_ite(o->vm->terms, condition, then, other)};
    set_register_slot(o->frame, o->insn->dst,
                      provenance_pointer_slot(o->vm, frame_term(o, o->insn->dst), origin));
}

static enum step select_value(const struct symbolic_operation *o) {
    unsigned width = o->insn->aux;
    Term condition = operand(o, o->insn->a, 1);
    if (width <= 64 && term_is_const(o->vm->terms, condition))
        return move(o, term_value(o->vm->terms, condition) ? o->insn->b : o->insn[1].a);
    set(o, width,
        term_ite(o->vm->terms, condition, operand(o, o->insn->b, width), operand(o, o->insn[1].a, width)));
    if (width == 64 && (has_origin(o, o->insn->b) || has_origin(o, o->insn[1].a))) select_base(o, condition);
    return done(o);
}

static Term scaled_address(const struct symbolic_operation *o, bool narrow_index) {
    struct terms *terms = o->vm->terms;
    Term index = narrow_index ? term_sext(terms, operand(o, o->insn->b, 32), 64) : operand(o, o->insn->b, 64);
    return term_add(terms, operand(o, o->insn->a, 64),
                    term_mul(terms, index, term_const(terms, 64, o->insn->aux)));
}

static Term access_address(const struct symbolic_operation *o) {
    switch (o->info->format) {
    case IR_FORMAT_LOADA:
    case IR_FORMAT_STOREA: return term_const(o->vm->terms, 64, o->insn->a);
    case IR_FORMAT_LOADX:
    case IR_FORMAT_STOREX: return scaled_address(o, ir_narrow_index(o->insn->op));
    default:
        return term_add(o->vm->terms, operand(o, o->insn->a, 64),
                        term_const(o->vm->terms, 64, (uint64_t)(int64_t)(int32_t)o->insn->b));
    }
}

// Returns the object that the pointer of an access or of a pointer arithmetic belongs to; NULL: not known.
static const struct object *find_owner(const struct symbolic_operation *o, struct object *object) {
    if (o->info->format == IR_FORMAT_LOADA || o->info->format == IR_FORMAT_STOREA) return NULL;
    return provenance_owner_of_register(o->vm, o->frame, o->insn->a, object) ? object : NULL;
}

// Whether the access or pointer arithmetic displaces its pointer by a small constant: a member of a structure.
static bool is_member(const struct symbolic_operation *o) {
    uint64_t by = (uint64_t)(int64_t)(int32_t)o->insn->b;
    if (o->info->format == IR_FORMAT_LEA || o->info->format == IR_FORMAT_LOADX ||
        o->info->format == IR_FORMAT_STOREX) {
        unsigned width = ir_narrow_index(o->insn->op) ? 32 : 64;
        Term index = operand(o, o->insn->b, width);
        if (!term_is_const(o->vm->terms, index)) return false;
        by = (uint64_t)sign_extend(term_value(o->vm->terms, index), width) * o->insn->aux;
    }
    return by + 63 < 127;
}

// Returns the base of the pointer (provenance.h) of an access or a pointer arithmetic; 0: there is none.
static Term find_base(const struct symbolic_operation *o) {
    if (o->info->format == IR_FORMAT_LOADA || o->info->format == IR_FORMAT_STOREA) return 0;
    uint32_t slot = o->frame->has_terms ? frame_terms(o->frame)[o->insn->a] : 0;
    if (provenance_slot_has_origin(slot)) return provenance_of_slot(o->vm, slot).base;
    Term pointer = vm_slot_term(o->vm, slot);
    return pointer && !is_member(o) && address_map_is_listed(o->vm, pointer) ? pointer : 0;
}

static enum step point(const struct symbolic_operation *o) {
    struct object object;
    const struct object *owner = find_owner(o, &object);
    Term base = owner ? 0 : find_base(o);
    Term value = o->info->format == IR_FORMAT_LEA ? scaled_address(o, ir_narrow_index(o->insn->op))
                                                  : access_address(o);
    uint32_t slot = o->frame->has_terms ? frame_terms(o->frame)[o->insn->a] : 0;
    if (owner) {
        provenance_set_register(o->vm, o->frame, o->insn->dst, value, owner);
    } else {
        set(o, 64, value);
        bool unknown = provenance_slot_has_origin(slot) && !provenance_of_slot(o->vm, slot).identity;
        if (base || unknown) // the origin stays unknown
            set_register_slot(o->frame, o->insn->dst,
                              provenance_pointer_slot(o->vm, frame_term(o, o->insn->dst),
                                                      (struct pointer_origin){.base = base}));
    }
    return done(o);
}

static enum step load(const struct symbolic_operation *o) {
    unsigned width = o->info->width ? o->info->width : o->insn->aux, size = (width + 7) / 8;
    Term value, address = access_address(o);
    struct object object;
    struct access_owner owner = {find_owner(o, &object), 0};
    if (!owner.object) owner.base = find_base(o);
    enum step step = vm_load_symbolic(o->vm, address, size, owner, &value);
    if (step != STEP_NEXT) return step;
    struct pointer_origin origin;
    bool has_origin = width <= 64 && term_is_const(o->vm->terms, address) &&
                      provenance_of_memory(o->vm, term_value(o->vm->terms, address), size, &origin);
    set(o, width, term_extract(o->vm->terms, value, 0, width));
    if (has_origin)
        set_register_slot(o->frame, o->insn->dst,
                          provenance_pointer_slot(o->vm, frame_term(o, o->insn->dst), origin));
    return done(o);
}

static enum step store(const struct symbolic_operation *o) {
    unsigned width = o->info->width ? o->info->width : o->insn->aux, size = (width + 7) / 8;
    Term value = o->info->format == IR_FORMAT_STORE_I
                     ? term_const(o->vm->terms, width, (uint64_t)(int64_t)(int32_t)o->insn->dst)
                     : operand(o, o->insn->dst, width);
    Term address = access_address(o);
    struct object object;
    struct access_owner owner = {find_owner(o, &object), 0};
    if (!owner.object) owner.base = find_base(o);
    enum step step = vm_store_symbolic(o->vm, address, term_zext(o->vm->terms, value, 8 * size), size, owner);
    if (step != STEP_NEXT) return step;
    bool immediate = o->info->format == IR_FORMAT_STORE_I;
    uint32_t slot = immediate || !o->frame->has_terms ? 0 : frame_terms(o->frame)[o->insn->dst];
    if (width <= 64 && provenance_slot_has_origin(slot) && term_is_const(o->vm->terms, address))
        provenance_set_memory(o->vm, term_value(o->vm->terms, address), size,
                              provenance_of_slot(o->vm, slot));
    return done(o);
}

// ---- control

static bool may_fail(const struct vm *vm, uint32_t edge) {
    assert(edge < vm->program->edge_count);
    return vm->coverage.failing_blocks[vm->program->edges[edge].to];
}

static enum step branch(const struct symbolic_operation *o) {
    unsigned width = o->info->width ? o->info->width : o->insn->aux;
    Term condition = o->insn->op == IR_BR
                         ? operand(o, o->insn->a, 1)
                         : vm_term_of_int(o->vm->terms, o->info->fn, width, width,
                                          operand(o, o->insn->a, width), second(o, width), 0, NULL);
    struct choice choice = {.kind = CHOICE_BRANCH, .term = condition, .targets = o->insn + 1};
    o->vm->budget.steps += o->insn->dst;
    o->vm->instruction.dangerous =
        may_fail(o->vm, choice.targets->dst) || may_fail(o->vm, choice.targets->dst + 1);
    return vm_choose(o->vm, &choice);
}

static enum step switch_on(const struct symbolic_operation *o) {
    struct choice choice = {.kind = CHOICE_CASE,
                            .term = operand(o, o->insn->a, o->insn->aux),
                            .cases = &o->frame->function->switches[o->insn->b]};
    assert(o->insn->b < o->frame->function->switch_count);
    o->vm->budget.steps += o->insn->dst;
    return vm_choose(o->vm, &choice);
}

// Forks on the value of a register that must be concrete, such as a pointer to code.
static enum step fork_on_register(const struct symbolic_operation *o) {
    uint64_t value;
    Term term = operand(o, o->insn->a, 64);
    enum step step = uninit_use_value(o->vm, &term, "an address");
    if (step != STEP_NEXT) return step;
    if (o->info->format == IR_FORMAT_CALL_R)
        step = fork_on_callee(o->vm, term, &value);
    else if (o->info->format == IR_FORMAT_GOTO)
        step = fork_on_label(o->vm, &o->frame->function->gotos[o->insn->b], term, &value);
    else
        step = vm_fork_on_value(o->vm, term, &value);
    if (step != STEP_NEXT) return step;
    o->frame->registers[o->insn->a] = value;
    frame_terms(o->frame)[o->insn->a] = 0;
    return STEP_RELOAD;
}

// ---- checks

static void say_overflow(struct vm *vm, void *context) {
    const struct symbolic_operation *o = context;
    if (o->insn->op == IR_CHECK_SHIFT) {
        vm_report_bug(vm, BUG_SHIFT, "shift of a %u-bit value by its width or more", o->insn->aux);
        return;
    }
    const char *name = o->insn->dst == IR_FN_ADD   ? "addition"
                       : o->insn->dst == IR_FN_SUB ? "subtraction"
                                                   : "multiplication";
    vm_report_bug(vm, BUG_OVERFLOW, "signed %s overflows", name);
}

static enum step check(const struct symbolic_operation *o) {
    if (o->insn->op == IR_CHECK_SAME_OBJECT) {
        enum step step = vm_decide_same_object(o->vm, o->frame, o->insn);
        return step == STEP_NEXT ? done(o) : step;
    }
    struct terms *terms = o->vm->terms;
    unsigned width = o->insn->aux;
    Term a = operand(o, o->insn->a, width), b = operand(o, o->insn->b, width), ok;
    if (uninit_is_checked(o->vm) && (uninit_in(o->vm, a) || uninit_in(o->vm, b)))
        return done(o); // computing is not a use of uninitialised bytes
    if (o->insn->op == IR_CHECK_SHIFT) {
        ok = term_ult(terms, b, term_const(terms, width, width));
    } else {
        enum kind kind = o->insn->dst == IR_FN_ADD   ? KIND_SADD_OVERFLOW
                         : o->insn->dst == IR_FN_SUB ? KIND_SSUB_OVERFLOW
                                                     : KIND_SMUL_OVERFLOW;
        ok = term_not(terms, term_apply(terms, kind, a, b, 0));
    }
    enum step step = vm_check(o->vm, "overflow of an operation", ok, say_overflow, (void *)o);
    return step == STEP_NEXT ? done(o) : step;
}

static void say_failed(struct vm *vm, void *context) { step_failed_check(vm, context); }

// Executes HOLDS and BELOW.
static enum step holds(const struct symbolic_operation *o) {
    bool below = o->insn->op == IR_BELOW;
    unsigned width = o->insn->aux;
    Term bit = operand(o, o->insn->a, width);
    if (below) bit = term_ult(o->vm->terms, bit, term_const(o->vm->terms, width, o->insn->dst));
    // Computing is not a use of uninitialised bytes.
    if (uninit_is_checked(o->vm) && uninit_in(o->vm, bit)) return done(o);
    enum step step = vm_check(o->vm, "check of a sanitizer", bit, say_failed, (void *)o->insn);
    return step == STEP_NEXT ? done(o) : step;
}

// ---- allocas of symbolic size

static void say_exhausted(struct vm *vm, void *context) {
    uint64_t size = solver_evaluate(vm->solver, vm->state->path, *(const Term *)context);
    vm_report_bug(vm, BUG_STACK_OVERFLOW, "the stack is exhausted: alloca of %llu bytes",
                  (unsigned long long)size);
}

// Allocates a variable-length array or alloca of the largest feasible size and keeps the symbolic size as its bound. A
// state that follows its model takes the model's size.
static enum step alloca_symbolic(const struct symbolic_operation *o) {
    struct vm *vm = o->vm;
    struct terms *terms = vm->terms;
    uint64_t room = state_alloca_room(vm->state, o->insn->b), low, high;
    Term size = operand(o, o->insn->a, 64);
    bool fixes = false;
    enum step step = uninit_use_value(vm, &size, "the size of an allocation");
    if (step == STEP_NEXT && !term_is_const(terms, size)) step = vm_fixes_values(vm, &fixes);
    if (step == STEP_NEXT)
        step = vm_check(vm, "space on the stack", term_ule(terms, size, term_const(terms, 64, room)),
                        say_exhausted, &size);
    fixes |= !state_is_on_first_stack(vm->state); // on a thread's stack the size must be concrete
    if (step == STEP_NEXT && fixes) {
        step = vm_fork_on_value(vm, size, &high);
        low = high;
    } else if (step == STEP_NEXT) {
        step = vm_bounds(vm, size, &low, &high);
        high = MIN(high, room); // the bounds may not be tight
        low = MIN(low, high);
    }
    if (step != STEP_NEXT) return step;
    uint64_t address = state_alloca(vm->state, high, o->insn->b, vm_current_site(vm), vm->initial_shadow);
    assert(address); // the stack has enough space
    if (low < high) state_bound_alloca(vm->state, address, high, low, size);
    vm_sync_translations(vm);
    set(o, 64, term_const(terms, 64, address));
    return done(o);
}

static enum step dispatch(const struct symbolic_operation *o) {
    switch (o->info->format) {
    case IR_FORMAT_RRR:
    case IR_FORMAT_RRI:
    case IR_FORMAT_RRJ:
        if (o->insn->op == IR_ALLOCA) return alloca_symbolic(o);
        if (o->insn->op == IR_EXPOSED) {
            set(o, 64, operand(o, o->insn->a, 64));
            return done(o);
        }
        return o->info->fn >= IR_FN_FADD ? floating(o) : arithmetic(o);
    case IR_FORMAT_RR:
        if (o->info->fn) return convert(o);
        if (o->insn->op == IR_MOV) return move(o, o->insn->a);
        set(o, o->insn->aux, operand(o, o->insn->a, o->insn->aux)); // MOV, MOV_WIDE
        return done(o);
    case IR_FORMAT_INT: return general_int(o);
    case IR_FORMAT_FLOAT: return floating(o);
    case IR_FORMAT_SELECT: return select_value(o);
    case IR_FORMAT_PARTS: return parts(o);
    case IR_FORMAT_LEA:
    case IR_FORMAT_LEA_I: return point(o);
    case IR_FORMAT_LOAD:
    case IR_FORMAT_LOADA:
    case IR_FORMAT_LOADX: return load(o);
    case IR_FORMAT_STORE:
    case IR_FORMAT_STORE_I:
    case IR_FORMAT_STOREA:
    case IR_FORMAT_STOREX: return store(o);
    case IR_FORMAT_AAA: {
        enum step step = step_symbolic_block(o->vm, o->insn);
        return step == STEP_NEXT ? done(o) : step;
    }
    case IR_FORMAT_CHECK: return check(o);
    case IR_FORMAT_HOLDS:
    case IR_FORMAT_BELOW: return holds(o);
    case IR_FORMAT_BR:
    case IR_FORMAT_BRR:
    case IR_FORMAT_BRI:
    case IR_FORMAT_BRJ: return branch(o);
    case IR_FORMAT_SWITCH: return switch_on(o);
    case IR_FORMAT_GOTO:
    case IR_FORMAT_CALL_R:
    case IR_FORMAT_A: return fork_on_register(o);
    default: error_internal("%s: no symbolic form", o->info->name);
    }
}

enum step step_symbolic(struct vm *vm, const struct ir_insn *insn) {
    struct symbolic_operation operation = {vm, frames_top(&vm->state->frames), insn, &ir_op_info[insn->op]};
    if (UNLIKELY(vm->pointers.at.count) && provenance_is_known(vm, insn)) return step_with_origins(vm, insn);
    assert(vm->terms);
    replay_begin_decisions(vm);
    vm->counts.instructions += !replay_is_replaying(vm);
    vm_begin_values(vm);
    return dispatch(&operation);
}
