// The virtual machine: runs states of one program.
//
//   vm_new -> { vm_run -> event, ... } -> vm_free
//
// A run ends with an event: the program ended, a bug was found, the path forked, or the budget is used up. After
// VM_BUDGET and VM_FORKED the state can be run again. After the others it cannot: its path has ended or, after
// VM_DEFERRED, continues in the pending state that the sink received.
#ifndef TAMAR_VM_H
#define TAMAR_VM_H

#include "base/bug_kinds.h"
#include "base/counters.h"
#include "base/text.h"
#include "expr/expr.h"
#include "state/site.h"
#include "state/state.h"

struct solver;

// Ways for a run to end: EVENT(NAME, meaning in words for a user).
// EXITED, SIGNALLED: vm_exit_status returns the status (128 + signal).
// BUG, NOT_MODELLED: vm_bug has the message and the site.
// FORKED, FAILED, DEFERRED: the sink has received the other state, the bug, or the pending state.
#define VM_EVENT_TABLE(EVENT)                                                                                \
    EVENT(BUDGET, "the budget of instructions is used up")                                                   \
    EVENT(FORKED, "the path forks")                                                                          \
    EVENT(EXITED, "the program ends by itself")                                                              \
    EVENT(SIGNALLED, "a signal ends the program")                                                            \
    EVENT(BUG, "a bug")                                                                                      \
    EVENT(STOPPED,                                                                                           \
          "the path ends here without an outcome: an assumption does not hold, or the program asked for it") \
    EVENT(FAILED, "the check fails for every input of this path")                                            \
    EVENT(DEFERRED, "the path continues in a pending state")                                                 \
    EVENT(UNKNOWN, "the path cannot be followed: the solver gave no answer")                                 \
    EVENT(NOT_MODELLED, "the program uses something that is not modelled")

enum vm_event {
#define EVENT(name, meaning) VM_##name,
    VM_EVENT_TABLE(EVENT)
#undef EVENT
};
extern const char *const vm_event_names[];

// A bug when it is found. Sites are call stacks (state/site.h), innermost first.
struct bug {
    enum bug_kind kind;
    enum bug_fault fault;
    struct text message;             // the error in one line
    struct text details;             // further lines: the object, the distance; may be empty
    uint32_t site;                   // call stack at which it was found
    uint32_t allocated_at, freed_at; // call stacks of the object's allocation and its free; 0: none
    bool is_fatal;                   // the hardware ends the program there, or its behaviour is not known
};

// The effect of calling something that is not modelled, in the order of the values of --unmodelled.
enum unmodelled {
    UNMODELLED_END,    // the path ends
    UNMODELLED_ERROR,  // the call fails with ENOSYS
    UNMODELLED_NATIVE, // a function without a body is called natively, in a sandboxed process
};

struct vm_range {
    uint32_t least, most;
};

// The files of another computer, which replace those of this one. Results below zero are negated error numbers.
// VM_NOT_SHARED: the files are not available; the path ends with VM_NOT_MODELLED.
#define VM_NOT_SHARED INT64_MIN
struct stat;
struct vm_foreign {
    void *context;
    uint32_t user, group;
    int64_t (*stat)(void *context, const char *path, bool follow, struct stat *to);
    int64_t (*read)(void *context, const char *path, void *buffer, uint64_t size, uint64_t offset);
    int64_t (*read_link)(void *context, const char *path, char *buffer, uint64_t size);
    // Calls `add` with every name in the folder but "." and "..".
    int64_t (*list)(void *context, const char *path, void (*add)(void *to, const char *name), void *to);
};

// The host as the VM sees it: its files, read-only, and the standard streams. Results below zero are negated error
// numbers.
// Without `read`, standard input is a file and the other streams are pipes, with the same properties in every run. So
// the path of a test does not depend on Tamar's own streams.
struct vm_host {
    void *context;
    const char *input_file; // without `read`: the content of standard input; NULL: empty
    int64_t (*read)(void *context, int fd, void *buffer, uint64_t size, int64_t offset);
    int64_t (*write)(void *context, int fd, const void *buffer, uint64_t size);
    void (*log)(void *context, const char *message);
    void (*save_file)(void *context, const char *path, int kind, unsigned mode, const void *content,
                      uint64_t size);
    // wants_files: save_file is called for the files that the program leaves behind. host_files: the program sees the
    // host's files.
    bool wants_files, host_files;
    const struct vm_foreign *foreign; // NULL: files are this computer's
    enum unmodelled unmodelled;
    int64_t start_time;
    struct vm_range input;          // bounds of the size of a libFuzzer harness's input, in bytes
    const struct vm_range *sockets; // bounds of the bytes that arrive over each incoming connection
    uint32_t socket_count;
    uint32_t failures, short_reads; // number of system calls that may fail, of reads that may be short
    uint32_t symbolic_random;       // number of bytes of getrandom that are symbolic
    const struct text *peers;       // script of the program's peers (runtime/boundary.h)
    const char *directory;
    const char *const *hidden; // absolute paths of files that Tamar itself writes: hidden from the program
    uint32_t hidden_count;
};

