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

enum emit { EMIT_ALL, EMIT_NEW, EMIT_ERRORS };

// Limits are off when 0.
struct explore_options {
    const char *search;
    uint64_t random_seed;
    bool pending, relax_checks; // branches do not ask the solver (vm.h); also implied by the strategy
    uint64_t step; // instructions that a state runs before another may be picked, 0: a good number
    enum emit emit;
    bool
        emit_changed; // also the paths of seeds, and for each choice of changed code a few that began with it
    double max_time;  // of one call of explore_run; base/run_limits.h has the limits of the command
    uint64_t max_memory; // bytes; that of base/run_limits.h comes first
    // Where a limit of base/run_limits.h is not met in time, a step may be abandoned: then only messages, the result and a checkpoint
    // can be had of the exploration.
    bool may_abandon;
    uint64_t max_tests, max_depth, max_forks, max_instructions, max_paths;
    struct solver_options solver;
    struct vm_options machine; // host, files, checks; the sink, solver and terms are filled in here
    // The command line and the variables; one first state for each of the environments.
    const struct test_case *seeds; // inputs to start from; argument_count 0: they say nothing of arguments
    uint32_t seed_count;
    double seed_time;          // seconds for the path of one seed before others have their turn, 0: no limit
    bool seeds_only;           // ends when the last state that follows a seed has ended
    bool seeds_by_environment; // each seed is for the environment that it names
    const struct vm_environment *environments;
    uint32_t environment_count;
    // What to reach; NULL: nothing in particular. `targets_only`: paths that cannot reach any of them end early,
    // and so does the run when all were reached.
    struct targets *targets;
    const struct checkpoint *resume; // go on from there (explore/checkpoint.h); NULL: from the beginning
    // Tests that the interrupted run wrote after what `resume` knows. A path among them keeps its number when it is found again; new
    // tests are numbered after them.
    const struct written_test *written;
    uint32_t written_count;
    // Begins with no state: all come by explore_take or explore_start. It is one of several explorations, and what it has explored is
    // never everything.
    bool empty;
    bool targets_only;
    const int *target_kinds; // per target: the bug that is wanted there (enum bug_kind), -1: none; or NULL
    // Called with everything that the run says: each test when it is made, with the finding that it is the first to show
    // before it; the rest by explore_tell. Nothing of a message may be kept without a copy. May be NULL.
    void (*on_message)(void *context, const struct message *message);
    bool findings; // bugs are described by findings, which queries the solver
    // Called now and then (about ten times a second) and at the end; returning false ends the run. May be NULL.
    bool (*on_progress)(void *context);
    // Called where no state is left and something is incomplete: true when inputs may still come (explore_add_seed); it waits a
    // moment then. May be NULL.
    bool (*on_idle)(void *context);
    // The entry of the list of known reports that names the bug; NULL: none does. Such bugs are not reported, and paths go on after
    // them, where the machine would. Kind, fault, place and fingerprint of the finding are set. May be NULL.
    const char *(*known)(const void *known_context, const struct finding *finding);
    const void *known_context;
    bool goes_on_after_bugs; // paths go on after all bugs, where the machine would
    double progress_seconds; // between two calls, 0: a tenth of a second
    bool every_step;         // on_progress is called after every step
    void *context;
};

// Why the run ended: LIMIT(NAME, text).
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
    END(TARGETS, "nothing is left to reach")

enum explore_end {
#define END(name, text) END_##name,
    EXPLORE_END_TABLE(END)
#undef END
};
extern const char *const explore_end_names[];

typedef vec(uint64_t) bug_hashes;

// A bug: an operation of the program's own source that fails in one way.
struct found_bug {
    enum bug_kind kind;
    enum bug_fault fault;
    struct ir_operation operation;
    // The shortest call stack that a test shows.
    uint32_t site, user_site; // its innermost frame, and the innermost one in the program's own source
    uint32_t frames;          // from user_site on
    uint32_t test;
    uint32_t tests;             // that were made to show the bug
    uint64_t paths;             // that hit it
    bug_hashes stacks, callers; // different call stacks; calls that entered the function
};

struct explore_result {
    struct run_counters counts;
    enum explore_end end;
    bool complete; // no state is left, and the ledger has nothing that is lost
    double seconds, solver_seconds, search_seconds;
    double work_seconds;       // of all processes that explore
    double infeasible_seconds; // of the solver's, spent on pending states that were infeasible
    const struct found_bug *bugs;
    uint32_t bug_count;
    uint32_t ignored_count; // of these: known reports
    const struct given_up *given_up;
    uint32_t given_up_count;
    const struct target_result *targets; // in the order of the marks
    uint32_t target_count;
    bool trace_reached; // some path has come by all targets in their order
};

struct explore_tested {
    const struct state *state;
    const struct bug *bug; // NULL: none
};

struct explore;

// False: the strategy's text is wrong, and the user was told where.
bool explore_check_search(const char *expression);
// NULL: the strategy's text is wrong, and the user was told.
struct explore *explore_new(const struct ir_program *program, const struct explore_options *options);
// Until no state is left, or a limit is reached. May be called again, after explore_take or with states that are left.
void explore_run(struct explore *explore);
void explore_free(struct explore *explore);

const struct explore_result *explore_result(struct explore *explore); // as it stands
struct vm *explore_vm(struct explore *explore);
struct solver *explore_solver(struct explore *explore);
struct terms *explore_terms(struct explore *explore);
// While a test is told: what it was made of, for analyses that need more of the path than its test says.
struct explore_tested explore_tested(const struct explore *explore);
// Tells what has changed since the last call: coverage, counters, incompleteness, bugs, targets; with `end`, why the run
// has ended.
void explore_tell(struct explore *explore, bool end);
// Per edge, then per function: 1 when a test covers it.
const uint8_t *explore_claimed(const struct explore *explore);
// One more seed while the run goes on, from the callbacks: a new first state follows it, and what branches off it is
// kept only behind code that no state had reached before.
void explore_add_seed(struct explore *explore, const struct test_case *seed);
// Does a state still follow a seed?
bool explore_follows_seed(struct explore *explore);
// States go from one exploration of a program to another with the same options as decisions, in a stream of frontier messages.
// All are called between two steps: from on_progress, or outside of explore_run.
// Gives away up to `most` states, those with the fewest decisions first, and returns how many. States that follow seeds and
// speculative ones stay.
uint32_t explore_give(struct explore *explore, uint32_t most, struct text *to);
// False: the stream is damaged or not of this program; `problem` gets the reason, and no state was added.
bool explore_take(struct explore *explore, const void *bytes, size_t size, struct text *problem);
// Adds the first states of the program to an exploration that began without any.
void explore_start(struct explore *explore);
#endif
