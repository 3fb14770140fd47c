// Private to the VM.
//
// The loop (interpret_loop.h) is compiled twice from the same text: once for frames in which every register is
// concrete, which never looks at terms, and once for frames that hold terms. A frame switches to the second loop when
// the first term reaches one of its registers. vm_interpret() switches between the loops when frames of different kinds
// call each other or return. So concrete code pays nothing for symbolic values elsewhere.
//
// Memory is reached through two direct-mapped translation caches. An entry of `write` exists only for pages
// that only the running state refers to and that it may write. Code outside the loop that replaces pages increments
// memory.replaced; if it differs from cache.replaced, all entries are dropped.
#ifndef TAMAR_VM_INT_H
#define TAMAR_VM_INT_H

#include "base/hash.h"
#include "base/run_limits.h"
#include "base/vec.h"
#include "ir/intrinsics.h"
#include "solver/solver.h"
#include "state/objects.h"
#include "state/tagged_term.h"
#include "vm/novelty.h"
#include "vm/vm.h"

#define TRANSLATIONS NORMAL_OR_HOSTILE(4096u, 2u)

// An entry is valid when its `page` is the address >> PAGE_BITS with cache.tag in the bits above. A new tag invalidates
// all entries at once.
struct translation {
    uint64_t page;
    uint8_t *bytes;
};
#define TAG_SHIFT (64 - PAGE_BITS)
#define TAG_COUNT (1u << PAGE_BITS)

// The result of a step outside the loop.
enum step {
    STEP_NEXT,   // done: continue with the next instruction
    STEP_RELOAD, // frames have changed: continue at the top frame's `instruction`
    STEP_STOP,   // the run ends with vm->outcome.event
};

struct vm;
struct call;
typedef enum step builtin_function(struct vm *vm, struct call *call);

// Recorded decisions that the running state takes (replay.h).
struct replay {
    const uint32_t *next;
    uint32_t count; // words still to be taken
    enum {
        REPLAY_ON,      // afterwards the state makes its own decisions
        REPLAY_STOP,    // afterwards the state stops before the next decision
        REPLAY_PENDING, // the last decision becomes a pending condition
        REPLAY_STOPPED, // the state has stopped, in mode STOP or PENDING
    } mode;
    bool is_cut;    // the words ended within a decision of several words
    double used_up; // processor time at which the last word was taken; 0: none was
    // Decisions of the running state, from its own history, in the instruction that it re-executes.
    vec(uint32_t) own;
    uint32_t own_read;
    bool is_ahead; // the state has not yet come to the first decision of the re-executed instruction
};

// Translations of addresses, direct-mapped.
struct translation_cache {
    uint64_t tag;      // the tag of valid entries, shifted
    uint64_t replaced; // memory.replaced when the entries were made
    struct translation read[TRANSLATIONS], write[TRANSLATIONS];
};

struct step_budget {
    uint64_t steps, steps_limit; // instructions executed in this run, and their limit
    uint64_t work_limit;         // solver work (solver_work) at which this run ends at the next edge
};

struct vm_coverage {
    uint8_t *edges, *functions; // 1: taken, entered by some state
    uint8_t *symbolic_edges;    // 1: taken at a branch that depended on an input
    uint32_t *deferred;         // per block: pending states that wait for the branch at its end
    uint8_t *user_edges;        // 1: an edge of user code
    uint8_t *failing_blocks;    // 1: an assertion fails there
    uint8_t *positions;         // per position, 1: a return was executed or a path ended there; [0] is 1
    uint8_t *blocks_left;       // per block, 1: an edge out of it was taken
    bool is_task;               // the program is a verification task (cover/assertions.h)
};

// Marks and edges of the running state that are reported.
struct watch {
    uint8_t *marks, *entries; // 1: enabled; per mark of a line, per function (vm_enable_mark)
    void (*trace)(void *context, uint32_t edge); // called for each edge; NULL: no tracing
    void (*chose)(void *context, const struct vm_decision *decision); // for each other decision; may be NULL
    void *trace_context;
    bool began;     // the sink has made the state begin at another function (vm_begin_at)
    bool ends_soon; // the run ends at the current mark (vm_request_stop)
};

