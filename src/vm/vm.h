// The virtual machine: runs states of one program.
//
//   vm_new -> { vm_run -> event, ... } -> vm_free
//
// A run ends with an event: the program ended, a bug was found, the budget is used up. After VM_BUDGET the
// same state can be run again; after the others its path has ended.
#ifndef TAMAR_VM_H
#define TAMAR_VM_H

#include "base/bug_kinds.h"
#include "base/counters.h"
#include "base/text.h"
#include "expr/expr.h"
#include "state/site.h"
#include "state/state.h"

struct solver;

// Ways for a run to end: EVENT(NAME, what it means, in words for a user). EXITED and SIGNALLED: vm_exit_status (128 + signal) has the
// status; BUG and NOT_MODELLED: vm_bug has the message and the place. The sink has the other state of FORKED, the bug of FAILED, and
// the pending state of PUT_OFF.
#define VM_EVENT_TABLE(EVENT)                                                                                \
    EVENT(BUDGET, "the instructions it was given are used up")                                               \
    EVENT(FORKED, "the path forks")                                                                          \
    EVENT(EXITED, "the program ends by itself")                                                              \
    EVENT(SIGNALLED, "a signal ends the program")                                                            \
    EVENT(BUG, "a bug")                                                                                      \
    EVENT(STOPPED, "the path ends here without an outcome: an assumption does not hold")                     \
    EVENT(FAILED, "every value on this path fails")                                                          \
    EVENT(PUT_OFF, "the path goes on in a pending state")                                                    \
    EVENT(UNKNOWN, "the path cannot be followed: the solver gave no answer")                                 \
    EVENT(NOT_MODELLED, "the program needs what is not modelled")

enum vm_event {
#define EVENT(name, meaning) VM_##name,
    VM_EVENT_TABLE(EVENT)
#undef EVENT
};
extern const char *const vm_event_names[];

// What is known of a bug when it is found. Sites are call stacks (state/site.h), innermost first.
struct bug {
    enum bug_kind kind;
    enum bug_fault fault;
    struct text message;             // one line: what happened
    struct text details;             // further lines: the object, the distance; may be empty
    uint32_t site;                   // where
    uint32_t allocated_at, freed_at; // of the object, 0: does not apply
    bool is_fatal;                   // the machine ends the program there, or what it does cannot be told
};

// What a call of something that is not modelled comes to. The order is that of the option's words.
enum unmodelled {
    UNMODELLED_END,    // of the path
    UNMODELLED_ERROR,  // it fails with ENOSYS
    UNMODELLED_NATIVE, // a function without a body is called natively, in a process that can do no harm
};

struct vm_range {
    uint32_t least, most;
};

// The files of another machine, in place of this one's. Results below zero are negated error numbers; VM_NOT_SHARED: they are not to be had,
// and the path ends as one that needs what is not modelled.
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

// What the machine asks of its surroundings: the host, read-only, and the standard streams. Results below
// zero are negated error numbers. Without `read`, standard input is a file and the other streams are pipes,
// described alike in every run, so that a test's path does not depend on where Tamar's own streams lead.
struct vm_host {
    void *context;
    const char *input_file; // the content of standard input then, NULL: empty
    int64_t (*read)(void *context, int fd, void *buffer, uint64_t size, int64_t offset);
    int64_t (*write)(void *context, int fd, const void *buffer, uint64_t size);
    void (*log)(void *context, const char *message);
    void (*save_file)(void *context, const char *path, int kind, unsigned mode, const void *content,
                      uint64_t size);
    bool wants_files, host_files;
    const struct vm_foreign *foreign; // NULL: files are this machine's
    enum unmodelled unmodelled;
    int64_t start_time;
    struct vm_range input;          // bytes of a libFuzzer harness's input: any number between these
    const struct vm_range *sockets; // what arrives over each connection from outside
    uint32_t socket_count;
    uint32_t failures, short_reads; // system calls that may fail, reads that may be short
    uint32_t symbolic_random;       // bytes of getrandom that are symbolic
    const struct text *peers; // who talks to the program from outside, as runtime/intrinsics.h lays it out
    const char *directory;
    const char *const *hidden; // absolute paths of what Tamar itself writes: not there for the program
    uint32_t hidden_count;
};

