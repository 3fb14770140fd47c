// The front end translates the files that the user names (C files, bitcode, programs with embedded bitcode) to Tamar's
// IR. Besides src/transform it is the only user of LLVM. The IR refers to no LLVM data. When front_load returns, LLVM's
// data has been freed, except that of the last program if it is small (leave_context in load.c).
#ifndef TAMAR_FRONT_H
#define TAMAR_FRONT_H

#include "base/checks.h"
#include "ir/ir.h"

struct text;

// The words of the command line that name the program, in their order: C files and compiler flags, .bc and .ll files,
// objects and executables built with `tamar cc`.
struct front_input {
    const char *const *words;
    unsigned count;
};

// --entry: the program starts at the given function (front/entry.h), with the arguments that
// docs/howto/entry-arguments.md describes.
struct front_entry_length {
    const char *pointer, *length; // name of a parameter; its length: another parameter, a number, or "none"
};
struct front_entry {
    const char *function;
    const char *const *globals; // global variables that are symbolic, too
    unsigned global_count;
    const struct front_entry_length *lengths;
    unsigned length_count;
    uint64_t elements, depth; // limits: elements that a pointer points to; chain of a recursive type
    bool null;                // pointers may be NULL
};

// A further program that the first one may start by execve.
struct front_program {
    const char *path; // absolute path at which the program finds it
    const char *file; // C file, bitcode, or program built with `tamar cc`
};

// Runs the compiler in a sandbox, for flags that come from a results folder and not from the user (native/tool.h).
// `words`: NULL-terminated; `messages`: the file for its messages; `folder`: the folder to which it may write. Returns
// its exit status, -1 after an error that has been reported, or -2 if a signal ended it.
typedef int front_compiler(char *const *words, const char *messages, const char *folder);

struct front_options {
    const char *runtime; // folder share/tamar, which holds lib/runtime.bc; NULL: search for it
    const struct front_program *programs;
    uint32_t program_count;
    const char *start;                // execution begins here; NULL: __tamar_start if it exists, else main
    const struct front_entry *driver; // --entry; NULL: the program starts at its main
    bool types;                       // record the types of parameters and of the objects they point to
    bool no_libc;                     // do not link the runtime
    // Set of checks (base/checks.h) to generate code for; those that are always on are included. Clang's
    // instrumentation becomes the operations HOLDS and BELOW (ir/ops.h; front/instrumented.h). In code that clang has
    // not instrumented, ARITHMETIC and OVERFLOW emit CHECK_OVERFLOW before signed arithmetic, and SHIFT emits
    // CHECK_SHIFT before shifts. UNINIT: local variables stay in memory. FLOAT: every float operation uses the general
    // FLOAT instruction, which the VM checks.
    uint64_t checks;
    bool unset;              // locals that may be read before they are written get the value of __tamar_unset
    bool keep_checks;        // `bitcode` keeps clang's instrumentation for all checks
    bool whole;              // lower all definitions, not only those that the entry reaches
    bool intrinsics;         // the program may call intrinsics of the VM: for tests of them
    bool undefined_symbolic; // a function without a body returns symbolic values
    bool join_conditions;    // `a && b` and `a || b` are one branch if b has no side effect and cannot fail
    uint64_t unwind;         // a path ends after this many iterations of a loop of user code; 0: no limit
    bool allow_undefined;    // functions without a body are not an error
    // If not NULL, receives the first unit's module with a call of __tamar_trace(choice, value) before every branch and
    // switch of user code. Branches are numbered over all functions, in the order of the code (ir_is_branch). Variables
    // are in sections for front_link_script.
    struct text *traced;
    // Used with `traced`; may be NULL. Receives one byte for each branch, in the order of the IR: 1 for a branch of
    // user code, 0 for a branch that lowering made and that native code does not have.
    struct text *own_choices;
    // Puts a MARK (ir/ops.h), at which the engine notices that a target is reached, before the code of chosen lines. If
    // not NULL, called for every source line of user code. Returns 1 plus the number of the line's mark, or 0 for no
    // mark. Numbers count from 0 without gaps. The line of a function's name represents its entry.
    uint32_t (*mark)(void *context, const char *file, uint32_t line, const char *function);
    void *mark_context;
    bool mark_entries;        // also mark the entries of the functions of user code
    struct text *bitcode;     // if not NULL, receives the program as one module, without the runtime
    front_compiler *compiler; // NULL: the compiler is started directly
};

// Time of each stage in seconds, for -v and the benchmark: processor time (compile: wall-clock time).
struct front_times {
    double compile, read, link, passes, lower;
};

// Loads a program; free it with ir_program_free. NULL: the input cannot be used; an error has been reported (location,
// cause, remedy), and the exit status is 2. `times` may be NULL.
struct ir_program *front_load(const struct front_input *input, const struct front_options *options,
                              struct front_times *times);

// Appends C declarations of the functions of a built program (bitcode, object, archive, executable) and of the types
// that they mention. False: an error has been reported.
bool front_declarations(const struct front_input *input, struct text *to);

// Appends a linker script for `traced` that places the variables of user code at their addresses in the IR. Appends
// nothing if they are too large for that.
void front_link_script(const struct ir_program *program, struct text *to);

#endif
