// Tables that describe the parameters of the function of `--entry`: written by src/front/entry*.c as constants of the program,
// read by runtime/api/entry.c, which fills the parameters in. Compiled into both, and natively into the replay builds.
#ifndef TAMAR_ENTRY_H
#define TAMAR_ENTRY_H

enum __tamar_entry_kind {
    __TAMAR_PLAIN = 0, // `size` bytes, each of any value
    __TAMAR_BOOL,      // 0 or 1
    __TAMAR_ENUM,      // one of the `count` values in `list` (long)
    __TAMAR_FLAGS,     // any bits of the first value in `list`
    __TAMAR_X87,       // long double: only encodings that an instruction can make
    __TAMAR_ARRAY,     // `count` elements `of`
    __TAMAR_STRUCT,    // `count` members in `list`
    __TAMAR_UNION,     // one of the `count` members in `list`
    __TAMAR_POINTER,   // to `count` elements `of`; 0: as many as the user wants
    __TAMAR_STRING,    // to characters, ended by a zero element
    __TAMAR_FUNCTION,  // to one of the `count` functions in `list`
    __TAMAR_STREAM,    // FILE *
};

enum __tamar_entry_flag {
    __TAMAR_TIGHT = 1,     // of a string: nothing may be read or written past its end
    __TAMAR_RECURSIVE = 2, // of a pointer: its objects lead to objects of the same type
    __TAMAR_FLEXIBLE = 4,  // of a struct: its last member is an array without a length
    __TAMAR_ENDED = 8,     // of a pointer with a length: a zero follows the elements
};

struct __tamar_entry_type {
    unsigned int kind, flags;
    unsigned long size; // bytes of a value
    unsigned long count;
    const struct __tamar_entry_type *of;
    const void *list;
};

struct __tamar_entry_member {
    const char *name;
    const struct __tamar_entry_type *type;
    unsigned long offset; // bytes; of a bit-field: bits
    unsigned long bits;   // width of a bit-field, else 0
    unsigned long
        length; // of a pointer or flexible array: 1 + index of the member with the number of its elements; 0: none
    unsigned long fixed; // the same: the number of its elements, 0: not said
};

// Limits that the user sets for all parameters.
struct __tamar_entry_limits {
    unsigned long elements; // behind a pointer without a length; characters of a string
    unsigned long depth;    // objects of a recursive type in a chain
    unsigned long null;     // 1: pointers may be NULL
};

// Fills in a struct that has the parameters as members.
void __tamar_entry_begin(void *block, const struct __tamar_entry_type *parameters,
                         const struct __tamar_entry_limits *limits);
// Makes a global variable unknown; after __tamar_entry_begin.
void __tamar_entry_global(void *at, const struct __tamar_entry_type *type, const char *name);
// A new value of the type, for a function that stands for one that the caller would have passed.
void *__tamar_entry_result(const struct __tamar_entry_type *type, const char *name);
// New memory, for such a function that is to allocate some.
void *__tamar_entry_memory(unsigned long size);

#endif
