// Tables that describe the parameters of the function of `--entry`: written by src/front/entry*.c as constants of the
// program, read by runtime/api/entry.c, which fills in the parameters. Also compiled into native builds.
#ifndef TAMAR_ENTRY_H
#define TAMAR_ENTRY_H

enum __tamar_entry_kind {
    __TAMAR_PLAIN = 0, // `size` bytes, each of any value
    __TAMAR_BOOL,      // 0 or 1
    __TAMAR_ENUM,      // one of the `count` values in `list` (long)
    __TAMAR_FLAGS,     // any combination of the bits in the first value of `list`
    __TAMAR_X87,       // long double: only encodings that instructions produce
    __TAMAR_ARRAY,     // `count` elements of the type `of`
    __TAMAR_STRUCT,    // `count` members in `list`
    __TAMAR_UNION,     // one of the `count` members in `list`
    __TAMAR_POINTER,   // pointer to `count` elements of the type `of`; 0: the user's limit, or the length
    __TAMAR_STRING,    // pointer to characters, terminated by a zero element
    __TAMAR_FUNCTION,  // pointer to one of the `count` functions in `list`
    __TAMAR_STREAM,    // FILE *
};

enum __tamar_entry_flag {
    __TAMAR_TIGHT = 1,     // string: the memory ends at the terminator
    __TAMAR_RECURSIVE = 2, // pointer: its objects lead to objects of the same type
    __TAMAR_FLEXIBLE = 4,  // struct: its last member is a flexible array
    __TAMAR_ENDED = 8,     // pointer with a length: a zero follows the elements
};

struct __tamar_entry_type {
    unsigned int kind, flags;
    unsigned long size; // size of a value in bytes
    unsigned long count;
    const struct __tamar_entry_type *of;
    const void *list;
};

struct __tamar_entry_member {
    const char *name;
    const struct __tamar_entry_type *type;
    unsigned long offset; // in bytes; bit-field: in bits
    unsigned long bits;   // width of a bit-field, else 0
    unsigned long length; // 1 + index of the member with the number of elements; 0: none
    unsigned long fixed;  // number of elements of a pointer or flexible array; 0: not known
};

// The user's limits for all parameters.
struct __tamar_entry_limits {
    unsigned long elements; // elements of a pointer without a length; characters of a string
    unsigned long depth;    // length of a chain of objects of a recursive type
    unsigned long null;     // 1: pointers may be NULL
};

// Fills in a struct whose members are the parameters.
void __tamar_entry_begin(void *block, const struct __tamar_entry_type *parameters,
                         const struct __tamar_entry_limits *limits);
// Makes a global variable symbolic; call it after __tamar_entry_begin.
void __tamar_entry_global(void *at, const struct __tamar_entry_type *type, const char *name);
// Returns a new value of the type, for a stub that replaces a function passed by the caller.
void *__tamar_entry_result(const struct __tamar_entry_type *type, const char *name);
// Returns new memory, for a stub that is expected to allocate.
void *__tamar_entry_memory(unsigned long size);

#endif
