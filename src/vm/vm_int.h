// Private to the machine.
//
// The loop (interpret.h) exists twice, compiled from the same text: once for frames in which every register
// is concrete, which never looks at terms, and once for frames that hold terms. A frame changes over when the
// first term reaches one of its registers; vm_run passes from one loop to the other where frames of different
// kinds call or return. So concrete code pays nothing for the symbolic values that may be elsewhere.
//
// Memory is reached through two direct-mapped translation caches. An entry of `write` exists only for pages
// that the running state alone holds and may write. Whatever replaces pages outside the loop bumps
// memory.replaced; the machine compares it with `translated` and starts anew.
#ifndef TAMAR_VM_INT_H
#define TAMAR_VM_INT_H

#include "base/hash.h"
#include "base/run_limits.h"
#include "base/vec.h"
#include "ir/intrinsics.h"
#include "solver/solver.h"
#include "state/objects.h"
#include "state/slot.h"
#include "vm/novelty.h"
#include "vm/vm.h"

#define TRANSLATIONS NORMAL_OR_HOSTILE(4096u, 2u)

// An entry is good when its `page` is the address >> PAGE_BITS together with the machine's tag in the bits
// above: a new tag makes all entries bad at once.
struct translation {
    uint64_t page;
    uint8_t *bytes;
};
#define TAG_SHIFT (64 - PAGE_BITS)
#define TAG_COUNT (1u << PAGE_BITS)

// What a step outside the loop leaves behind.
enum step {
    STEP_NEXT,   // done: go on with the next instruction
    STEP_RELOAD, // frames have changed: go on where the top frame stands
    STEP_STOP,   // the run ends with vm->event
};

struct vm;
struct call;
typedef enum step builtin_function(struct vm *vm, struct call *call);

// Decisions that states take in place of their own (replay.h).
struct replay {
    const uint32_t *next;
    uint32_t count; // still to be taken
    enum {
        REPLAY_ON,      // then the state decides by itself
        REPLAY_STOP,    // then the state stops before the next decision
        REPLAY_PENDING, // the last one becomes a pending condition
        REPLAY_STOPPED, // either of these has happened
    } mode;
    bool is_cut; // they ended within a decision of several words
    // Of the running state, from its trail: made in the instruction that it repeats.
    vec(uint32_t) own;
    uint32_t own_read;
    bool is_ahead; // that instruction has not come to its first decision
};

// Translations of addresses, direct-mapped.
struct cache {
    uint64_t tag;      // of good ones, shifted
    uint64_t replaced; // memory.replaced when they were good
    struct translation read[TRANSLATIONS], write[TRANSLATIONS];
};

struct budget {
    uint64_t steps, steps_limit; // instructions of this run
    uint64_t work_limit;         // of the solver: where this run ends at the next edge
};

struct vm_coverage {
    uint8_t *edges, *functions; // 1: taken, entered by some state
    uint8_t *symbolic_edges;    // 1: taken where the choice depended on an input
    uint32_t *deferred;         // per block: pending states that wait at the choice at its end
    uint8_t *own_edges;         // 1: of the program's own source
    uint8_t *failing_blocks;    // 1: an assertion fails there
    uint8_t *positions;         // per position: a return that was executed, or where a path ended; [0] is set
    uint8_t *blocks_left;       // 1: an edge out of it was taken
    bool is_task;               // the program is a verification task (cover/assertions.h)
};

// Who is told of what the running state does.
struct watch {
    uint8_t *marks, *entries;                    // per mark of a line, per function; see vm_watch
    void (*trace)(void *context, uint32_t edge); // NULL: nobody wants to know
    void *trace_context;
    bool began;     // the sink has put the state into another function
    bool ends_soon; // the mark at which the state stands ends the run
};

struct outcome {
    enum vm_event event;
    int exit_status;
    struct bug bug;
};

// Of the instruction that is being executed.
struct instruction {
    uint32_t newness;   // SLOT_NEW when it stands on a changed line or has read a value that comes from one
    uint32_t location;  // of the line, where lines have changed
    bool dangerous;     // what it decides is
    uint32_t decisions; // of the state when it began
    bool passed;   // a check failed, and the path goes on: bytes that may not be accessed are, all the same
    bool is_block; // of bytes at a symbolic address or of symbolic length: never goes on
    bool is_asked_for; // whether the path goes on after a bug is asked for a state that has yet to run
};

// Edges that a speculative state is to take.
struct required {
    const uint32_t *edges; // NULL: it may go anywhere
    uint32_t count;
};

