// The exploration of a program: all its paths, or as many as the limits allow.
//
//   explore_new -> explore_run -> explore_result ... -> explore_free
#ifndef TAMAR_EXPLORE_H
#define TAMAR_EXPLORE_H

#include "base/vec.h"
#include "explore/ledger.h"
#include "explore/reach.h"
#include "ir/operation.h"
#include "message/message.h"
#include "solver/solver.h"
#include "vm/vm.h"

struct written_test {
    uint64_t path; // test_case_path
    uint32_t number;
};

// The paths that become tests: all; those with a bug or with new coverage; only those with a bug.
enum emit { EMIT_ALL, EMIT_NEW, EMIT_ERRORS };

enum explore_event_kind {
    EXPLORE_LINE, // the state reaches code of the line with the mark `mark`
    EXPLORE_FORK, // the state forks `child`
    EXPLORE_END   // the path ends with `end`
};

struct explore_event {
    enum explore_event_kind kind;
    const struct state *state, *child;
    uint32_t mark;
    enum vm_event end;
};

// A limit of 0 means: no limit.
struct explore_options {
    const char *search;
    uint64_t random_seed;
    bool pending, relax_checks; // as in vm.h. Some strategies imply `pending`; relax_checks needs it
    uint64_t step; // most instructions or units of solver work of a state between two picks; 0: default
    enum emit emit;
    // Also make tests of the paths of seeds, and of a few paths forked at each branch in changed code.
    bool emit_changed;
    double max_time;     // seconds of one call of explore_run; base/run_limits.h has the command's limits
    uint64_t max_memory; // bytes; a limit set in base/run_limits.h takes precedence
    // A step may be abandoned when it overruns a limit of base/run_limits.h. After that, only messages, the
    // result and a checkpoint can be obtained.
    bool may_abandon;
    uint64_t max_tests, max_depth, max_forks, max_instructions, max_paths, max_bugs;
    struct solver_options solver;
    struct vm_options machine;     // host, files, checks; explore_new sets sink, solver and terms
    const struct test_case *seeds; // inputs to start from; argument_count 0: the seed fits any command line
    uint32_t seed_count;
    double seed_time;          // seconds for the path of one seed before other states run; 0: no limit
    bool seeds_only;           // end the run when the last state that follows a seed has ended
    bool seeds_by_environment; // a seed is only for the command line (index in `environments`) that it names
    // Command lines with their variables and files; the run begins with one state for each.
    const struct vm_start_config *environments;
    uint32_t environment_count;
    // Targets to reach; NULL: none.
    struct targets *targets;
    const struct checkpoint *resume; // continue from here (explore/checkpoint.h); NULL: from the entry
    // Tests that the interrupted run wrote after the checkpoint `resume`. A path among them keeps its
    // number when it is found again; new tests are numbered after them.
    const struct written_test *written;
    uint32_t written_count;
    // Begin without states: explore_take or explore_start adds them. This exploration is one of several,
    // and never reports that every path was explored.
    bool empty;
    // explore_report writes only coverage that no earlier report has. The receiver must not lose a report.
    bool reports_news;
    // Paths that cannot reach any target end early, and the run ends when all targets are reached.
    bool targets_only;
    const int *target_kinds; // per target: kind of bug wanted there (enum bug_kind), -1: none; or NULL
    // Called with each message of the run. A test is reported when it is made, after the finding that
    // it is the first to show; explore_tell reports all other changes. The callback must copy the data that
    // it keeps. May be NULL.
    void (*on_message)(void *context, const struct message *message);
    // Called for each event of a path that a log shows. May be NULL.
    void (*on_event)(void *context, const struct explore_event *event);
    void *event_context;
    bool findings; // describe each bug by a finding; this queries the solver
    // Called about ten times a second and at the end. Returns false to end the run. May be NULL.
    bool (*on_progress)(void *context);
    // Called when no state is left and the run is incomplete. If seeds may still be added (explore_add_seed), waits a
    // moment and returns true. May be NULL.
    bool (*on_idle)(void *context);
    // Returns the entry of the list of known reports that names the bug, NULL if there is none. Known
    // bugs are not reported, and paths continue after them where a real machine would. Only kind, fault,
    // location and fingerprint of the finding are set. May be NULL.
    const char *(*known)(const void *known_context, const struct finding *finding);
    const void *known_context;
    bool goes_on_after_bugs; // paths continue after any bug where a real machine would
    double progress_seconds; // seconds between two calls of on_progress; 0: a tenth of a second
    bool every_step;         // on_progress is called after every step
    void *context;
};