struct outcome {
    enum vm_event event;
    int exit_status;
    struct bug bug;
};

// The instruction that is being executed.
struct instruction {
    uint32_t change_taint; // SLOT_CHANGED if the instruction is on a changed line or has read a tainted value
    uint32_t location;     // source location, set only if lines have changed
    bool dangerous;        // its decision is whether an operation fails (CHOICE_DANGEROUS)
    uint32_t decisions;    // number of words in the decision history when it began
    bool passed;   // a check failed and the path continues: inaccessible bytes are accessed all the same
    bool is_block; // a block operation with symbolic address or length: never continues after a failed check
    // The running state was just forked for the failing side of a check (report_failing). If its path continues after
    // the bug, nothing is reported now: the state reports the bug when it executes the instruction again.
    bool is_asked_for;
};

// Edges that a speculative state must take.
struct required {
    const uint32_t *edges; // NULL: none are required
    uint32_t count;
};

struct given_seeds {
    const struct path_condition *seeds;
    uint32_t seed_count;
};

struct kernel {
    vec(const char *) events; // descriptions of kernel choices, allocated in `texts`
    struct arena *texts;
    struct dir_cache { // cache: names in the folder that was listed last (host_files.h)
        struct text path;
        const struct vm_file *files; // symbolic files that the names include
        vec(char *) names;           // sorted
    } dir_cache;
};

struct states {
    vec(struct state *) live; // every state with a path condition, for the collector of terms
    uint64_t next;            // number of the next new state
    uint32_t epoch;
};

// A window of a read-only object as an array of elements; the content is the same in all states.
struct constant_array {
    uint64_t start, low, high; // the key: the object, the first and the last offset,
    uint32_t size;             // and the size of an element
    Term array;
};

struct tables {
    uint8_t *intrinsics; // by function: enum ir_intrinsic; IR_INTRINSIC_COUNT: has a body, or is undefined
    uint8_t **frame_shadows; // by function: the shadow of its memory, NULL: not made yet
    // Per function: its address is taken [0] anywhere, [1] in user code. NULL: not computed yet.
    uint8_t *taken[2];
    struct constant_arrays { // content of read-only objects as array terms
        vec(struct constant_array) at;
        struct map index; // hash of the key to the position in `at` plus one; colliding keys are adjacent
    } constant_arrays;
    struct map lazy_inputs; // inputs that are unused lazy pointers, to their target type plus one
};

// Address ranges, each of one object, and pointers with an origin (provenance.h).
#define RANGES       NORMAL_OR_HOSTILE(256u, 4u)
#define RANGES_KNOWN NORMAL_OR_HOSTILE(1024u, 2u)
struct object_range {
    uint64_t low, span; // the first address, and the distance to the last one
};
struct object_ranges {
    struct object_range at[RANGES];          // by instruction
    struct object_range known[RANGES_KNOWN]; // by address: ranges that are valid in all states
    uint16_t passing[32]; // indices of ranges in `at` that are valid until the frame of their object ends
    uint32_t passing_count;
    uint64_t lowest; // no range of `passing` begins below it; 0: all of them are dropped when any frame ends
};
struct pointer {
    Term term;                // 0: concrete
    uint64_t start, identity; // start and identity of its object
    Term base;                // see provenance.h
};
struct pointers {
    vec(struct pointer) at;
    struct map index; // by hash
};

struct vm {
    const struct ir_program *program;
    struct vm_options options;
    struct state *state; // the running state
    struct step_budget budget;
    struct instruction instruction;
    struct outcome outcome;
    struct terms *terms;   // NULL: a concrete run
    struct inputs *inputs; // inputs of the terms; NULL in a concrete run
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
    struct uninit *uninit;  // NULL in a concrete run without the check UNINIT
    uint8_t initial_shadow; // shadow of new stack and heap objects: SHADOW_UNINIT where `uninit` is not NULL
    struct object_ranges ranges;
    struct pointers pointers;
    struct translation_cache cache;
};

