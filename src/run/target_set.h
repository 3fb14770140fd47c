// The targets that the user names, from words to marks in the program.
//
//   target_set_new -> target_set_add_word... -> target_set_front -> (front_load) -> target_set_resolve -> ...
#ifndef TAMAR_RUN_TARGET_SET_H
#define TAMAR_RUN_TARGET_SET_H

#include "base/options.h"
#include "cover/targets.h"
#include "front/front.h"

#define TARGET_OPTIONS(X, T)                                                                                 \
    X(T, LIST, target, "PLACE",                                                                              \
      "a line to reach: FILE:LINE, or FUNCTION or FILE:FUNCTION for all its lines")                          \
    X(T, TEXT, uncovered_by, "FILE", NULL, "reach the lines that this lcov file counts as not executed")     \
    X(T, TEXT, trace, "FILE", NULL,                                                                          \
      "reach the lines of a backtrace in order: of gdb, ASan, UBSan, or a SARIF code flow")                  \
    X(T, TEXT, sarif, "FILE", NULL, "reach what a static analyser reports, and say what is confirmed")       \
    X(T, SWITCH, prove, true, "do not run the tests that reach a target natively, which would prove it")

// A line that was found in the program; its index is the number of its mark and of its target.
struct target_line {
    const char *file, *function;
    uint32_t line;
    bool tried, proved; // natively
    int kind;           // the bug that is wanted there (enum bug_kind), -1: none
};

// A result of a static analyser.
struct target_report {
    const char *rule, *message, *file;
    uint32_t line;
    uint32_t target; // UINT32_MAX: no code there
    int kind;
};

struct target_set {
    struct arena *arena;
    vec(struct target_spec *) specs;
    vec(struct target_line) lines;
    vec(struct target_report) reports; // of --sarif
    vec(uint32_t) order;               // of --trace: lines
};

struct target_set *target_set_new(void);
void target_set_free(struct target_set *set);
// Each: false when it cannot be used; an error has been reported.
bool target_set_add_word(struct target_set *set, const char *word);
bool target_set_add_uncovered(struct target_set *set, const char *path);
bool target_set_add_trace(struct target_set *set, const char *path);
bool target_set_add_sarif(struct target_set *set, const char *path);
bool target_set_is_empty(const struct target_set *set);
// Asks the front end for marks.
void target_set_front(struct target_set *set, struct front_options *options);
// Is there code for everything that was named? If not, an error names what is near. Where only code that nothing
// leads to has it, *unreachable: to find out, the program is loaded again, whole.
bool target_set_resolve(struct target_set *set, const struct ir_program *program,
                        const struct front_input *input, bool *unreachable);
// The targets for the exploration; to be freed with targets_free.
struct targets *target_set_targets(const struct target_set *set, const struct ir_program *program);

// trace_read.c: places of a backtrace, the outermost first.
struct trace_place {
    const char *file, *function; // function: NULL when it is not said
    uint32_t line;
};
struct trace_places {
    struct trace_place *at;
    uint32_t count, capacity;
};
bool trace_read(struct arena *arena, const char *path, struct trace_places *places);
bool trace_read_sarif(struct arena *arena, const char *path, struct target_set *set);

#endif
