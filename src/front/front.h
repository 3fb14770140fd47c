// The front end: from what the user names (C files, bitcode, a program that carries its bitcode) to a program
// in our form. The only part of Tamar that knows LLVM; nothing of it is left when front_load returns.
#ifndef TAMAR_FRONT_H
#define TAMAR_FRONT_H

#include "base/checks.h"
#include "ir/ir.h"

struct text;

// The words of the command line that say what the program is, in their order: C files and the compiler's own
// flags, .bc and .ll files, objects and executables built with `tamar cc`.
struct front_input {
    const char *const *words;
    unsigned count;
};

// --entry: the program begins at a function of its own (front/entry.h). docs/howto/entry.md says what it is called with.
struct front_entry_length {
    const char *pointer, *length; // a parameter; another one, a number, or "none"
};
struct front_entry {
    const char *function;
    const char *const *globals; // variables that are unknown, too
    unsigned global_count;
    const struct front_entry_length *lengths;
    unsigned length_count;
    uint64_t elements, depth; // at most, behind a pointer; in a chain
    bool null;                // pointers may be NULL
};

struct front_options {
    const char *runtime; // share/tamar, which holds lib/runtime.bc; NULL: found by itself
    const char *entry;   // start at this function; NULL: __tamar_start where there is one, else main
    const struct front_entry *driver; // NULL: the program begins at its own main
    bool types;                       // describe parameters and what they point to
    bool no_libc;                     // link nothing under the program
    // Checks that the program form is made for (base/checks.h); those that are always on are part of them. Clang's
    // instrumentation becomes HOLDS (front/instrumented.h). In code that clang has not instrumented, ARITHMETIC and OVERFLOW
    // put CHECK_OVERFLOW before signed arithmetic, and SHIFT puts CHECK_SHIFT before shifts. UNINIT: local variables stay in
    // memory; FLOAT: the machine executes every float operation, none is a quick one.
    uint64_t checks;
    bool unset;              // locals that may be read before they are written get the value of __tamar_unset
    bool keep_checks;        // `bitcode` keeps clang's instrumentation for all checks
    bool whole;              // lower everything that is defined, not only what the entry reaches
    bool intrinsics;         // the program may call the engine's intrinsics itself: for tests of them
    bool undefined_symbolic; // a function without a body returns unknown values
    bool allow_undefined;    // functions without a body are kept as such instead of being an error
    // NULL, or gets the first unit's module with a call of __tamar_trace(choice, value) before every branch
    // and switch of the program's own functions. Choices are numbered over all functions, in the order of the
    // code (ir_is_choice). Its variables are in sections for front_link_script.
    struct text *traced;
    // With `traced`, may be NULL: for each choice in the order of the program form a byte, 1 when it is the program's own, 0
    // when lowering made it, so that nothing native takes it.
    struct text *own_choices;
    // NULL, or asked about every source line of the program's own functions: the number of its mark and 1, or 0
    // for none. Numbers count from 0 without gaps. The line of the function's own name stands for its entry.
    uint32_t (*mark)(void *context, const char *file, uint32_t line, const char *function);
    void *mark_context;
    bool mark_entries;    // mark the entries of the program's own functions, too
    struct text *bitcode; // NULL, or gets the program as one module, without what lies under it
};

// Where the time went, in seconds of the processor (compile: of the clock); for -v and the benchmark.
struct front_times {
    double compile, read, link, passes, lower;
};

// NULL when the input cannot be used: the user was told why (place, cause, remedy), the exit status is 2.
// To be freed with ir_program_free. `times` may be NULL.
struct ir_program *front_load(const struct front_input *input, const struct front_options *options,
                              struct front_times *times);

// For the linker, beside what `traced` gave: the program's own variables at the addresses that they have here. Nothing where
// they are too large for that.
void front_link_script(const struct ir_program *program, struct text *to);

#endif