struct given_seeds {
    const struct path_condition *seeds;
    uint32_t seed_count;
};

struct kernel {
    vec(const char *) events; // texts of what it chose to do, in `texts`
    struct arena *texts;
    struct listing { // names in a folder, the last one that was asked for (host_files.h)
        struct text path;
        const struct vm_file *files; // symbolic files that were taken into account
        vec(char *) names;           // sorted
    } listing;
};

struct states {
    vec(struct state *) live; // every state with a path condition, for the collector of terms
    uint64_t next;            // number
    uint32_t epoch;
};

struct tables {
    uint8_t *intrinsics; // by function: enum ir_intrinsic; IR_INTRINSIC_COUNT: has a body, or is undefined
    uint8_t **frame_shadows; // by function: the shadow of its memory, NULL: not made yet
    uint8_t *taken[2]; // functions whose address is taken: anywhere, by the program; NULL: not known yet
    struct map constant_arrays; // of read-only objects: address and element size to array term
    struct map lazy_inputs;     // inputs that are pointers without an object: what they point to, plus one
};

// Ranges of addresses that belong to one object, and pointers with an origin (provenance.h).
#define RANGES       NORMAL_OR_HOSTILE(256u, 4u)
#define RANGES_KNOWN NORMAL_OR_HOSTILE(1024u, 2u)
struct object_range {
    uint64_t low, span; // the first address, and the distance to the last one
};
struct ranges {
    struct object_range at[RANGES];          // by instruction
    struct object_range known[RANGES_KNOWN]; // by address: those that hold in all states
    uint16_t passing[32];                    // those of `at` that hold until a frame ends
    uint32_t passing_count;
};
struct pointer {
    Term term;                // 0: concrete
    uint64_t start, identity; // of its object
};
struct pointers {
    vec(struct pointer) at;
    struct map index; // by hash
};

struct vm {
    const struct ir_program *program;
    struct vm_options options;
    struct state *state; // the one that runs
    struct budget budget;
    struct instruction instruction;
    struct outcome outcome;
    struct terms *terms;   // NULL: a concrete run
    struct inputs *inputs; // of the terms; NULL without them
    struct solver *solver;
    struct replay replay;
    struct required required;
    struct given_seeds given;
    struct novelty novelty;
    struct states states;
    struct vm_coverage coverage;
    struct watch watch;
    struct sites *sites;
    struct kernel kernel;
    struct tables tables;
    struct symbolic_counters counts;
    struct uninit *uninit; // NULL: in a concrete run without that check
    uint8_t fresh_shadow;  // of new stack and heap objects: SHADOW_UNINIT where `uninit` is not NULL
    struct ranges ranges;
    struct pointers pointers;
    struct cache cache;
};

static inline bool is_watched(const struct vm *vm, uint32_t mark) {
    assert(mark & IR_MARK_ENTRY || mark < vm->program->mark_count);
    return mark & IR_MARK_ENTRY ? vm->watch.entries[mark & ~IR_MARK_ENTRY] : vm->watch.marks[mark];
}

// A call of a builtin: its arguments as slots, and where results go.
struct call {
    const struct ir_insn *insn; // CALL or CALL_R
    uint32_t count;
    uint64_t *arguments; // IR_INTRINSIC_MOST_ARGUMENTS, the missing ones 0
    uint32_t *terms;     // of the arguments
    uint64_t result;
    uint32_t result_term;
};

// interpret.c
enum step interpret(struct vm *vm);

// steps.c: the operations that the loop leaves to functions.
enum step step_int(struct vm *vm, const struct ir_insn *insn);
enum step step_float(struct vm *vm, const struct ir_insn *insn);
enum step step_parts(struct vm *vm, const struct ir_insn *insn);
enum step step_memory(struct vm *vm, const struct ir_insn *insn);
enum step step_check(struct vm *vm, const struct ir_insn *insn);
enum step step_failed_check(struct vm *vm, const struct ir_insn *insn); // HOLDS whose bit is 0: reports it
enum step step_goto(struct vm *vm, const struct ir_insn *insn);
enum step step_end(struct vm *vm, const struct ir_insn *insn);
enum step step_mark(struct vm *vm, const struct ir_insn *insn);

