// A state of the program under test, as a value: forking it copies nothing that is not written afterwards.
#ifndef TAMAR_STATE_H
#define TAMAR_STATE_H

#include "state/frames.h"
#include "state/heap.h"
#include "state/inputs.h"
#include "state/memory.h"
#include "state/slot.h"
#include "state/tasks.h"
#include "state/trail.h"

#define STACK_SIZE_DEFAULT ((uint64_t)64 << 20)

struct path_condition; // solver/path.h: owned by whoever runs the state
struct vm_environment; // vm/vm.h

// What was decided where a state was forked.
enum choice_class {
    CHOICE_NEW = 1,       // on a changed line, or about a value that comes from one
    CHOICE_DANGEROUS = 2, // whether an operation or an assertion fails
};

// The seeds that take this path, so far. Shared, never changed.
struct state_seeds {
    uint32_t references, count;
    uint32_t at[]; // numbers; the path condition's model is that of the first
};

// The objects that the program starts with (objects.h), from the highest address down. Shared, never changed once the
// program runs.
struct start_objects {
    uint32_t references, count;
    struct start_object {
        uint64_t start, size, identity;
        uint32_t kind; // enum object_kind
    } at[];
};
void start_objects_release(struct start_objects *list);

// The objects of the program (objects.h).
struct state_objects {
    struct start_objects *start; // NULL: none
    uint64_t made;               // the last identity that was given to one
};

// The threads and processes of the program. The running one's stack is in the state's frames.
struct state_threads {
    struct tasks *waiting;  // NULL: there never was another
    uint32_t task, process; // the running ones
    uint32_t last_task;     // the highest number given out
    uint64_t stack_limit;   // the stack of the running thread ends here
    uint64_t block;         // its thread-local variables
    uint64_t pointer;       // what the C library keeps there
};

// All that was decided on the way: with the program and its inputs it makes the state again (vm/choice.h).
struct history {
    struct trail decisions;
    uint32_t repeated; // words at their end that belong to the instruction at which the state stands
    uint32_t excluded; // of these, at the end: alternatives of the next choice that other states took
    struct trail kernel_choices;  // that were not the first possibility: which one (in order), what
    uint32_t kernel_choice_count; // all that were made
    struct trail events;          // what came of those choices: pairs of a text of the machine's and a site
};

// How the state began: with which command line, and where.
struct state_start {
    uint32_t environment;                // which of several command lines
    const struct vm_environment *around; // that one
    uint32_t function; // in which it began, index plus one, and its frame; 0: the program's entry
    uint32_t depth;
    bool is_guest; // it came in while the run was going on, to follow a seed
};

// The fork that made the state.
struct state_fork {
    uint32_t depth;    // forks on the way here
    uint8_t class;     // enum choice_class
    uint32_t location; // where lines have changed
};

// A condition that is to hold but has not been checked: the state is pending, and cannot run.
struct waiting {
    uint32_t condition; // 0: none, and then neither edge nor block
    uint32_t edge;      // that it takes then, plus 1; 0: none
    uint32_t block;     // that ends with the choice it waits for, plus 1; 0: another operation
    uint8_t effort;     // with which the condition was not decided before, plus one
};

struct state_seed {
    struct state_seeds *list; // that take this path, NULL: none
    bool follows;             // it takes what its model takes, and asks nothing on the way
};

struct new_coverage {
    // Edges of the program's own source that this path was the first to take, and functions that it was the first to enter
    // (their index behind the edges).
    struct trail fresh;
    uint32_t progress; // how many of the targets that stand in an order it has come by
};

// What the state does may be impossible in the program, or is tried out only: it counts for nothing. See vm_begin_trial.
struct speculation {
    bool is_on;
    struct trail edges; // of the program's own source, that were taken since it began at its function
    uint32_t taken;     // edges of the machine's guide; GUIDE_LEFT: it went another way
};

struct state {
    uint64_t number; // in the order of making
    const struct ir_program *program;
    struct memory memory;
    struct frames frames;
    struct state_objects objects;
    struct state_threads threads;
    uint64_t instructions;       // executed on this path
    struct path_condition *path; // NULL: none, the run is concrete
    struct history history;
    struct state_inputs inputs; // what has been made symbolic on this path
    uint32_t place;             // in the machine's list of states
    bool incomplete;            // something was given up on this path
    uint32_t survived;          // bugs after which the path went on
    struct state_start start;
    struct state_fork fork;
    struct waiting waiting;
    struct state_seed seed;
    struct new_coverage coverage;
    struct speculation speculation;
};
#define GUIDE_LEFT UINT32_MAX

// The state in which the program has been loaded: globals in place, an empty stack, no frame.
struct state *state_new(const struct ir_program *program, uint64_t stack_size);
// Whether the parts of a state fit each other, as they do between instructions and before the last choice of one.
bool state_is_sound(const struct state *state);
// Shares everything but the path condition, which the caller has to copy.
struct state *state_fork(const struct state *state, uint64_t number);
// The path condition must have been freed.
void state_free(struct state *state);
// Takes over a list of seeds in place of the state's own; 0: none.
void state_set_seeds(struct state *state, const uint32_t *seeds, uint32_t count);

// Makes a block of thread-local variables as a new thread finds them; 0 when it cannot be had.
uint64_t state_new_thread_block(struct state *state);

// Pushes a frame for the function, with room for its allocas on the program's stack, whose shadow is the
// caller's business (frame_shadow). NULL: the stack is exhausted, nothing has changed.
struct frame *state_enter(struct state *state, const struct ir_function *function);
// The same with a given stack pointer: how the first frame of a stack is made.
struct frame *state_enter_below(struct state *state, const struct ir_function *function, uint64_t entry);
// The shadow of a new frame's memory, frame_size bytes; `fresh` is that of its objects, 0 or SHADOW_UNINIT.
void frame_shadow(const struct ir_function *function, uint8_t fresh, uint8_t *shadow);
// A dynamic alloca in the top frame; 0 when the stack is exhausted. `site`: where.
uint64_t state_alloca(struct state *state, uint64_t size, uint64_t align, uint32_t site, uint8_t shadow);
// Whether the running thread has the stack that the program started with.
bool state_is_on_first_stack(const struct state *state);
// The newest alloca, on the first stack, has a symbolic size from `least` to the size that it was made with.
void state_bound_alloca(struct state *state, uint64_t address, uint64_t size, uint64_t least, uint32_t term);
// The largest size that a dynamic alloca in the top frame can have.
uint64_t state_alloca_room(const struct state *state, uint64_t align);
// Ends the dynamic allocas below this stack pointer.
void state_restore_stack(struct state *state, uint64_t stack_pointer);

#endif