// Who takes what comes out of a symbolic run. States handed over belong to the sink, which frees them with
// vm_free_state.
struct vm_sink {
    void *context;
    void (*forked)(void *context, struct state *parent, struct state *child);
    // A state in which a check fails; the path that passes the check goes on without it.
    void (*found)(void *context, struct state *failing, const struct bug *bug);
    // Does a path go on after this bug, which is not fatal, as the machine would? The answer must depend on the kind and the place
    // alone: states are rebuilt from their decisions. NULL: no path does.
    bool (*survives)(void *context, const struct bug *bug);
    // The running state goes on after this bug.
    void (*survived)(void *context, struct state *state, const struct bug *bug);
    // Incompleteness at this site. `lost`: paths or values are not explored, because a value was concretized or the solver
    // gave no answer; else all of them are, but at a higher cost.
    void (*gave_up)(void *context, const char *what, uint32_t site, bool lost);
    // The state stands at a mark that is watched (vm_watch), and will go on; may be NULL. See struct ir_insn.
    void (*marked)(void *context, struct state *state, uint32_t mark);
    // A two-way branch on a symbolic condition has only one side here; the other one's edge needs `condition`. May be
    // NULL.
    void (*refused)(void *context, struct state *state, uint32_t edge, Term condition);
};

// What the program finds around it. Where `symbolic` is not 0, that many bytes are an input; else the text is
// used.
struct vm_text {
    const char *text; // of a variable: NAME=value, or just NAME when symbolic
    uint32_t symbolic;
};

struct vm_file {
    const char *path;       // as the program will name it; NULL: standard input
    uint32_t least, most;   // symbolic bytes: any number between these
    const uint8_t *content; // not NULL: `most` bytes that are as they are instead
    // Not NULL: a file of `most` bytes of which only those from `from` up to `to` are symbolic; paths begin with the bytes it has.
    const uint8_t *around;
    uint32_t from, to;
    bool endless; // there are always more bytes: tests have as many as were read
};

struct vm_environment {
    const struct vm_text *arguments; // argv[0] first
    uint32_t argument_count;
    const struct vm_text *variables;
    uint32_t variable_count;
    // Where `own_files` is set, instead of those that the options name: other command lines have others.
    bool own_files;
    const struct vm_file *files;
    uint32_t file_count;
    const struct vm_range *sockets;
    uint32_t socket_count;
    // Where nothing is symbolic: the input of a libFuzzer harness. NULL: zeros.
    const uint8_t *input;
    uint32_t input_size;
};

// Memory and locals that the program has not written yet. The check UNINIT reports what depends on them; without it:
enum unset {
    UNSET_ZERO, // are 0; where the program's behaviour depends on one, the other values are noted as not explored
    UNSET_SYMBOLIC, // are inputs, made when they are read first
};

struct vm_options {
    struct vm_host host;
    struct vm_sink sink;
    const struct vm_file *files; // symbolic ones
    uint32_t file_count;
    struct solver *solver; // NULL: a concrete run, in which nothing becomes symbolic
    struct terms *terms;   // the solver's
    struct inputs *inputs; // of these terms, where another machine made them; NULL: the machine makes its own
    uint64_t stack_size;
    uint64_t checks; // base/checks.h; UNINIT needs a solver, also in a concrete run
    enum unset unset;
    bool concrete; // what the program makes symbolic is zero, even if there is a solver
    // Branches do not ask the solver: the side that the state's model does not take becomes a pending state, unless it
    // is known to be possible. The same for checks.
    bool pending, relax_checks;
    bool alone; // with both: what a state's model does not take is left out, and never asked about
    // One byte per location of the program, not 0: its line has changed (state/slot.h). NULL: none has.
    const uint8_t *changed;
    // A write that may hit at least so many places of an object makes its content an array. 0: where that pays.
    uint32_t array_places;
};