// newness.c: values and choices of changed lines. An instruction that deals with symbolic values begins with
// begin_values; reading a slot adds its newness, writing one takes what has come together.
uint32_t newness_here(struct vm *vm);
static inline void begin_values(struct vm *vm) {
    vm->instruction.newness = LIKELY(!vm->options.changed) ? 0 : newness_here(vm);
    vm->instruction.dangerous = false;
}
static inline Term read_slot(struct vm *vm, uint32_t slot) {
    vm->instruction.newness |= slot & SLOT_NEW;
    return LIKELY(!(slot & SLOT_POINTER)) ? slot & ~(SLOT_NEW | SLOT_ARRAY) : vm_slot_term(vm, slot);
}
static inline uint32_t slot_of(const struct vm *vm, Term term) {
    assert(!(term & (SLOT_NEW | SLOT_ARRAY | SLOT_POINTER)));
    return term | vm->instruction.newness;
}

// symbolic.c: an instruction of which some operand is a term.
enum step step_symbolic(struct vm *vm, const struct ir_insn *insn);
// The value of a register as a term of this width; and back: a constant becomes concrete.
Term register_term(struct vm *vm, struct frame *frame, uint32_t index, unsigned width);
void set_register_term(struct vm *vm, struct frame *frame, uint32_t index, unsigned width, Term value);

// symbolic_memory.c
// Little-endian value of `size` addressable bytes; some may be symbolic.
Term load_term(struct vm *vm, uint64_t address, unsigned size);
void store_term(struct vm *vm, uint64_t address, Term value, unsigned size);
void store_byte(struct vm *vm, uint64_t address, Term byte); // the caller syncs the translations
// `owner`: the object that the pointer belongs to, NULL: not known.
enum step load_symbolic(struct vm *vm, Term address, unsigned size, const struct object *owner, Term *value);
enum step store_symbolic(struct vm *vm, Term address, Term value, unsigned size, const struct object *owner);
// Makes bytes symbolic: they become the input's bytes from `from` on.
void make_symbolic(struct vm *vm, uint64_t address, uint64_t size, uint32_t input, uint32_t from);

// symbolic_block.c: memcpy, memmove, memset with a symbolic operand.
enum step step_symbolic_block(struct vm *vm, const struct ir_insn *insn);
// What a block is written from: byte k is bytes[first + k].
struct block_source {
    Term *bytes;
    uint32_t count;
    Term first;    // 64 bits
    Term repeated; // not 0: every byte is this one instead
    Term array;    // of the bytes, made when an index is symbolic
};
void source_free(struct block_source *source);
// Writes `length` bytes (64 bits, may be symbolic) to the address: byte k under the condition k < length. Checks
// first that no length goes past the object.
enum step write_guarded(struct vm *vm, Term address, Term length, struct block_source *source);
// That check alone.
enum step check_guarded(struct vm *vm, Term address, Term length, bool write);

// uninit.c: only where vm->uninit is not NULL.
static inline bool uninit_is_checked(const struct vm *vm) {
    return check_wanted(vm->options.checks, CHECK_UNINIT);
}
struct uninit *uninit_new(void);
void uninit_free(struct uninit *uninit);
// The term of an accessible byte that was never written.
Term uninit_byte(struct vm *vm, uint64_t address);
// The same for all of an object at once: an array of elements of `size` bytes. 0: its bytes have to be read one by one.
Term uninit_array(struct vm *vm, const struct object *object, unsigned size);
// A byte outside of every object: what it holds natively is not known.
Term uninit_outside(struct vm *vm, uint64_t address);
// The value of a local variable in a register before the program sets it, of `size` bytes (at most 8).
Term uninit_register(struct vm *vm, unsigned size);
// Such bytes of the (accessible) range get their terms now, so that copies know where they come from.
void uninit_settle_bytes(struct vm *vm, uint64_t address, uint64_t size);
bool uninit_in(struct vm *vm, Term term);
// The term with zeros for uninitialised bytes; may be called when the check is off.
Term uninit_as_zero(struct vm *vm, Term term);
// The program's behaviour depends on this value: reports inputs for which it is not defined, and goes on with
// the others. Where that is not checked the value is that for zeros, and it is noted if it could be another. The term that
// is left depends on no uninitialised byte.
enum step uninit_use(struct vm *vm, Term *term, const char *what);
enum step uninit_use_bytes(struct vm *vm, uint64_t address, uint64_t size, const char *what);
static inline enum step use_value(struct vm *vm, Term *term, const char *what) {
    return LIKELY(!vm->uninit) ? STEP_NEXT : uninit_use(vm, term, what);
}

// leaks.c: is memory lost, now that the program ends? Reports it.
enum step report_leaks(struct vm *vm);

// builtins_host.c: the bytes of a file as an input of the running state.
uint32_t file_input(struct vm *vm, const struct vm_file *file);