// Receives the results of a symbolic run. The sink owns the states that it gets and frees them with vm_free_state.
struct vm_sink {
    void *context;
    void (*forked)(void *context, struct state *parent, struct state *child);
    // Receives a state in which a check fails. The state that passes the check continues.
    void (*found)(void *context, struct state *failing, const struct bug *bug);
    // Returns whether a path continues, as on the hardware, after this bug, which is not fatal. The answer must depend
    // on the kind and the site alone: states are rebuilt from their decisions. NULL: no path continues.
    bool (*survives)(void *context, const struct bug *bug);
    // The running state continues after this bug.
    void (*survived)(void *context, struct state *state, const struct bug *bug);
    // Reports incompleteness at this site. `lost`: paths or values are not explored, because a value was concretized or
    // the solver answered unknown. Otherwise nothing is lost; the exploration is slower.
    void (*gave_up)(void *context, const char *what, uint32_t site, bool lost);
    // The state is at an enabled mark (vm_enable_mark, IR_FORMAT_MARK), and will continue. May be NULL.
    void (*marked)(void *context, struct state *state, uint32_t mark);
    // No state takes the side `edge` of a two-way branch on a symbolic condition. `condition`: the condition of that
    // side, infeasible on this path; 0: the side may be feasible, but is not explored. Not called in a replay, where
    // this is not known. May be NULL.
    void (*infeasible)(void *context, struct state *state, uint32_t edge, Term condition);
};

// A command-line argument or an environment variable. If `symbolic` is not 0, it is an input of that many bytes.
struct vm_text {
    const char *text; // for a variable: NAME=value, or just NAME when symbolic
    uint32_t symbolic;
};

struct vm_file {
    const char *path;       // as the program will name it; NULL: standard input
    uint32_t least, most;   // bounds of the number of symbolic bytes
    const uint8_t *content; // not NULL: the file is concrete and has these `most` bytes
    // Not NULL: the file has `most` bytes, and only the bytes from `from` up to `to` are symbolic. `around` has the
    // concrete bytes, and the default values of the symbolic ones.
    const uint8_t *around;
    uint32_t from, to;
    bool endless; // there are always more bytes; a test has the bytes that its path read
};

struct vm_start_config {
    const struct vm_text *arguments; // argv[0] first
    uint32_t argument_count;
    const struct vm_text *variables;
    uint32_t variable_count;
    // If set, `files` and `sockets` replace those of the options for this command line.
    bool own_files;
    const struct vm_file *files;
    uint32_t file_count;
    const struct vm_range *sockets;
    uint32_t socket_count;
    // In a concrete run: the input of a libFuzzer harness. NULL: zeros.
    const uint8_t *input;
    uint32_t input_size;
};

// The values of memory and locals that the program has not written yet, if the check UNINIT is off. With the check,
// their use is reported.
enum unset {
    UNSET_ZERO,     // 0; if behaviour depends on such a value, the other values are reported as not explored
    UNSET_SYMBOLIC, // inputs, made when they are first read
};

struct vm_options {
    struct vm_host host;
    struct vm_sink sink;
    const struct vm_file *files; // symbolic files
    uint32_t file_count;
    struct solver *solver; // NULL: a concrete run, in which nothing becomes symbolic
    struct terms *terms;   // the terms of the solver
    struct inputs *inputs; // inputs of these terms, if another VM made them; NULL: the VM makes its own
    uint64_t stack_size;
    uint64_t checks; // base/checks.h; UNINIT needs a solver, also in a concrete run
    enum unset unset;
    bool concrete; // objects that the program makes symbolic are zero, even if there is a solver
    // pending: branches make no query. The side that the state's model does not take becomes a state, pending unless it
    // is known to be feasible. relax_checks: the same for checks, except UNINIT.
    bool pending, relax_checks;
    bool single_path; // needs the two above: only the model's side of each branch is executed
    // One byte per source location of the program; not 0: its line has changed (state/tagged_term.h). NULL: no line
    // has changed.
    const uint8_t *changed;
    // A write that may hit at least this many offsets of an object, or a block that may touch more bytes than this,
    // makes the object's content an array. 0: the built-in limits.
    uint32_t array_offsets;
};

struct vm;

struct vm *vm_new(const struct ir_program *program, const struct vm_options *options);
void vm_free(struct vm *vm);

