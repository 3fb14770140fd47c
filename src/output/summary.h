// summary.json, and what a person reads at the end of a run: bugs first.
#ifndef TAMAR_SUMMARY_H
#define TAMAR_SUMMARY_H

#include "base/counters.h"
#include "cover/assertions.h"
#include "cover/cover.h"
#include "message/message.h"
#include "output/gaps.h"

struct text;
struct json_value;

struct summary_target {
    const char *file;
    uint32_t line;
    bool reached;
    const char *outcome; // "reached", "unreachable", "not found"
    uint32_t test;
    double seconds;        // until it was reached
    uint64_t instructions; // likewise
    uint32_t bug;          // a test that shows the bug that was wanted there, 0: none
    bool proved;           // a native run of the test executed the line
    int64_t distance;      // instructions from where paths came to, -1: not known
    const char *obstacle;  // what stood in the way, NULL: not known
};

// What a sliced program gave (--slice), one for each mode.
struct summary_slice {
    unsigned mode;
    uint32_t cut, inputs;            // edges that were cut; inputs for the original
    uint64_t paths, queries, solved; // queries: all, and those that needed SAT or Z3
    double seconds;
    bool complete; // every path of the sliced program was explored
};

// One worker of a run with --jobs.
struct summary_job {
    uint64_t paths, instructions, given, taken; // given, taken: states, from and to other workers
    double busy;                                // the part of its time in which it explored, 0 to 1
    double present;                             // seconds
    bool killed;                                // it ended without being told to
};

// A bug that an input of the fuzzer shows in a concrete run in the engine.
struct summary_fuzz_bug {
    const char *kind, *file, *function;
    uint32_t line;
    const char *input; // its file in fuzz/kept
    bool followed;     // the exploration has found it as well: it is among the bugs
};

// What a fuzzer beside the exploration gave (--fuzz).
struct summary_fuzz {
    const char *tool;     // NULL: there was none
    uint64_t starts;      // of the fuzzer
    uint64_t inputs;      // that it kept and that were run concretely
    uint64_t fresh;       // of these: with new coverage, or a new bug
    uint64_t followed;    // of these: followed symbolically
    uint64_t given;       // inputs from the exploration
    uint64_t crashes;     // that it reported
    uint64_t unexplained; // of these: without a bug in the engine
    uint64_t only_fuzzed; // edges and functions that were run concretely, but not by the exploration
    const struct summary_fuzz_bug *bugs;
    uint32_t bug_count;
};

// Kinds of input that the program's own functions ask the C library for.
struct summary_reads {
    bool stdin, file, socket, variable, arguments;
};

struct summary_option {
    const char *name, *value;
};

// work: of all processes that explore; solver, execute, search and infeasible are parts of it.
#define SUMMARY_TIMES(X) X(wall) X(solver) X(execute) X(search) X(infeasible) X(work)

struct summary {
    const char *folder, *program;
    struct run_counters counts;
    struct symbolic_counters symbolic;
    struct solver_counters solver;
#define X(name) double name;
    struct {
        SUMMARY_TIMES(X)
    } time;
#undef X
    uint64_t peak_memory; // bytes
    struct cover_totals coverage;
    struct assertion_counts assertions;
    const struct finding *const *bugs;
    uint32_t bug_count;
    const struct finding *const *ignored; // known reports, which are not among the bugs
    uint32_t ignored_count;
    const char *const *unmatched; // entries of the list of known reports that name no bug of this run
    uint32_t unmatched_count;
    const struct incompleteness *gave_up;
    uint32_t gave_up_count;
    const struct summary_target *targets;
    uint32_t target_count;
    const struct summary_slice *sliced;
    uint32_t sliced_count;
    const struct summary_job *jobs;
    uint32_t job_count;           // 0: the run was one process
    uint64_t messages, job_bytes; // between the processes
    uint32_t idle_cores;          // processors that the run could have used and did not
    struct summary_fuzz fuzz;
    const struct summary_option *options;
    uint32_t option_count;
    const char *kind;           // of the command: "run", "reach", "regress"
    const char *const *command; // its words after the command's name, ending with NULL; NULL: not known
    struct summary_reads reads;
    uint32_t unlinked; // functions of the program that nothing refers to: they do not count
    struct gaps gaps;
    bool complete;   // every path was explored, and nothing was given up on any
    bool explored;   // every path was explored, as far as nothing was given up
    bool running;    // the run goes on, or was killed
    const char *end; // why it ended
};

void summary_add_json(struct text *to, const struct summary *summary);
// For people: bugs, coverage, what was not covered and why, and one thing to do next. `color`: for a terminal.
// The command that would help most, and why; an empty command: none would. Both are added to.
void advice_add(struct text *command, struct text *why, const struct summary *summary);
void summary_add_text(struct text *to, const struct summary *summary, bool color);

#endif