// builtins_symbolic.c: an object of the running state, under a name that no other input of its path has.
uint32_t fresh_input(struct vm *vm, const char *name, uint32_t size);

// indirect.c: one path for each value that a symbolic pointer may have as what it is used as, and one for all others.
enum step fork_on_callee(struct vm *vm, Term term, uint64_t *value);
enum step fork_on_label(struct vm *vm, const struct ir_goto *targets, Term term, uint64_t *value);
enum step fork_on_block(struct vm *vm, Term term, uint64_t *value); // of the heap, that is freed

// lazy.c
// Makes an object of this type symbolic; its pointers get something to point to when they are used.
void lazy_fill(struct vm *vm, uint64_t address, uint32_t type, const char *name);
bool lazy_pointer(struct vm *vm, Term term, uint32_t *type); // an unused pointer, and what it points to
enum step lazy_resolve(struct vm *vm, Term pointer, uint32_t type, uint64_t *value);
enum step lazy_enter(struct vm *vm);

// trial.c
enum vm_event run_trial(struct vm *vm, uint64_t budget);
void note_trial_edge(struct vm *vm, struct state *state, uint32_t edge);
// Is the running state, which stands at a choice with this edge among others, to take a given one? GUIDE_LEFT: there is no
// further way.
bool guided_edge(const struct vm *vm, uint32_t some_edge, uint32_t *edge);

// fork.c
struct state *fork_state(struct vm *vm);
// The pending state waits for what is decided at the choice that this edge belongs to.
void note_put_off(struct vm *vm, struct state *state, uint32_t edge);
// Adds a condition that holds in the state. `model`: of the path condition with it; NULL: the one that it has, or that
// of a seed.
void assume_in(struct vm *vm, struct state *state, Term condition, struct model *model);
// A copy of the running state in which the condition, which its model does not satisfy, holds or is pending; nothing is
// added to its decisions. NULL: it cannot hold, or `unanswered` was noted. The running state must not have the negation yet.
// `now`: it is not made pending.
struct state *fork_otherwise(struct vm *vm, Term condition, const char *unanswered, bool now);
// Paths or values will not be explored, for this reason.
void vm_note_incomplete(struct vm *vm, const char *what);
// Every value becomes a path, for this reason: slower, but nothing is lost.
void vm_note_fallback(struct vm *vm, const char *what);
// An answer is missing because the run is over, not because the question was hard: nothing is decided then, and the state
// stays where it is (`return stay(vm)`), so that the run can be taken up again.
static inline bool run_is_over(const struct vm *vm) {
    (void)vm;
    return limits_over();
}
enum step stay(struct vm *vm);

// Checks and accesses take what the model has: nothing is asked.
static inline bool asks_nothing(const struct vm *vm) {
    return vm->options.relax_checks || vm->state->seed.follows;
}

// replay.c
// A run begins: a state that repeats an instruction takes what it decided there before.
void begin_repetition(struct vm *vm);
// An instruction that may decide something begins.
void begin_decisions(struct vm *vm);
// The state will repeat the instruction: what it has decided there is the end of its trail.
void repeat_instruction(const struct vm *vm, struct state *state);

// Bytes that an instruction reads or writes are charged to the budget of the run, so that it ends as soon as one of so many
// instructions.
#define BYTES_PER_INSTRUCTION 16u
static inline void vm_charge(struct vm *vm, uint64_t bytes) {
    vm->budget.steps_limit -= MIN(vm->budget.steps_limit, bytes / BYTES_PER_INSTRUCTION);
}

// provenance.c: ranges of objects on the stack no longer hold.
void forget_ranges(struct vm *vm);

// access.c
void forget_translations(struct vm *vm);
// Makes the translation for this address. False when it was there already, or cannot be had: the access is a
// slow one.
bool translate_read(struct vm *vm, uint64_t address);
bool translate_write(struct vm *vm, uint64_t address);
static inline void sync_translations(struct vm *vm) {
    if (vm->cache.replaced != vm->state->memory.replaced) forget_translations(vm);
}

