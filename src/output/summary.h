// summary.json, and the text at the end of a run, which begins with the bugs.
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
    double seconds;        // time until it was reached
    uint64_t instructions; // instructions executed until it was reached
    uint32_t bug;          // a test that shows the requested bug there; 0: none
    bool proved;           // a native run of the test executed the line
    int64_t distance;     // least number of words of the IR from a reached point to the target; -1: not known
    const char *obstacle; // branch that no path left towards the target; NULL: not known
};

// Results of a sliced program (--slice), one for each mode.
struct summary_slice {
    unsigned mode;
    uint32_t cut, inputs;            // edges removed; inputs from which the original program is explored
    uint32_t tried;                  // inputs that were run concretely on the original program
    uint64_t paths, queries, solved; // queries: all queries; solved: those that needed SAT or Z3
    double slicing, seconds;         // time of the slicer, and of the exploration
    double trying;                   // part of `seconds`: runs of the inputs on the original program
    bool complete;                   // every path of the sliced program was explored
};

// One worker of a run with --jobs.
struct summary_job {
    uint64_t paths, instructions, given, taken; // given, taken: states moved to and from other workers
    double busy;                                // fraction of its time spent exploring, 0 to 1
    double rebuilding; // fraction of its exploring time spent on rebuilding states of other workers
    double present;    // seconds from its start to its end
    bool killed;       // ended unexpectedly
};

// A bug that an input of the fuzzer triggers in a concrete run of the engine.
struct summary_fuzz_bug {
    const char *kind, *file, *function;
    uint32_t line;
    const char *input; // name of the input's file in fuzz/kept
    bool followed;     // the exploration has found the bug as well and lists it among the bugs
};

// Results of a fuzzer beside the exploration (--fuzz).
struct summary_fuzz {
    const char *tool;     // NULL: no fuzzer was used
    uint64_t starts;      // number of times the fuzzer was started
    uint64_t inputs;      // inputs that the fuzzer kept and that were run concretely
    uint64_t fresh;       // inputs with new coverage or a new bug
    uint64_t followed;    // inputs counted in `fresh` that were followed symbolically
    uint64_t given;       // inputs passed from the exploration to the fuzzer
    uint64_t crashes;     // crashes that the fuzzer reported
    uint64_t unexplained; // crashes for whose input the engine found no bug
    uint64_t only_fuzzed; // edges and functions covered by concrete runs, but not by the exploration
    const struct summary_fuzz_bug *bugs;
    uint32_t bug_count;
};

// Kinds of input that user code requests from the C library.
struct summary_reads {
    bool stdin, file, socket, variable, arguments;
    bool stream;  // reads a stream that may be standard input or a file
    bool marks;   // the program marks its symbolic inputs itself
    bool driver;  // main passes files to LLVMFuzzerTestOneInput
    bool harness; // the program begins at LLVMFuzzerTestOneInput
};

struct summary_option {
    const char *name, *value;
};

// work: time of all exploring processes; solver, execute, search and infeasible are parts of it.
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
    const struct finding *const *ignored; // known reports, not listed among the bugs
    uint32_t ignored_count;
    const char *const *unmatched; // entries of the list of known reports that match no bug of this run
    uint32_t unmatched_count;
    const struct incompleteness *gave_up;
    uint32_t gave_up_count;
    const struct summary_target *targets;
    uint32_t target_count;
    const struct summary_slice *sliced;
    uint32_t sliced_count;
    const struct summary_job *jobs;
    uint32_t job_count;           // 0: the run was one process
    uint64_t messages, job_bytes; // number and bytes of messages exchanged between the processes
    uint32_t idle_cores;          // processors that the run could have used but did not
    struct summary_fuzz fuzz;
    const struct summary_option *options;
    uint32_t option_count;
    const char *kind;           // the command: "run", "reach", "regress"
    const char *const *command; // the words after the command's name, NULL-terminated; NULL: not known
    struct summary_reads reads;
    uint32_t unlinked; // functions of the program that nothing refers to; not part of coverage
    struct gaps gaps;
    bool complete;   // every path was explored, and nothing was skipped
    bool explored;   // no state is left and none was dropped, but values and paths may have been skipped
    bool running;    // the run is in progress, or was killed
    const char *end; // the reason why the run ended
};

void summary_add_json(struct text *to, const struct summary *summary);
// Appends the command that would help most as the next step, and the reason. `command` stays empty if none would help.
void advice_add(struct text *command, struct text *why, const struct summary *summary);
// Appends the summary for a console: bugs, coverage, gaps with their reasons, and the advice. `color`: for a terminal.
void summary_add_text(struct text *to, const struct summary *summary, bool color);

#endif
