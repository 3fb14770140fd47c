// The symbolic inputs of a program, from the --sym-* options: its command lines, variables and files.
#ifndef TAMAR_RUN_PROGRAM_INPUTS_H
#define TAMAR_RUN_PROGRAM_INPUTS_H

#include "base/options.h"
#include "vm/vm.h"

#define SYMBOLIC_OPTIONS(X, T)                                                                               \
    X(T, LIST, sym_arg, "N", "one more argument of up to N symbolic bytes")                                  \
    X(T, LIST, sym_args, "MIN MAX N", "between MIN and MAX further arguments of up to N bytes")              \
    X(T, TEXT, sym_stdin, "N", NULL,                                                                         \
      "standard input of N symbolic bytes (MIN..MAX: any length between; inf: without end)")                 \
    X(T, LIST, sym_file, "NAME=N",                                                                           \
      "the file NAME, of N symbolic bytes (MIN..MAX: any length between); NAME@FROM..TO: the file as it "    \
      "is, except that its bytes FROM to TO - 1 are symbolic")                                               \
    X(T, LIST, sym_env, "NAME=N", "the environment variable NAME, of up to N symbolic bytes")                \
    X(T, LIST, sym_socket, "N", "a connection that sends N symbolic bytes (MIN..MAX: any length between)")   \
    X(T, TEXT, peers, "FILE", NULL, "a script of the peers that talk to the program (docs/sockets.md)")      \
    X(T, NUMBER, sym_random, "N", 0, 0, 1048576, "the first N bytes of getrandom are symbolic")              \
    X(T, NUMBER, fail, "N", 0, 0, 1000,                                                                      \
      "also explore paths on which up to N system calls and allocations fail, with each of their errors")    \
    X(T, NUMBER, short_reads, "N", 0, 0, 1000,                                                               \
      "also explore paths on which up to N reads return fewer bytes than there are")                         \
    X(T, TEXT, entry, "FUNCTION", NULL,                                                                      \
      "call this function instead of main, with symbolic arguments (docs/howto/entry.md)")                   \
    X(T, NUMBER, entry_size, "N", 8, 1, 255,                                                                 \
      "--entry: number of elements that a pointer without a length points to; limit of lengths, and of the " \
      "characters of a string")                                                                              \
    X(T, NUMBER, entry_depth, "N", 3, 1, 16,                                                                 \
      "--entry: limit of the objects in a chain of pointers (list, tree)")                                   \
    X(T, FLAG, entry_null, 0, "--entry: every pointer may be NULL")                                          \
    X(T, LIST, entry_length, "POINTER=LENGTH",                                                               \
      "--entry: the parameter POINTER points to LENGTH elements: another parameter, a number, or none")      \
    X(T, LIST, sym_global, "NAME", "--entry: this global variable is symbolic, too")                         \
    X(T, TEXT, sym_input, "N", "16",                                                                         \
      "bytes of the input of a libFuzzer harness (MIN..MAX: any length between)")

struct program_inputs {
    vec(struct vm_start_config) environments;
    vec(struct vm_file) files;
    vec(struct vm_range) sockets;
    struct vm_range input;    // size of a libFuzzer harness's input
    struct text peers;        // empty: none
    vec(const char *) hidden; // paths that are hidden from the program
    struct arena *arena;      // owns the data that the fields above point to
};

// The values of the options above.
struct symbolic_options {
    const struct option_list *arg, *args, *file, *env, *socket;
    const char *stdin_size, *peers, *input_size;
    const char *directory; // the directory in which the program starts
};

// Makes an environment for each allowed command line: the concrete arguments first, then the symbolic ones in the
// order in which they were given. Returns false if an option's value is wrong; an error has been reported.
bool program_inputs_make(struct program_inputs *program_inputs, const struct symbolic_options *options,
                         const char *program, char *const *arguments, char *const *variables);
// Hides the results folder and the link tamar-last from the program: they change while it runs.
void program_inputs_hide(struct program_inputs *program_inputs, const char *folder, const char *directory);
void program_inputs_free(struct program_inputs *program_inputs);

#endif