// access.c: the slow path of a load or store of `size` bytes: page crossing, missing translation, shadow.
enum step slow_load(struct vm *vm, uint64_t address, uint64_t *value, unsigned size);
enum step slow_store(struct vm *vm, uint64_t address, uint64_t value, unsigned size);
// Is every byte of the range addressable (and, to write, not constant)? If not: reports it.
enum step check_access(struct vm *vm, uint64_t address, uint64_t size, bool write);
bool any_symbolic(struct vm *vm, uint64_t address, uint64_t size);
// Reports an access that is not inside an object, or goes past its symbolic size.
enum step report_outside(struct vm *vm, uint64_t address, uint64_t size, bool write);
// Any number of bytes, between the program's memory and ours, with all checks. Symbolic bytes get one value.
enum step read_bytes(struct vm *vm, uint64_t address, void *bytes, uint64_t size);
enum step write_bytes(struct vm *vm, uint64_t address, const void *bytes, uint64_t size);
enum step copy_bytes(struct vm *vm, uint64_t to, uint64_t from, uint64_t size);
enum step set_bytes(struct vm *vm, uint64_t to, uint8_t value, uint64_t size);
// A NUL-terminated string, appended to the text.
enum step read_string(struct vm *vm, uint64_t address, struct text *text);

// call.c
// A frame for the function with its memory; NULL: the stack is exhausted.
struct frame *enter_frame(struct vm *vm, const struct ir_function *function);
struct frame *enter_frame_below(struct vm *vm, const struct ir_function *function, uint64_t stack_pointer);
// Ends the top frame, and its memory.
void leave_frame(struct vm *vm);
// SCOPE_BEGIN and SCOPE_END in the top frame.
void step_scope(struct vm *vm, const struct ir_insn *insn);
// All locals of the top frame are in scope: which of them are is not known after a jump into it.
void open_scopes(struct vm *vm);
// The first time that any state takes this edge or enters this function.
__attribute__((cold, noinline)) void note_new_edge(struct vm *vm, struct state *state, uint32_t edge);
__attribute__((cold, noinline)) void note_new_position(struct vm *vm, struct state *state, uint32_t position);
// Where these frames of the state stand.
void note_frames(struct vm *vm, struct state *state, const struct frames *frames);
void note_new_function(struct vm *vm, const struct ir_function *function);

enum step enter_function(struct vm *vm, const struct ir_function *callee, const struct ir_insn *insn);
enum step leave_function(struct vm *vm);
enum step call_builtin(struct vm *vm, const struct ir_function *callee, const struct ir_insn *insn);
enum step bad_call(struct vm *vm, uint64_t address);
void resolve_intrinsics(struct vm *vm);

// native_call.c
#define NATIVE_ARGUMENTS 14 // six in integer registers, eight in others
// Calls a function without a body in a process of its own. What its pointers point to is there at the same
// addresses, and comes back. Where that cannot be: ends the path with the reason.
enum step native_call(struct vm *vm, const struct ir_function *callee, const uint64_t *arguments,
                      uint64_t *result);

// builtins_*.c: one function for each row of runtime/boundary.h.
#define INTRINSIC(name, count, symbolic, flow) builtin_function builtin_##name;
INTRINSIC_TABLE(INTRINSIC)
#undef INTRINSIC

// report.c: each fills vm->bug, sets the event and returns STEP_STOP.
// Reports a bug of the running state. STEP_STOP: its path ends. STEP_NEXT: the path goes on, and the caller does what the machine
// would do.
enum step report(struct vm *vm, enum bug_kind kind, const char *message, ...) PRINTF(3, 4);
// The same in two parts, to add details in between.
struct bug *report_begin(struct vm *vm, enum bug_kind kind, const char *message, ...) PRINTF(3, 4);
enum step report_end(struct vm *vm);
// The object in words: "the local variable `x` of 4 bytes of main at FILE:LINE".
void describe_object(const struct vm *vm, const struct object *object, struct text *text);
// "12 bytes after the end of", of an address relative to an object.
void say_where(struct text *text, uint64_t address, uint64_t start, uint64_t size);
enum step report_access(struct vm *vm, uint64_t address, uint64_t size, bool write);
// A division that fails: which way follows from the concrete operands.
enum step report_division(struct vm *vm, const struct ir_insn *insn);
enum step report_zero_divisor(struct vm *vm, bool remainder);
enum step report_quotient(struct vm *vm, bool remainder); // the smallest number by -1
enum step report_label(struct vm *vm,
                       uint64_t address);               // of a computed goto, which is none of the function's
enum step report_free(struct vm *vm, uint64_t address); // of what is no live block of the heap
enum step report_not_modelled(struct vm *vm, const char *what);
// The call stack of the running state down to its current instruction, as a site.
uint32_t current_site(struct vm *vm);
// The same of other frames.
uint32_t site_of_frames(struct vm *vm, const struct frames *frames);
// The lines of a call stack, for details of a bug. Of the library only the functions that the program called are shown.
void stack_print(struct text *text, const struct vm *vm, uint32_t site);
#endif
