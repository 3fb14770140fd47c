// A pointer belongs to the object that it was made from.
//
// A pointer near its object has no origin. Near means: anywhere in the slot of a heap object or mapping; in or just
// past any other object, or at most 7 bytes beside it (a fixed local, a string of the command line or the environment)
// or 15 bytes (other kinds); see provenance_is_near. The object is then found by the address. If the result of pointer
// arithmetic (LEA) leaves that range, the register gets an origin: the object that the pointer belongs to. The origin
// is propagated with the value through registers, memory, calls and further arithmetic. A pointer that comes back into
// its object loses its origin. So does a number that integer arithmetic computes from it.
//
// An access through a pointer with an origin is checked against its object. If an index or a displacement may reach
// past a red zone (indexed accesses, LOADF, STOREF), the address must be near the pointer's object, if that is known:
// then the shadow bytes decide. All other accesses are checked by the shadow bytes alone.
//
// A symbolic pointer made by pointer arithmetic always has an origin: its object cannot be derived from the term.
//
// A pointer cast from a sum of integers (EXPOSED) may point anywhere. If it is outside of the object of its operand,
// its origin is unknown (identity 0), and accesses through it are checked by the address alone.
//
// Let p be a pointer with listed values in several objects (address_map.h). A pointer made from p by more than a small
// displacement has p as its base. An access is checked against the object of the base's value: start and size of the
// object are functions of the base. A select between two pointers of which one has an origin has a base, too: the same
// select between the bases of both.
//
// Origins are stored in the slots of registers and bytes, as terms are: a slot with SLOT_POINTER is an index into
// vm->pointers.
//
// At each pointer arithmetic the loop checks whether base and result lie in one object. Most checks hit a small table
// of ranges (vm->ranges), whose entry the instruction selects. An entry is an address range that belongs to one object,
// so it is also right for another instruction that selects it. Ranges of globals and of heap slots are valid in all
// states. All others are dropped when another state or task runs; those of locals also when their frame ends.
#ifndef TAMAR_VM_PROVENANCE_H
#define TAMAR_VM_PROVENANCE_H

#include "vm/vm_int.h"

struct pointer_origin {
    uint64_t start, identity; // of the object; identity 0: the object is not known, or `base` determines it
    Term base;                // pointer into the object, if its values are in several objects; else 0
};

// Whether the slot has an origin.
static inline bool provenance_slot_has_origin(uint32_t slot) { return slot & SLOT_POINTER; }
struct pointer_origin provenance_of_slot(const struct vm *vm, uint32_t slot);
// Returns a slot for a pointer with this term (0: it is concrete) and origin.
uint32_t provenance_pointer_slot(struct vm *vm, Term term, struct pointer_origin origin);

// Finds the object that a pointer in a register belongs to, by its origin or by its concrete value.
bool provenance_owner_of_register(struct vm *vm, struct frame *frame, uint32_t index, struct object *object);
// Whether a pointer to the object needs no origin if this address is its value.
bool provenance_is_near(const struct object *object, uint64_t address);
// Finds the live object that a pointer without an origin belongs to. Returns false if there is none.
bool provenance_owner_of_address(const struct vm *vm, uint64_t address, struct object *object);
// Returns a pointer into the object that the pointer in a register belongs to: a constant, or a base. Returns 0 if the
// object is not known.
Term provenance_base_of_register(struct vm *vm, struct frame *frame, uint32_t index);

// Called by the loop if base and result of a pointer arithmetic (LEA, EXPOSED) or an access are in no known range.
// STEP_NEXT: the loop executes the operation without a check. STEP_RELOAD: the operation has been executed.
enum step step_far_pointer(struct vm *vm, const struct ir_insn *insn, uint64_t base, uint64_t result);
enum step step_far_access(struct vm *vm, const struct ir_insn *insn, uint64_t base, uint64_t address);

// Checks that a block of concrete bytes lies in the object of its pointer, if the pointer has an origin.
enum step provenance_check_block(struct vm *vm, struct frame *frame, uint32_t base, uint64_t address,
                                 uint64_t size, bool write);

// Whether no operand of the instruction has a term: the slots of its operands hold only origins of concrete pointers.
bool provenance_is_known(struct vm *vm, const struct ir_insn *insn);
enum step step_with_origins(struct vm *vm, const struct ir_insn *insn);

// Sets a register to the result of a pointer arithmetic: its value as a term, and the object it was made from.
void provenance_set_register(struct vm *vm, struct frame *frame, uint32_t index, Term value,
                             const struct object *owner);

// Get and set the origin of a pointer in memory. Each byte of the pointer has the origin: code may copy it byte by
// byte.
bool provenance_of_memory(const struct vm *vm, uint64_t address, unsigned size,
                          struct pointer_origin *origin);
void provenance_set_memory(struct vm *vm, uint64_t address, unsigned size, struct pointer_origin origin);

// Reports an access outside of the object that its pointer belongs to.
enum step vm_report_left_object(struct vm *vm, const struct object *object, uint64_t address, uint64_t size,
                                bool write);

// Sets the origins of initial values in a new state that are pointers outside of their object.
void provenance_mark_initial(struct vm *vm);

void provenance_free(struct vm *vm);

#endif
