// A pointer belongs to the object that it was made from.
//
// A pointer that points into its object, just past its end, or a few bytes beside it (less than half of a red zone) carries nothing:
// the object is found by the address. Pointer arithmetic (LEA) whose result leaves that range gives a register an origin: the
// object that the pointer belongs to. The origin travels with the value through registers, memory, calls and further arithmetic;
// when the pointer comes back into its object it is an ordinary one again. So is the number that integer arithmetic makes of it. An
// access through such a pointer is checked against its object; all other accesses are decided by the shadow bytes, as the
// distance to the base is small, or known to stay in one object.
//
// A symbolic pointer that was made by pointer arithmetic always carries its origin: its term does not say it.
//
// A pointer made of a sum of integers may point anywhere: where it left the object of its operand, its origin is unknown
// (identity 0), and accesses through it are judged by the address alone.
//
// Origins stand beside registers and bytes as terms do: a slot with SLOT_POINTER is an index into the table of pointers.
//
// The loop asks at each pointer arithmetic whether base and result lie in one object. A small table of ranges answers most of these
// questions: an entry is a range of addresses that belongs to one object, whatever instruction it was found for. Ranges of globals and of
// slots of the heap hold in all states; those of locals are dropped when their frame ends, and all others when another state or task runs.
#ifndef TAMAR_VM_PROVENANCE_H
#define TAMAR_VM_PROVENANCE_H

#include "vm/vm_int.h"

struct origin {
    uint64_t start, identity; // of the object; identity 0: not known which
};

// Whether the slot has an origin.
static inline bool slot_has_origin(uint32_t slot) { return slot & SLOT_POINTER; }
struct origin slot_origin(const struct vm *vm, uint32_t slot);
// A slot for a pointer: its term (0: it is concrete) and its origin.
uint32_t pointer_slot(struct vm *vm, Term term, struct origin origin);

// The live object that a pointer without an origin belongs to, if there is one.
bool owner_of_address(const struct vm *vm, uint64_t address, struct object *object);
// The object that a pointer in a register belongs to: by its origin, or by its concrete value.
bool owner_of_register(struct vm *vm, struct frame *frame, uint32_t index, struct object *object);
// May a pointer to the object with this value go without an origin?
bool is_near(const struct object *object, uint64_t address);

// The loop: base and result of a pointer arithmetic (LEA, EXPOSED) or an access are in no range that is known. STEP_NEXT:
// the operation is done without a check. STEP_RELOAD: it is done.
enum step step_far_pointer(struct vm *vm, const struct ir_insn *insn, uint64_t base, uint64_t result);
enum step step_far_access(struct vm *vm, const struct ir_insn *insn, uint64_t base, uint64_t address);

// An instruction with concrete operands of which some have an origin. False: a term is among them.
bool has_only_origins(struct vm *vm, const struct ir_insn *insn);
enum step step_with_origins(struct vm *vm, const struct ir_insn *insn);

// The result of a pointer arithmetic in a register: value as a term, and what it was made from.
void set_register_pointer(struct vm *vm, struct frame *frame, uint32_t index, Term value,
                          const struct object *owner);

// The origin of the pointer that stands in bytes of memory, and setting it. Parts of a pointer have its origin, too: code may copy
// it byte by byte.
bool memory_origin(const struct vm *vm, uint64_t address, unsigned size, struct origin *origin);
void set_memory_origin(struct vm *vm, uint64_t address, unsigned size, struct origin origin);

// An access lies outside of the object that its pointer belongs to.
enum step report_left_object(struct vm *vm, const struct object *object, uint64_t address, uint64_t size,
                             bool write);

// A state that starts: pointers among the initial values that have left their object.
void mark_initial_pointers(struct vm *vm);

void pointers_free(struct vm *vm);

#endif