struct vm;

struct vm *vm_new(const struct ir_program *program, const struct vm_options *options);
void vm_free(struct vm *vm);

// The state in which the program is about to start. Inputs of the surroundings are named arg:1, stdin:,
// file:NAME, env:NAME, and length:... where the length of a file is a choice; names of the program's own
// objects have no colon.
struct state *vm_start(struct vm *vm, const struct vm_environment *environment);
// Runs the state for at most about this many instructions.
enum vm_event vm_run(struct vm *vm, struct state *state, uint64_t budget);

// Room for what a run needs may be made now: no term is held outside the states. Collects when it is worth
// it.
void vm_collect(struct vm *vm);
// Everything that is the state's own, its path condition included.
void vm_free_state(struct vm *vm, struct state *state);
// From here on the states that run follow these decisions instead of asking the solver, until they are used
// up.
void vm_follow(struct vm *vm, const uint32_t *decisions, uint32_t count);
// The same, but the state stops (VM_BUDGET) at the instruction that would decide something else;
// vm_follow_stopped tells.
void vm_follow_until(struct vm *vm, const uint32_t *decisions, uint32_t count);
// The same, but the last decision becomes the state's pending condition.
void vm_follow_pending(struct vm *vm, const uint32_t *decisions, uint32_t count);
bool vm_follow_stopped(const struct vm *vm);
// The term of a byte of the state's memory; 0: it is not symbolic.
uint32_t vm_byte_term(struct vm *vm, const struct state *state, uint64_t address);
// The number of the next state.
uint64_t vm_next_number(const struct vm *vm);
// New states are numbered from here on.
void vm_number_from(struct vm *vm, uint64_t number);
// A copy of a state that stands between two runs; the caller's.
struct state *vm_fork(struct vm *vm, struct state *state);
// Every state that there is.
struct state *const *vm_live(const struct vm *vm, uint32_t *count);
void vm_restore_coverage(struct vm *vm, const uint8_t *edges_seen, const uint8_t *edges_decided,
                         const uint32_t *put_off, const uint8_t *functions_seen,
                         const uint8_t *positions_seen);
// What a state that was pending waited for at this choice (its pending_choice) is decided now.
void vm_settle(struct vm *vm, uint32_t choice);
// A state that waits for this choice has come from elsewhere.
void vm_defer(struct vm *vm, uint32_t choice);
uint32_t vm_follow_left(const struct vm *vm); // decisions that no state has taken yet

// Checks a pending state's condition. POSSIBLE: the state can be run. LATER: the run is over, nothing has changed. HARD: the
// state follows its model, and little effort did not decide its condition; it will get more the next time.
enum vm_revival { REVIVAL_POSSIBLE, REVIVAL_IMPOSSIBLE, REVIVAL_UNKNOWN, REVIVAL_LATER, REVIVAL_HARD };
enum vm_revival vm_revive(struct vm *vm, struct state *state);
// Values of the inputs for which a pending state's condition holds, together with those conditions of its path that concern the
// same inputs: a guess, which may go another way before it comes there. True: `seed` has them, as vm_set_seeds wants them.
bool vm_guess(struct vm *vm, const struct state *state, struct path_condition *seed);
// Seeds are inputs that states follow first: each is an assignment, a path condition that consists of default values
// only. They must outlive the states.
void vm_set_seeds(struct vm *vm, const struct path_condition *seeds, uint32_t count);
// The state follows these seeds. It has just been started.
void vm_seed(struct vm *vm, struct state *state, const uint32_t *seeds, uint32_t count);
const struct symbolic_counters *vm_counters(const struct vm *vm);
// Goes on counting from there.
// Edges and functions that another machine has taken and entered count as known.
void vm_learn_coverage(struct vm *vm, const uint32_t *edges, uint32_t edge_count, const uint32_t *functions,
                       uint32_t function_count);