static inline bool vm_is_watched(const struct vm *vm, uint32_t mark) {
    assert(mark & IR_MARK_ENTRY || mark < vm->program->mark_count);
    return mark & IR_MARK_ENTRY ? vm->watch.entries[mark & ~IR_MARK_ENTRY] : vm->watch.marks[mark];
}

// A call of a builtin: its arguments and its result.
struct call {
    const struct ir_insn *insn; // CALL or CALL_R
    uint32_t count;
    const uint32_t *entries; // of the arguments: registers, or constants of the caller
    uint64_t *arguments;     // IR_INTRINSIC_MOST_ARGUMENTS of them; missing ones are 0
    uint32_t *terms;         // terms of the arguments
    uint64_t result;
    uint32_t result_term;
};

// interpret.c
enum step vm_interpret(struct vm *vm);

// steps.c: the operations that the loop leaves to functions.
enum step step_int(struct vm *vm, const struct ir_insn *insn);
enum step step_float(struct vm *vm, const struct ir_insn *insn);
enum step step_parts(struct vm *vm, const struct ir_insn *insn);
enum step step_memory(struct vm *vm, const struct ir_insn *insn);
enum step step_check(struct vm *vm, const struct ir_insn *insn);
enum step step_same_object(struct vm *vm, const struct ir_insn *insn);
// CHECK_SAME_OBJECT of symbolic pointers: forks on their values, then checks.
enum step vm_decide_same_object(struct vm *vm, struct frame *frame, const struct ir_insn *insn);
enum step step_failed_check(struct vm *vm, const struct ir_insn *insn); // HOLDS whose bit is 0: reports it
enum step step_goto(struct vm *vm, const struct ir_insn *insn);
enum step step_end(struct vm *vm, const struct ir_insn *insn);
enum step step_mark(struct vm *vm, const struct ir_insn *insn);

// change_taint.c: change taint of values computed on changed lines or from such values. An instruction with symbolic
// operands begins with vm_begin_values. Reading a slot adds its taint to the instruction's taint; writing a slot stores
// the instruction's taint in it.
uint32_t vm_change_taint(struct vm *vm);
// Sets the class of a forked state that has moved to its block, if code there has changed.
void vm_note_change_ahead(struct vm *vm, struct state *state, bool is_case);
static inline void vm_begin_values(struct vm *vm) {
    vm->instruction.change_taint = LIKELY(!vm->options.changed) ? 0 : vm_change_taint(vm);
    vm->instruction.dangerous = false;
}
static inline Term vm_read_slot(struct vm *vm, uint32_t slot) {
    vm->instruction.change_taint |= slot & SLOT_CHANGED;
    return LIKELY(!(slot & SLOT_POINTER)) ? slot & ~(SLOT_CHANGED | SLOT_ARRAY) : vm_slot_term(vm, slot);
}
static inline uint32_t vm_slot_of(const struct vm *vm, Term term) {
    assert(!(term & (SLOT_CHANGED | SLOT_ARRAY | SLOT_POINTER)));
    return term | vm->instruction.change_taint;
}

// symbolic.c: executes an instruction that has a term among its operands.
enum step step_symbolic(struct vm *vm, const struct ir_insn *insn);
// Get a register as a term of this width, and set one; a constant term makes the register concrete.
Term vm_register_term(struct vm *vm, struct frame *frame, uint32_t index, unsigned width);
void vm_set_register_term(struct vm *vm, struct frame *frame, uint32_t index, unsigned width, Term value);