// Returns the state in which the program is about to start. Program inputs are named arg:1, stdin:, file:NAME and
// env:NAME, and length:... where the length of a file is symbolic. Names of the program's own objects have no colon.
struct state *vm_start(struct vm *vm, const struct vm_start_config *environment);
// Runs the state for at most about this many instructions.
enum vm_event vm_run(struct vm *vm, struct state *state, uint64_t budget);

// Collects terms that no state uses, if there are twice as many terms as after the last collection. The caller must not
// hold other terms.
void vm_collect(struct vm *vm);
// Frees the state and its path condition.
void vm_free_state(struct vm *vm, struct state *state);
// Starts a replay: from now on the running state takes these recorded decisions, without queries, until they are used
// up.
void vm_follow(struct vm *vm, const uint32_t *decisions, uint32_t count);
// Like vm_follow, but the state stops (VM_BUDGET) before the instruction that would make a further decision.
// vm_follow_stopped then returns true.
void vm_follow_until(struct vm *vm, const uint32_t *decisions, uint32_t count);
// Like vm_follow_until, but the last decision becomes the state's pending condition.
void vm_follow_pending(struct vm *vm, const uint32_t *decisions, uint32_t count);
bool vm_follow_stopped(const struct vm *vm);
// Returns true if the running state takes recorded decisions: it has reported everything up to here before.
bool vm_is_replaying(const struct vm *vm);
// Returns the term of a byte of the state's memory; 0: the byte is not symbolic.
uint32_t vm_byte_term(struct vm *vm, const struct state *state, uint64_t address);
// Returns the number that the next new state will get.
uint64_t vm_next_number(const struct vm *vm);
// Sets the number that the next new state will get.
void vm_number_from(struct vm *vm, uint64_t number);
// Returns a copy of a state that is not being run. The caller owns it.
struct state *vm_fork(struct vm *vm, struct state *state);
// Returns all states that have a path condition.
struct state *const *vm_live(const struct vm *vm, uint32_t *count);
void vm_restore_coverage(struct vm *vm, const uint8_t *edges_seen, const uint8_t *edges_decided,
                         const uint32_t *pending_per_block, const uint8_t *functions_seen,
                         const uint8_t *positions_seen);
// Removes a pending state from the counts of vm_pending_per_block: its condition has been decided, or the state has
// left this exploration. `block`: the state's waiting.block, a block plus 1; 0: nothing to do.
void vm_pending_decided(struct vm *vm, uint32_t block);
// Adds a pending state, which another exploration made, to the counts of vm_pending_per_block. `block`: as above.
void vm_defer(struct vm *vm, uint32_t block);
uint32_t vm_follow_left(const struct vm *vm); // number of recorded words that no state has taken yet
// Returns the time (clock_processor_seconds) at which the last recorded word was taken; 0: words are left, or there
// were none.
double vm_follow_used_up(const struct vm *vm);

// Checks a pending state's condition. POSSIBLE: the state can be run. IMPOSSIBLE: the path is infeasible. UNKNOWN: the
// solver gave no answer, and the path is given up. LATER: the run is over, and nothing has changed. HARD: only for a
// state that follows its model (seed.follows); the solver did not decide the condition within a small budget, and the
// next call gives it a larger one.
enum vm_revival { REVIVAL_POSSIBLE, REVIVAL_IMPOSSIBLE, REVIVAL_UNKNOWN, REVIVAL_LATER, REVIVAL_HARD };
enum vm_revival vm_revive(struct vm *vm, struct state *state);
// Optimistic solving: looks for input values that satisfy a pending state's condition and those conditions of its path
// that depend on no other input bytes. The values are a guess: the path may diverge before it reaches the condition.
// Returns true if there are any; `seed` then holds the values, in the form that vm_set_seeds takes.
bool vm_guess(struct vm *vm, const struct state *state, struct path_condition *seed);
// Sets the seeds: inputs that states follow first. Each is given as a path condition without constraints, whose default
// values (path_set_default) are the bytes of the input. They must outlive the states.
void vm_set_seeds(struct vm *vm, const struct path_condition *seeds, uint32_t count);
// Makes a state that has just been started follow these seeds.
void vm_seed(struct vm *vm, struct state *state, const uint32_t *seeds, uint32_t count);
const struct symbolic_counters *vm_counters(const struct vm *vm);
// Marks edges and functions that another VM has covered as covered here, too.
void vm_learn_coverage(struct vm *vm, const uint32_t *edges, uint32_t edge_count, const uint32_t *functions,
                       uint32_t function_count);
// Sets the counters of an interrupted run, which this run continues.
void vm_restore_counters(struct vm *vm, const struct symbolic_counters *counters);

