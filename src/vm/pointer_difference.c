// CHECK_SAME_OBJECT, before a subtraction of pointers (--check pointer-difference): both must belong to one object.
//
// A pointer belongs to the object that it was made from (provenance.h), so the check needs no query. Only a symbolic
// pointer without an origin, one that was loaded from a table, is forked on its values.
#include "state/objects.h"
#include "vm/choice.h"
#include "vm/provenance.h"

// Returns the term of a symbolic pointer without an origin, or 0.
static Term undecided(const struct vm *vm, struct frame *frame, uint32_t index) {
    uint32_t slot = frame->has_terms ? frame_terms(frame)[index] : 0;
    bool has_object = provenance_slot_has_origin(slot) && !provenance_of_slot(vm, slot).base;
    return slot && !has_object ? vm_slot_term(vm, slot) : 0;
}

static enum step decide(struct vm *vm, struct frame *frame, uint32_t index) {
    Term term = undecided(vm, frame, index);
    if (!term) return STEP_NEXT;
    uint64_t value;
    enum step step = uninit_use_value(vm, &term, "an address");
    if (step == STEP_NEXT) step = vm_fork_on_value(vm, term, &value);
    if (step != STEP_NEXT) return step;
    frame->registers[index] = value;
    frame_terms(frame)[index] = 0;
    return STEP_NEXT;
}

// The object of a pointer. OWNER_UNKNOWN: the pointer was computed from integers and has left its object.
enum pointer_owner { OWNER_NONE, OWNER_OBJECT, OWNER_UNKNOWN };

static enum pointer_owner owner_of(struct vm *vm, struct frame *frame, uint32_t index,
                                   struct object *object) {
    if (provenance_owner_of_register(vm, frame, index, object)) return OWNER_OBJECT;
    uint32_t slot = frame->has_terms ? frame_terms(frame)[index] : 0;
    bool exposed = provenance_slot_has_origin(slot) && !provenance_of_slot(vm, slot).identity;
    return exposed ? OWNER_UNKNOWN : OWNER_NONE;
}

static void say_pointer(struct vm *vm, enum pointer_owner owner, const struct object *object,
                        uint64_t address, struct text *text) {
    struct object ended;
    if (owner == OWNER_OBJECT)
        vm_describe_object(vm, object, text);
    else if (!address)
        text_add(text, "a null pointer");
    else if (object_find(vm->state, address, &ended) && ended.life != OBJECT_LIVE && ended.identity)
        vm_describe_object(vm, &ended, text);
    else
        text_add(text, "0x%llx, which is in no object", (unsigned long long)address);
}

static enum step check_owners(struct vm *vm, struct frame *frame, const struct ir_insn *insn) {
    struct object a, b;
    enum pointer_owner left = owner_of(vm, frame, insn->a, &a), right = owner_of(vm, frame, insn->b, &b);
    if (left == OWNER_UNKNOWN || right == OWNER_UNKNOWN) return STEP_NEXT;
    uint64_t first = frame->registers[insn->a], second = frame->registers[insn->b];
    if (left == right && (left == OWNER_OBJECT ? a.identity == b.identity : first == second))
        return STEP_NEXT;
    struct text objects = {0};
    say_pointer(vm, left, &a, first, &objects);
    text_add(&objects, " and ");
    say_pointer(vm, right, &b, second, &objects);
    enum step step = vm_report_bug(vm, BUG_POINTER_DIFFERENCE,
                                   "subtraction of pointers into different objects: %s", objects.at);
    text_free(&objects);
    return step;
}

enum step step_same_object(struct vm *vm, const struct ir_insn *insn) {
    struct frame *frame = frames_top(&vm->state->frames);
    if (undecided(vm, frame, insn->a) || undecided(vm, frame, insn->b)) return step_symbolic(vm, insn);
    return check_owners(vm, frame, insn);
}

enum step vm_decide_same_object(struct vm *vm, struct frame *frame, const struct ir_insn *insn) {
    enum step step = decide(vm, frame, insn->a);
    if (step == STEP_NEXT) step = decide(vm, frame, insn->b);
    return step == STEP_NEXT ? check_owners(vm, frame, insn) : step;
}
