// The targets that the user names: parses them, and finds their marks in the program (the MARK instructions that the
// front end puts before a target line).
//
//   target_set_new -> target_set_add_word... -> target_set_front -> (front_load) -> target_set_resolve -> ...
#ifndef TAMAR_RUN_TARGET_SET_H
#define TAMAR_RUN_TARGET_SET_H

#include "base/options.h"
#include "cover/targets.h"
#include "front/front.h"

#define TARGET_OPTIONS(X, T)                                                                                 \
    X(T, LIST, target, "LOCATION",                                                                           \
      "a line to reach: FILE:LINE, or FUNCTION or FILE:FUNCTION for all its lines")                          \
    X(T, TEXT, uncovered_by, "FILE", NULL, "reach the lines that this lcov file counts as not executed")     \
    X(T, TEXT, trace, "FILE", NULL,                                                                          \
      "reach the lines of a backtrace in order (from gdb, ASan, UBSan, or a SARIF code flow)")               \
    X(T, TEXT, sarif, "FILE", NULL,                                                                          \
      "reach the locations that a static analyser reports, and say which reports are confirmed")             \
    X(T, SWITCH, prove, true, "do not confirm reached targets by native runs")

// A line that was found in the program; its index is the number of its mark and of its target.
struct target_line {
    const char *file, *function;
    uint32_t line;
    bool tried, proved; // a native run was tried; it executed the line
    int kind;           // the bug that must occur there (enum bug_kind), -1: none
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
    vec(struct target_report) reports; // results in the file of --sarif
    vec(uint32_t) order;               // indices of the lines of --trace, in order
    front_compiler *compiler;          // of the first load (front/front.h)
};

struct target_set *target_set_new(void);
void target_set_free(struct target_set *set);
// Each returns false if the argument cannot be used; an error has been reported.
bool target_set_add_word(struct target_set *set, const char *word);
bool target_set_add_uncovered(struct target_set *set, const char *path);
bool target_set_add_trace(struct target_set *set, const char *path);
bool target_set_add_sarif(struct target_set *set, const char *path);
bool target_set_is_empty(const struct target_set *set);
// Requests the marks from the front end.
void target_set_front(struct target_set *set, struct front_options *options);
// Returns whether the program has code for each named target; if not, an error suggests similar names. *unreachable:
// a target is only in code that the entry does not reach; to find out, the whole program is loaded again.
bool target_set_resolve(struct target_set *set, const struct ir_program *program,
                        const struct front_input *input, bool *unreachable);
// Returns the targets for the exploration. Free them with targets_free.
struct targets *target_set_targets(const struct target_set *set, const struct ir_program *program);

// trace_read.c: source locations of a backtrace, the outermost first.
struct trace_place {
    const char *file, *function; // `function` is NULL if the backtrace does not name it
    uint32_t line;
};
struct trace_places {
    struct trace_place *at;
    uint32_t count, capacity;
};
bool trace_read(struct arena *arena, const char *path, struct trace_places *places);
bool trace_read_sarif(struct arena *arena, const char *path, struct target_set *set);

#endif