// symbolic_memory.c
// Loads the little-endian value of `size` addressable bytes, of which some may be symbolic.
Term vm_load_term(struct vm *vm, uint64_t address, unsigned size);
void vm_store_term(struct vm *vm, uint64_t address, Term value, unsigned size);
void vm_store_byte(struct vm *vm, uint64_t address, Term byte); // the caller syncs the translations
// The object that the pointer of an access belongs to. NULL, 0: not known.
struct access_owner {
    const struct object *object;
    Term base; // a pointer into the object, which depends on its value (provenance.h)
};
enum step vm_load_symbolic(struct vm *vm, Term address, unsigned size, struct access_owner owner,
                           Term *value);
enum step vm_store_symbolic(struct vm *vm, Term address, Term value, unsigned size,
                            struct access_owner owner);
// Makes bytes symbolic: they become the bytes of the input from index `from`.
void vm_make_symbolic(struct vm *vm, uint64_t address, uint64_t size, uint32_t input, uint32_t from);

// symbolic_block.c: memcpy, memmove, memset with a symbolic operand.
enum step step_symbolic_block(struct vm *vm, const struct ir_insn *insn);
// The source of a block write: byte k is bytes[first + k].
struct block_source {
    Term *bytes;
    uint32_t count;
    Term first;    // 64 bits
    Term repeated; // not 0: every byte is this term instead
    Term array;    // array of the bytes, made when an index is symbolic
    // A block that may be long has no list of bytes: it lies in this object, between `low` and `high`, and `first` is
    // its offset.
    bool is_long;
    struct object object;
    uint64_t low, high;
};
void vm_source_free(struct block_source *source);
// Writes `length` bytes (a 64-bit term) to the address: byte k under the condition k < length. First checks that no
// length goes past the object.
enum step vm_write_guarded(struct vm *vm, Term address, Term length, struct block_source *source);
// Copies a concrete block, whose accesses were checked, if much of its source is held in an object's array. Returns
// false if nothing was copied.
bool vm_splice_copy(struct vm *vm, uint64_t to, uint64_t from, uint64_t size);
// Checks that a buffer that is an argument of an intrinsic starts in the object that its pointer was made from. The
// access checks its end. length 0: the buffer has `size` bytes.
enum step vm_check_buffer(struct vm *vm, const struct call *call, unsigned argument, Term length,
                          uint64_t size, bool write);
// Makes only the check of vm_write_guarded.
enum step vm_check_guarded(struct vm *vm, Term address, Term length, bool write);

// uninit.c. Called only if vm->uninit is not NULL, unless a comment says otherwise.
static inline bool uninit_is_checked(const struct vm *vm) {
    return check_wanted(vm->options.checks, CHECK_UNINIT);
}
struct uninit *uninit_new(void);
void uninit_free(struct uninit *uninit);
// Returns the term of an accessible byte that was never written.
Term uninit_byte(struct vm *vm, uint64_t address);
// Returns an array for a whole object that was never written, of elements of `size` bytes. 0: its bytes must be read
// one by one.
Term uninit_array(struct vm *vm, const struct object *object, unsigned size);
// Returns the term of a byte outside of every object: its native value is not known. vm->uninit may be NULL.
Term uninit_outside(struct vm *vm, uint64_t address);
// Returns the value of `size` bytes (at most 8) of a local variable in a register that the program has not set.
Term uninit_register(struct vm *vm, unsigned size);
// Makes terms for the bytes of the range that were never written, so that copies keep their origin. The range must be
// accessible.
void uninit_resolve_bytes(struct vm *vm, uint64_t address, uint64_t size);
bool uninit_in(struct vm *vm, Term term);
// Returns the term with zeros for uninitialised bytes. vm->uninit may be NULL.
Term uninit_as_zero(struct vm *vm, Term term);
// Called where the program's behaviour depends on the value. With the check UNINIT, reports inputs for which the value
// is not defined, and continues with the others. Without it, takes the value for zeros, and reports incompleteness if
// another value is possible. The resulting term depends on no uninitialised byte.
enum step uninit_use(struct vm *vm, Term *term, const char *what);
enum step uninit_use_bytes(struct vm *vm, uint64_t address, uint64_t size, const char *what);
static inline enum step uninit_use_value(struct vm *vm, Term *term, const char *what) {
    return LIKELY(!vm->uninit) ? STEP_NEXT : uninit_use(vm, term, what);
}