void vm_restore_counters(struct vm *vm, const struct symbolic_counters *counters);

// The term of what stands beside a register or a byte (state/slot.h); 0: it has none.
Term vm_slot_term(const struct vm *vm, uint32_t slot);
int vm_exit_status(const struct vm *vm);
const struct bug *vm_bug(const struct vm *vm);
struct sites *vm_sites(const struct vm *vm);
// All inputs of the run, by their numbers among the terms; NULL in a concrete run.
struct inputs *vm_inputs(struct vm *vm);
const struct ir_program *vm_program(const struct vm *vm);
const char *vm_event_text(const struct vm *vm, uint32_t number); // of state->events
// One byte per edge of the program: 1 once it has been taken by any state; likewise per function entered.
const uint8_t *vm_edges_seen(const struct vm *vm);
// 1 once it was taken where the choice depended on an input.
const uint8_t *vm_edges_decided(const struct vm *vm);
// Per block: how many pending states wait for the choice at its end, or went without its being decided.
const uint32_t *vm_put_off(const struct vm *vm);
const uint8_t *vm_functions_seen(const struct vm *vm);
// One byte per position of the program (from 1): 1 where a function has returned, or where a frame of a path stood when it was
// noted, unless some path had come further in that block.
const uint8_t *vm_positions_seen(const struct vm *vm);
// Notes where the frames of a path that has ended stand.
void vm_note_positions(struct vm *vm, struct state *state);
// The same as vm_positions_seen, and where the frames of all states stand.
void vm_live_positions(const struct vm *vm, uint8_t *positions);
// From here on `took` is called for every edge that the running state takes, in order; runs then end with
// VM_BUDGET at each of them. NULL: no more.
void vm_trace(struct vm *vm, void (*took)(void *context, uint32_t edge), void *context);

// Is the sink to be told of states at this mark (a line's number, or IR_MARK_ENTRY and a function)? At first
// all marks of lines are watched, and no entry.
void vm_watch(struct vm *vm, uint32_t mark, bool wanted);

// The arguments of the call that entered the `depth`-th frame from the top, as C would write them: `n=3,
// name="abc"`. Values that depend on inputs are those of the state's model. False when they are not known.
bool vm_add_arguments(struct text *to, struct vm *vm, const struct state *state, uint32_t depth);

// While the sink is told of the entry of a function: the state leaves it and begins at another one instead, with
// parameters that may be anything; pointers get objects when they are used. The program must have been loaded with
// types and marks of entries.
void vm_begin_at(struct vm *vm, const struct ir_function *function);
// Trials (trial.c): states of which it is not known whether the program can be in them, or that only try out a way. What
// they do is not counted as covered. A new one begins at the function, as with vm_begin_at, with the program's own global
// variables symbolic, too; `at_main` stands in the function that it takes the place of.
struct state *vm_begin_trial(struct vm *vm, struct state *at_main, const struct ir_function *function);
// Trials that run from here on take exactly these edges of the program's own source (state->guided counts), or stop: their
// path ends with VM_STOPPED. NULL: they go anywhere.
void vm_guide(struct vm *vm, const uint32_t *edges, uint32_t count);
// A trial that began at the program's start has taken these edges, and is a state like any other now.
void vm_end_trial(struct vm *vm, struct state *state, const uint32_t *edges, uint32_t count);

// The state, which stands between two runs, goes on without end: vm_bug says so. `instructions`: it made no progress in so many; 0: it
// has come back to a state that it was in.
void vm_report_hang(struct vm *vm, struct state *state, uint64_t instructions);

// While the sink is told of a mark: the run ends there, as if its budget were used up.
void vm_end_soon(struct vm *vm);

// The innermost call of a site that is in the program's own source; the site itself where none is.
uint32_t vm_user_site(const struct vm *vm, uint32_t site);

#endif
