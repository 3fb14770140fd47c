// --entry: a function on its own. A driver takes main's place: it calls the function once, with values that a caller could
// pass. The driver is part of the program from here on, so that replay and everything else treat it like any other.
//
// What a value may be follows from its type in C, which the debug information has; LLVM's own types have been taken apart for
// the calling convention. entry_types.c reads the types, entry_emit.c writes them as the tables of runtime/entry.h, from which
// runtime/api/entry.c makes the values, entry_stub.c makes the functions that pointers to functions may point to, and entry.c
// puts the values where the convention wants them.
#ifndef TAMAR_FRONT_ENTRY_H
#define TAMAR_FRONT_ENTRY_H

#include "../runtime/entry.h"
#include "front/front_int.h"

#define ENTRY_UNKNOWN_BYTES 64 // behind a pointer to void or to a type that is only declared

struct entry_type;

struct entry_member {
    const char *name;
    struct entry_type *type;
    uint64_t offset; // bytes; of a bit-field: bits
    uint64_t bits;   // width of a bit-field, else 0
    uint32_t length; // 1 + index of the member that has the number of elements, 0: none
    uint64_t fixed;  // number of elements that the user said, 0: none
};

struct entry_type {
    uint32_t index;
    enum __tamar_entry_kind kind;
    unsigned flags;
    uint64_t size, count;
    struct entry_type *of;
    struct entry_member *members;
    int64_t *values;
    LLVMMetadataRef subroutine; // of a pointer to functions
    bool integer, character;    // of a plain type
    bool text;                  // of a character: char itself, not signed or unsigned
    bool visited;               // while cycles are searched
    bool paired;                // the lengths of the members are set
    LLVMValueRef global;        // the table, once it is emitted
};

struct entry {
    struct front *front;
    const struct front_entry *wanted;
    LLVMValueRef function;
    LLVMModuleRef module; // the function's, which gets the driver
    LLVMBuilderRef builder;
    vec(struct entry_type *) all;
    struct map types; // debug information -> index in `all`
    LLVMTypeRef nothing, byte, half, word, pointer, type_row, member_row;
    struct entry_type *unknown; // a byte
    const char *problem;        // why there can be no driver
};

// ---- entry_types.c
// The type of a value; NULL as node: void. e->problem is set where no value can be made.
struct entry_type *entry_describe(struct entry *e, LLVMMetadataRef node);
// Sets the lengths of the members that are pointers and flexible arrays, by their types and names.
void entry_pair_lengths(struct entry_member *members, uint64_t count, bool are_parameters);
// Strings that have a length become buffers: no zero ends them.
void entry_make_buffers(struct entry *e, struct entry_member *members, uint64_t count, bool are_parameters);
// Once types are known: marks the pointers whose objects lead to objects of the same type, and pairs the members of structs.
void entry_finish_types(struct entry *e);
const char *entry_text(struct entry *e, LLVMMetadataRef node, unsigned operand); // "" where there is none

// ---- entry_emit.c
LLVMValueRef entry_emit_type(struct entry *e, struct entry_type *type);
LLVMValueRef entry_emit_data(struct entry *e, LLVMValueRef constant); // a constant variable with this value
LLVMValueRef entry_emit_string(struct entry *e, const char *text);
LLVMValueRef entry_declare(struct entry *e, const char *name, LLVMTypeRef type);

// ---- entry_stub.c
// The functions that a pointer of this type may point to, declared in the module. 0: none can be had, e->problem says why.
unsigned entry_functions(struct entry *e, const struct entry_type *type, LLVMValueRef **functions);

#endif
