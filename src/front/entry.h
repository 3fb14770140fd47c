// --entry: explores one function. A driver replaces main and calls the function once, with symbolic arguments. The
// driver becomes part of the program, so that replay and all other stages treat it like user code.
//
// The arguments are made by their C types, which are in the debug information; LLVM's types have been split for the
// calling convention. entry_types.c reads the types. entry_emit.c writes them as the tables of runtime/entry.h, from
// which runtime/api/entry.c makes the values. entry_stub.c makes the functions that function pointers may point to.
// entry.c passes the values as the calling convention requires.
#ifndef TAMAR_FRONT_ENTRY_H
#define TAMAR_FRONT_ENTRY_H

#include "../runtime/entry.h"
#include "front/front_int.h"

#define ENTRY_UNKNOWN_BYTES 64 // size of an object of type void or of an incomplete type

struct entry_type;

struct entry_member {
    const char *name;
    struct entry_type *type;
    uint64_t offset; // in bytes; in bits for a bit-field
    uint64_t bits;   // width of a bit-field, else 0
    uint32_t length; // 1 + index of the member that holds the number of elements, 0: none
    uint64_t fixed;  // number of elements given by the user, 0: none
};

struct entry_type {
    uint32_t index;
    enum __tamar_entry_kind kind;
    unsigned flags;
    uint64_t size, count;
    struct entry_type *of;
    struct entry_member *members;
    int64_t *values;
    LLVMMetadataRef subroutine; // function type of a function pointer
    bool integer, character;    // class of a plain type
    bool text;                  // char itself, neither signed char nor unsigned char
    bool visited;               // mark for the search for cycles
    bool paired;                // the lengths of the members have been set
    LLVMValueRef global;        // the emitted table, or NULL
};

struct entry {
    struct front *front;
    const struct front_entry *wanted;
    LLVMValueRef function;
    LLVMModuleRef module; // module of the function, to which the driver is added
    LLVMBuilderRef builder;
    vec(struct entry_type *) all;
    struct map types; // debug information -> index in `all`
    LLVMTypeRef nothing, byte, half, word, pointer, type_row, member_row;
    struct entry_type *unknown; // type of the bytes of an object of unknown type
    const char *problem;        // why no driver can be made; NULL: no error
};

// ---- entry_types.c
// The type of a value; a NULL node is void. Sets e->problem if no value of the type can be made.
struct entry_type *entry_describe(struct entry *e, LLVMMetadataRef node);
// Sets the lengths of the members that are pointers and flexible arrays, by their types and names.
void entry_pair_lengths(struct entry_member *members, uint64_t count, bool are_parameters);
// Turns strings that have a length into buffers. A buffer of char in a struct is NUL-terminated; others are not.
void entry_make_buffers(struct entry *e, struct entry_member *members, uint64_t count, bool are_parameters);
// Runs when all types are known: marks pointers of recursive types, and pairs pointers and lengths in structs.
void entry_finish_types(struct entry *e);
const char *entry_text(struct entry *e, LLVMMetadataRef node, unsigned operand); // "" if there is none

// ---- entry_emit.c
LLVMValueRef entry_emit_type(struct entry *e, struct entry_type *type);
LLVMValueRef entry_emit_data(struct entry *e, LLVMValueRef constant); // a constant variable with this value
LLVMValueRef entry_emit_string(struct entry *e, const char *text);
LLVMValueRef entry_declare(struct entry *e, const char *name, LLVMTypeRef type);

// ---- entry_stub.c
// Declares in the module the functions that a pointer of this type may point to, and returns their number. 0: there can
// be none; e->problem is the cause.
unsigned entry_functions(struct entry *e, const struct entry_type *type, LLVMValueRef **functions);

#endif
