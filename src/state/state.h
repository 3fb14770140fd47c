// A state of the program under test, as a value. Forks share everything; data is copied when it is written.
#ifndef TAMAR_STATE_H
#define TAMAR_STATE_H

#include "state/frames.h"
#include "state/heap.h"
#include "state/inputs.h"
#include "state/memory.h"
#include "state/printed.h"
#include "state/shared_list.h"
#include "state/tagged_term.h"
#include "state/tasks.h"

#define STACK_SIZE_DEFAULT ((uint64_t)64 << 20)

struct path_condition;  // solver/path.h; owned by the caller that runs the state
struct vm_start_config; // vm/vm.h

// Classes of the decision at which a state was forked.
enum choice_class {
    CHOICE_CHANGED = 1,   // change taint: on a changed line, or about a value computed from one
    CHOICE_DANGEROUS = 2, // whether an operation or an assertion fails
    CHOICE_TOWARD = 4,    // the state's side of the branch begins with code on a changed line
};

// The seeds that take this path so far. Shared and immutable.
struct state_seeds {
    uint32_t references, count;
    uint32_t at[]; // numbers of the seeds; the path condition's model is the first one's
};

// The objects that the program starts with and those at addresses that it chose (objects.h), from the highest address
// down. Shared, and immutable once the program runs.
struct start_objects {
    uint32_t references, count;
    struct start_object {
        uint64_t start, size, identity;
        uint32_t kind; // enum object_kind
    } at[];
};
void objects_release_start(struct start_objects *list);

// The objects of the program (objects.h).
struct state_objects {
    struct start_objects *start; // NULL: none
    uint64_t made;               // identity given to the last object made
};

// The threads and processes of the program. The running one's stack is in the state's frames.
struct state_threads {
    struct tasks *waiting;  // NULL: there has never been another task
    uint32_t task, process; // numbers of the running ones
    uint32_t last_task;     // highest number given out
    uint64_t stack_limit;   // lowest address of the running thread's stack
    uint64_t context_end;   // end of the running stack, if it is memory of the program (makecontext); else 0
    uint64_t block;         // address of the running thread's thread-local variables
    uint64_t pointer;       // thread pointer of the running thread, set by the C library
};

// All decisions of the path. Together with the program and its inputs they determine the state (vm/choice.h).
struct history {
    struct shared_list decisions;
    uint32_t repeated; // last words of `decisions` that belong to the current instruction
    uint32_t excluded; // last words of `decisions`: alternatives of the next decision that other states took
    struct shared_list kernel_choices; // pairs of index and alternative; first alternatives are left out
    uint32_t kernel_choice_count; // number of all kernel choices, including those of the first alternative
    struct shared_list events;    // effects of kernel choices: pairs of a text of the VM and a site
};

// The initial configuration and entry point of the state.
struct state_start {
    uint32_t environment;                 // index of the start configuration (command line, files)
    const struct vm_start_config *around; // the start configuration of that index
    uint32_t function;                    // start function (index plus 1); 0: the program's entry
    uint32_t depth;                       // depth of the start function's frame
    bool is_late_seed;                    // follows, or was forked from, a seed that was added during the run
};

// The fork that made the state.
struct state_fork {
    uint32_t depth;    // number of forks on the path
    uint8_t class;     // enum choice_class
    uint32_t location; // source location of the branch
};

// Unchecked condition of a pending state, which cannot run before the check.
struct waiting {
    uint32_t condition; // 0: not pending; the other fields are then 0, too
    uint32_t edge;      // edge taken if the condition holds, plus 1; 0: none
    uint32_t block;     // block that ends with the deferred branch, plus 1; 0: another operation
    uint8_t effort;     // effort at which the last check gave no answer, plus 1; 0: not checked yet
};

struct state_seed {
    struct state_seeds *list; // seeds that take this path; NULL: none
    bool follows;             // takes the side of its model at each branch, without queries
};

struct new_coverage {
    // Items of user code (edges, functions, positions; numbered as in cover/cover.h) that this path was the
    // first to cover.
    struct shared_list fresh;
    uint32_t progress; // number of ordered targets that the path has visited
};