// Returns the term of the slot of a register or a byte (state/tagged_term.h); 0: none.
Term vm_slot_term(const struct vm *vm, uint32_t slot);
int vm_exit_status(const struct vm *vm);
const struct bug *vm_bug(const struct vm *vm);
struct sites *vm_sites(const struct vm *vm);
// Returns all inputs of the run, by their numbers in the terms; NULL in a concrete run.
struct inputs *vm_inputs(struct vm *vm);
const struct ir_program *vm_program(const struct vm *vm);
const char *vm_event_text(const struct vm *vm, uint32_t number); // a text of state->history.events
// Returns one byte per edge of the program: 1 once any state has taken it.
const uint8_t *vm_edges_seen(const struct vm *vm);
// Returns one byte per edge of the program: 1 once it was taken at a branch that depended on an input.
const uint8_t *vm_edges_decided(const struct vm *vm);
// Returns, per block, the number of pending states of the branch at its end. States that were dropped undecided stay
// counted.
const uint32_t *vm_pending_per_block(const struct vm *vm);
// Returns one byte per function: 1 once any state has entered it.
const uint8_t *vm_functions_seen(const struct vm *vm);
// Returns one byte per position, the number of an instruction of user code (from 1, ir_position). 1: a return was
// executed there; or a path ended while one of its frames stood there (vm_note_positions), and no earlier path had
// executed more of that block.
const uint8_t *vm_positions_seen(const struct vm *vm);
// Records the positions of all frames of a path that has ended.
void vm_note_positions(struct vm *vm, struct state *state);
// Gives the state a model that satisfies the program's preferences as far as the path allows.
void vm_prefer(struct vm *vm, struct state *state);
// Copies vm_positions_seen to `positions` and adds the positions of the frames of all states that are not speculative.
void vm_live_positions(const struct vm *vm, uint8_t *positions);
// A decision that is not an edge of the program: whether an operation fails, the value of an address or a length.
struct vm_decision {
    const char *name; // description
    Term term;        // condition or value; 0: none
    uint64_t taken;   // the side, the value, or the number of the alternative
    bool is_side;     // `taken` is 1 if the condition holds, else 0
    bool is_check;    // if the condition does not hold, the operation fails
};
// From now on calls `took` for every edge that the running state takes, and `chose` (may be NULL) for its other
// decisions, in order. Each run then ends with VM_BUDGET at its first edge. `took` NULL: stops the calls.
void vm_trace(struct vm *vm, void (*took)(void *context, uint32_t edge),
              void (*chose)(void *context, const struct vm_decision *decision), void *context);

// Enables or disables the sink's `marked` for this mark: the mark of a line, or IR_MARK_ENTRY | function.
// Initially all marks of lines are enabled, and all marks of entries are disabled.
void vm_enable_mark(struct vm *vm, uint32_t mark, bool wanted);

// Adds the arguments of the call that entered the `depth`-th frame from the top, as in C: `n=3, name="abc"`. Values
// that depend on inputs are those of the state's model. Returns false if the arguments are not known.
bool vm_add_arguments(struct text *to, struct vm *vm, const struct state *state, uint32_t depth);

// Called by the sink's `marked` at the entry of a function: the state leaves that function and begins at `function`,
// with symbolic parameters; pointers get objects on first use. The program must have been loaded with types and marks
// of entries.
void vm_begin_at(struct vm *vm, const struct ir_function *function);
// Speculative states (speculative.c) may be infeasible in the real program, or only follow a partial path. They do not
// count for coverage or bugs. Starts one at `function`, with symbolic parameters and globals, as a fork of `at_main`, a
// state at the entry of main.
struct state *vm_start_speculative(struct vm *vm, struct state *at_main, const struct ir_function *function);
// Speculative states that run from now on must take exactly these edges of user code (speculation.taken counts them).
// Otherwise their path ends with VM_STOPPED. NULL: no edges are required.
void vm_require_edges(struct vm *vm, const uint32_t *edges, uint32_t count);
// Makes a speculative state that began at the program's start and took these edges an ordinary one, and counts the
// edges as covered.
void vm_end_speculative(struct vm *vm, struct state *state, const uint32_t *edges, uint32_t count);

// Fills vm_bug with a report that the state, which is not being run, does not terminate. `instructions`: number of
// instructions without progress; 0: the path has returned to an earlier state.
void vm_report_hang(struct vm *vm, struct state *state, uint64_t instructions);

// Called by the sink's `marked`: ends the run there, as if its budget were used up.
void vm_request_stop(struct vm *vm);

// Returns the innermost call of a site that is in user code, in a function with source lines if there is one. Returns
// the site itself if no call is in user code.
uint32_t vm_user_site(const struct vm *vm, uint32_t site);

#endif