// leaks.c: reports memory that is lost when the program ends.
enum step vm_report_leaks(struct vm *vm);

// builtins_host.c: returns the number of the input for the bytes of a file in the running state.
uint32_t vm_file_input(struct vm *vm, const struct vm_file *file);

// builtins_symbolic.c: returns the number of a new input for an object, under a name that is unique on the path.
uint32_t vm_unique_input(struct vm *vm, const char *name, uint32_t size);

// indirect.c: fork on a symbolic pointer: one path for each valid function, label or block, and one path, a bug, for
// all other values.
enum step fork_on_callee(struct vm *vm, Term term, uint64_t *value);
enum step fork_on_label(struct vm *vm, const struct ir_goto *targets, Term term, uint64_t *value);
enum step fork_on_block(struct vm *vm, Term term, uint64_t *value); // heap block to be freed

// lazy.c
// Makes an object of this type symbolic; its pointers get objects on first use.
void lazy_fill(struct vm *vm, uint64_t address, uint32_t type, const char *name);
// Whether the term is an unused lazy pointer. *type: the type that it points to.
bool lazy_pointer(struct vm *vm, Term term, uint32_t *type);
enum step lazy_resolve(struct vm *vm, Term pointer, uint32_t type, uint64_t *value);
enum step lazy_enter(struct vm *vm);

// speculative.c
enum vm_event vm_run_speculative(struct vm *vm, uint64_t budget);
void vm_note_speculative_edge(struct vm *vm, struct state *state, uint32_t edge);
// Returns true if the running state must take a required edge at the branch that has `some_edge`. *edge is then that
// edge. REQUIRED_NONE: the state has taken all required edges, or another edge, and must stop.
bool vm_required_edge(const struct vm *vm, uint32_t some_edge, uint32_t *edge);

// fork.c, pending.c
struct state *vm_fork_state(struct vm *vm);
// Records that the pending state waits for the branch that this edge belongs to.
void vm_note_deferred(struct vm *vm, struct state *state, uint32_t edge);
// Adds a condition to the state's path condition. `model`: a model of the result; NULL: the state's current model or
// the model of one of its seeds satisfies the condition.
void vm_assume_in(struct vm *vm, struct state *state, Term condition, struct model *model);
// Returns whether all seeds that the running state follows satisfy the condition.
bool vm_seeds_agree(struct vm *vm, Term condition);
// Forks off a state in which the condition, which the running state's model does not satisfy, holds or is pending.
// Nothing is added to the new state's decisions. Returns NULL if the condition is infeasible, if `unanswered` was
// reported, and in single-path mode. The negation must not be in the running state's path condition yet. `now`: the
// state is not made pending.
struct state *vm_fork_other_side(struct vm *vm, Term condition, const char *unanswered, bool now,
                                 enum answer *answer);
// Copies the values of the bytes of the state's inputs from one assignment to another.
void vm_copy_values(struct vm *vm, const struct state *state, const struct path_condition *from,
                    struct path_condition *to);
// Reports that paths or values will not be explored, for this reason.
void vm_note_incomplete(struct vm *vm, const char *what);
// Reports a fallback: for this reason the path forks on every value. Slower, but nothing is lost.
void vm_note_fallback(struct vm *vm, const char *what);
// Whether the run is over, so that an unknown answer of the solver means nothing. Callers then `return
// vm_retry_later(vm)`: a resumed run retries the instruction.
static inline bool vm_run_is_over(const struct vm *vm) {
    (void)vm;
    return limits_over();
}
enum step vm_retry_later(struct vm *vm);

// Whether checks and accesses take the model's values, without queries.
static inline bool vm_asks_nothing(const struct vm *vm) {
    return vm->options.relax_checks || vm->state->seed.follows;
}