// Speculative state: may be infeasible in the program, and counts neither for coverage nor for bugs. See
// vm_start_speculative.
struct speculation {
    bool is_on;
    struct shared_list edges; // edges of user code taken since the start function
    // Number of required edges (vm_require_edges) taken. REQUIRED_NONE: the state took another edge.
    uint32_t taken;
};

// Reports of the path (incompleteness, survived bugs) since its last decision. `count`: reports since decision number
// `at`. `counted`: how many of the first reports since decision number `counted_at` have already been counted, by the
// exploration that the state comes from (another worker, an interrupted run).
struct state_reports {
    uint32_t at, count;
    uint32_t counted_at, counted;
};

struct state {
    uint64_t number; // in creation order
    const struct ir_program *program;
    struct memory memory;
    struct frames frames;
    struct state_objects objects;
    struct state_threads threads;
    uint64_t instructions;       // executed on this path
    struct path_condition *path; // NULL: none, the run is concrete
    struct history history;
    struct state_inputs inputs; // inputs made symbolic on this path
    struct printed printed;     // output of the path
    // Terms of width 1 that the test of the path should satisfy if it can, the most important first.
    struct shared_list preferences;
    bool forks_off;      // klee_set_forking(0)
    uint32_t live_index; // index in the VM's list of states
    bool incomplete;     // alternatives or values were skipped on this path
    uint32_t survived;   // bugs after which the path continued
    struct state_reports reports;
    struct state_start start;
    struct state_fork fork;
    struct waiting waiting;
    struct state_seed seed;
    struct new_coverage coverage;
    struct speculation speculation;
};
#define REQUIRED_NONE UINT32_MAX

// Returns the state after loading: globals in place, an empty stack, no frame.
struct state *state_new(const struct ir_program *program, uint64_t stack_size);
// Whether the parts of a state are consistent. Holds between instructions, and within an instruction until its
// last decision (vm/choice.h, 4).
bool state_is_sound(const struct state *state);
// Returns a copy that shares everything but the path condition, which the caller must copy.
struct state *state_fork(const struct state *state, uint64_t number);
// The caller must have freed the path condition.
void state_free(struct state *state);
// Replaces the state's list of seeds; count 0: none.
void state_set_seeds(struct state *state, const uint32_t *seeds, uint32_t count);

// Counts a report of the path. Returns false if the exploration that the state comes from has counted it.
bool state_reports_add(struct state *state);
// Returns the number of reports since the last decision, including those that were counted elsewhere.
uint32_t state_reports_count(const struct state *state);
// The first `count` reports after so many decisions were counted elsewhere.
void state_reports_restore(struct state *state, uint32_t decisions, uint32_t count);

// Makes a block of initialised thread-local variables for a new thread; returns 0 if it does not fit.
uint64_t state_new_thread_block(struct state *state);

// Pushes a frame for the function, with memory for its allocas on the program's stack; the caller sets its
// shadow (frame_shadow). Returns NULL if the stack is exhausted; nothing has then changed.
struct frame *state_enter(struct state *state, const struct ir_function *function);
// Like state_enter, with a given stack pointer: makes the first frame of a stack.
struct frame *state_enter_below(struct state *state, const struct ir_function *function, uint64_t entry);
// Writes the shadow of a new frame's memory, frame_size bytes. `fresh`: initial shadow of its objects, 0 or
// SHADOW_UNINIT.
void frame_shadow(const struct ir_function *function, uint8_t fresh, uint8_t *shadow);
// Makes a dynamic alloca in the top frame; returns 0 if the stack is exhausted. `site`: its call site.
uint64_t state_alloca(struct state *state, uint64_t size, uint64_t align, uint32_t site, uint8_t shadow);
// Whether the running thread uses the program's initial stack.
bool state_is_on_first_stack(const struct state *state);
// Gives the newest alloca, which must be on the initial stack, a symbolic size from `least` to `size`.
void state_bound_alloca(struct state *state, uint64_t address, uint64_t size, uint64_t least, uint32_t term);
// Returns the largest possible size of a dynamic alloca in the top frame.
uint64_t state_alloca_room(const struct state *state, uint64_t align);
// Ends the dynamic allocas below this stack pointer.
void state_restore_stack(struct state *state, uint64_t stack_pointer);

#endif