// Reasons for the end of a run: END(NAME, text). SEEDS: ended by the option seeds_only. Its text names --slice:
// `tamar config --jobs` sets the option, too, but does not print the reason.
#define EXPLORE_END_TABLE(END)                                                                               \
    END(COMPLETE, "every path was explored")                                                                 \
    END(TIME, "--max-time")                                                                                  \
    END(MEMORY, "--max-memory")                                                                              \
    END(DEPTH, "--max-depth")                                                                                \
    END(REBUILDING, "states of the interrupted run that could not be rebuilt")                               \
    END(TESTS, "--max-tests")                                                                                \
    END(FORKS, "--max-forks")                                                                                \
    END(INSTRUCTIONS, "--max-instructions")                                                                  \
    END(PATHS, "--max-paths")                                                                                \
    END(SEEDS, "--slice")                                                                                    \
    END(WORKERS, "workers that were killed")                                                                 \
    END(INTERRUPTED, "interrupted")                                                                          \
    END(TARGETS, "nothing is left to reach")                                                                 \
    END(PRUNED, "every path that could lead to a target was explored")                                       \
    END(BUGS, "--max-bugs")

enum explore_end {
#define END(name, text) END_##name,
    EXPLORE_END_TABLE(END)
#undef END
};
extern const char *const explore_end_names[];

typedef vec(uint64_t) bug_hashes;

// A bug: an operation in user code that fails in one way.
struct found_bug {
    enum bug_kind kind;
    enum bug_fault fault;
    struct ir_operation operation;
    // The shortest call stack shown by a test.
    uint32_t site, user_site;   // innermost frame of that stack; innermost frame in user code
    uint32_t frames;            // number of frames from user_site on
    uint32_t test;              // test that shows this stack
    uint32_t tests;             // tests made to show the bug
    uint64_t paths;             // paths that hit the bug
    bug_hashes stacks, callers; // distinct call stacks; distinct calls of the function that fails
};

struct explore_result {
    struct run_counters counts;
    enum explore_end end;
    bool complete; // no state is left, none was pruned, and the ledger has no lost entry
    bool decided;  // like `complete`, for the states that could reach a target
    double seconds, solver_seconds, search_seconds;
    double work_seconds;       // total over all exploring processes
    double infeasible_seconds; // part of solver_seconds spent on pending states found infeasible
    double rebuilding_seconds; // processor time in which this process rebuilt states from their decisions
    const struct found_bug *bugs;
    uint32_t bug_count;
    uint32_t ignored_count; // bugs that are known reports
    const struct given_up *given_up;
    uint32_t given_up_count;
    const struct target_result *targets; // in the order of the marks
    uint32_t target_count;
    bool trace_reached; // some path has visited all targets in their order
};

struct explore_tested {
    const struct state *state;
    const struct bug *bug; // NULL: none
};

struct explore;

// Returns false if the strategy expression is invalid; the error has been reported with its position.
bool explore_check_search(const char *expression);
// Returns NULL if the strategy expression is invalid; the error has been reported.
struct explore *explore_new(const struct ir_program *program, const struct explore_options *options);
// Runs until no state is left or a limit is reached. May be called again, after explore_take or with the
// states that are left.
void explore_run(struct explore *explore);
void explore_free(struct explore *explore);
// For a process that ends next: closes files, and leaves memory to the exit, which is faster. A build with assertions
// frees everything, so that its tests find what is lost.
void explore_free_at_exit(struct explore *explore);

const struct explore_result *explore_result(struct explore *explore); // the current values
struct vm *explore_vm(struct explore *explore);
struct solver *explore_solver(struct explore *explore);
struct terms *explore_terms(struct explore *explore);
// While a test is being reported: the state and bug it was made from, for analyses that need more than the
// test.
struct explore_tested explore_tested(const struct explore *explore);
// Reports the changes since the last call: coverage, counters, incompleteness, bugs, targets; with `end`,
// also why the run has ended.
void explore_tell(struct explore *explore, bool end);
// Returns one byte per item (edges, functions, positions; cover/cover.h): 1 if a written test covers it.
const uint8_t *explore_covered_by_tests(const struct explore *explore);
// Adds a late seed; called from the callbacks. A new initial state follows the seed. Forks of that state are
// kept only if they have covered new code.
void explore_add_seed(struct explore *explore, const struct test_case *seed);
// Whether some state still follows a seed.
bool explore_follows_seed(struct explore *explore);
// States are transferred between explorations of the same program with the same options, as decisions in a
// stream of frontier messages. Call these functions only between two steps: from on_progress, or outside
// of explore_run.
// Gives away up to `most` states, evenly chosen in the order of their numbers of instructions, and returns their
// number. Kept are states that follow seeds, states of late seeds, and speculative states.
uint32_t explore_give(struct explore *explore, uint32_t most, struct text *to);
// Adds the states of a stream. Returns false if the stream is damaged or of another program: `problem` gets
// the reason, and no state is added.
bool explore_take(struct explore *explore, const void *bytes, size_t size, struct text *problem);
// Adds the initial states to an exploration that began without any.
void explore_start(struct explore *explore);
#endif