// replay.c
// Called at the start of a run: a state that re-executes an instruction takes the decisions that it made there before.
void replay_begin_retry(struct vm *vm);
// Forgets the decisions of an instruction that would be re-executed: no instruction is running.
void replay_end_retry(struct vm *vm);
// Called at the start of an instruction that may make decisions.
void replay_begin_decisions(struct vm *vm);
// Marks the state as one that will re-execute the instruction: its decisions there are the end of its history.
void replay_retry_instruction(const struct vm *vm, struct state *state);

// Charges the bytes that an instruction reads or writes against the budget of the run: BYTES_PER_INSTRUCTION bytes
// count as one instruction.
#define BYTES_PER_INSTRUCTION 16u
static inline void vm_charge(struct vm *vm, uint64_t bytes) {
    vm->budget.steps_limit -= MIN(vm->budget.steps_limit, bytes / BYTES_PER_INSTRUCTION);
}

// provenance.c: drops all ranges that are not valid in every state.
void provenance_forget_ranges(struct vm *vm);
// Called when a frame below the address ends: drops the ranges of its objects.
void provenance_forget_ranges_below(struct vm *vm, uint64_t address);

// access.c
void vm_forget_translations(struct vm *vm);
// Makes the translation for this address. Returns false if it existed already or is not possible: the access then takes
// the slow path.
bool vm_translate_read(struct vm *vm, uint64_t address);
bool vm_translate_write(struct vm *vm, uint64_t address);
static inline void vm_sync_translations(struct vm *vm) {
    if (vm->cache.replaced != vm->state->memory.replaced) vm_forget_translations(vm);
}

// access.c: the slow path of a load or store of `size` bytes: page crossing, missing translation, shadow.
enum step vm_slow_load(struct vm *vm, uint64_t address, uint64_t *value, unsigned size);
enum step vm_slow_store(struct vm *vm, uint64_t address, uint64_t value, unsigned size);
// Checks that every byte of the range is addressable and, for a write, not constant. Otherwise reports a bug.
enum step vm_check_access(struct vm *vm, uint64_t address, uint64_t size, bool write);
bool vm_any_symbolic(struct vm *vm, uint64_t address, uint64_t size);
// Reports an access that is not inside an object, or goes past its symbolic size.
enum step vm_report_outside(struct vm *vm, uint64_t address, uint64_t size, bool write);
// Copies bytes between the program's memory and Tamar's, with all checks. Symbolic bytes are concretized.
enum step vm_read_bytes(struct vm *vm, uint64_t address, void *bytes, uint64_t size);
enum step vm_write_bytes(struct vm *vm, uint64_t address, const void *bytes, uint64_t size);
enum step vm_copy_bytes(struct vm *vm, uint64_t to, uint64_t from, uint64_t size);
// overlap.c: checks that memcpy's blocks are apart, or the same. Otherwise reports an overlap.
enum step vm_check_copy(struct vm *vm, uint64_t to, uint64_t from, uint64_t size);
enum step vm_check_symbolic_copy(struct vm *vm, Term to, Term from, Term size);
enum step vm_set_bytes(struct vm *vm, uint64_t to, uint8_t value, uint64_t size);
// Appends the NUL-terminated string at the address to the text.
enum step vm_read_string(struct vm *vm, uint64_t address, struct text *text);

// call.c
// Pushes a frame for the function, with its memory. Returns NULL if the stack is exhausted.
struct frame *vm_enter_frame(struct vm *vm, const struct ir_function *function);
struct frame *vm_enter_frame_below(struct vm *vm, const struct ir_function *function, uint64_t stack_pointer);
// Pops the top frame and ends its memory.
void vm_leave_frame(struct vm *vm);
// Executes SCOPE_BEGIN or SCOPE_END in the top frame.
void step_scope(struct vm *vm, const struct ir_insn *insn);
// Puts all locals of the top frame in scope: after a jump into the frame, it is not known which of them are.
void vm_open_scopes(struct vm *vm);
// vm.c, positions.c: record the first time that any state takes this edge, reaches this position or enters this
// function.
__attribute__((cold, noinline)) void vm_note_new_edge(struct vm *vm, struct state *state, uint32_t edge);
__attribute__((cold, noinline)) void vm_note_new_position(struct vm *vm, struct state *state,
                                                          uint32_t position);
// Records the positions of these frames of the state.
void vm_note_frames(struct vm *vm, struct state *state, const struct frames *frames);
void vm_note_new_function(struct vm *vm, const struct ir_function *function);

enum step vm_enter_function(struct vm *vm, const struct ir_function *callee, const struct ir_insn *insn);
enum step vm_leave_function(struct vm *vm);
enum step call_builtin(struct vm *vm, const struct ir_function *callee, const struct ir_insn *insn);
enum step vm_bad_call(struct vm *vm, uint64_t address);
void vm_resolve_intrinsics(struct vm *vm);

// native_call.c
#define NATIVE_ARGUMENTS 14 // six in integer registers, eight in SSE registers
// Calls a function without a body natively, in a child process. Objects that its arguments point to are at the same
// addresses there, and are copied back. If the call is not possible, ends the path with the reason.
enum step native_call(struct vm *vm, const struct ir_function *callee, const uint64_t *arguments,
                      uint64_t *result);

// builtins_*.c: one function for each row of INTRINSIC_TABLE (runtime/boundary.h).
#define INTRINSIC(name, count, symbolic, flow) builtin_function builtin_##name;
INTRINSIC_TABLE(INTRINSIC)
#undef INTRINSIC

// report_bug.c: each function fills vm->outcome.bug and reports a bug of the running state.
// STEP_STOP: the path ends with outcome.event. STEP_NEXT: the path continues, and the caller does what the hardware
// would do.
enum step vm_report_bug(struct vm *vm, enum bug_kind kind, const char *message, ...) PRINTF(3, 4);
// vm_report_bug in two parts, to add details in between.
struct bug *vm_report_begin(struct vm *vm, enum bug_kind kind, const char *message, ...) PRINTF(3, 4);
enum step vm_report_end(struct vm *vm);
// Adds the object in words: "the local variable `x` of 4 bytes of main at FILE:LINE".
void vm_describe_object(const struct vm *vm, const struct object *object, struct text *text);
// Adds the position of an address relative to an object: "12 bytes after the end of".
void vm_print_where(struct text *text, uint64_t address, uint64_t start, uint64_t size);
// Returns the kind of error of an access whose first inaccessible byte is at this address.
enum bug_kind vm_kind_of_address(const struct vm *vm, uint64_t address);
#define NULL_END 0x10000u // a bad address below it counts as null plus an offset
enum step vm_report_access(struct vm *vm, uint64_t address, uint64_t size, bool write);
// Reports a failing division; its concrete operands decide the kind of error.
enum step vm_report_division(struct vm *vm, const struct ir_insn *insn);
enum step vm_report_zero_divisor(struct vm *vm, bool remainder);
enum step vm_report_quotient(struct vm *vm, bool remainder); // the smallest number divided by -1
// Reports a computed goto to an address that is not a label of the function.
enum step vm_report_label(struct vm *vm, uint64_t address);
// Reports a free of an address that is not a live heap block.
enum step vm_report_free(struct vm *vm, uint64_t address);
enum step vm_report_not_modelled(struct vm *vm, const char *what);
// Returns the site (interned call stack) of the running state's current instruction.
uint32_t vm_current_site(struct vm *vm);
// Returns the site of the top frame of another stack.
uint32_t vm_site_of_frames(struct vm *vm, const struct frames *frames);
// Adds the lines of a call stack, for the details of a bug. Functions of the C library are shown only if user code
// calls them.
void vm_print_stack(struct text *text, const struct vm *vm, uint32_t site);
#endif
