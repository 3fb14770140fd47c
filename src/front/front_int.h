// Inside the front end. A load goes through stages, each a file or two:
//
//   input.c, compile.c   the user's words become LLVM modules, all in one context. Modules are never merged:
//                        symbols.c resolves names over all of them, as a linker would, at the cost of a hash
//                        table instead of a copy of every function.
//   entry*.c             --entry: a driver that calls one function takes main's place.
//   instrumented.c,      clang's checks: those that are not wanted go, the others become calls that stand for
//   sanitizer_data.c,    a check of the machine.
//   sweep.c
//   scopes.c             where locals begin and end, as far as that is known; then locals become LLVM's registers.
//   symbols.c            one definition for each name; library modules come last and lose against all others.
//   reach.c              marks what the entry can reach. Library modules are read lazily: a body is read
//                        ("materialised") when it is first reached.
//   layout.c             addresses and initial bytes of what was reached, so that from here on every constant
//                        is a number.
//   lower*.c, phi.c      each function becomes code over virtual registers: one run of slots ("unit") for
//   each
//                        value, written once, except for phis.
//   assign.c             virtual registers become registers: copies between units that are never live at the
//                        same time vanish, then slots are shared.
//   finish.c             blocks in order, edges numbered, targets as instruction indices.
//   trace.c, place.c     for native replay: the program as bitcode that records its choices, with everything at
//                        the addresses that it has here.
//
// Invariants: a value is asked for its register only by instructions that come later in reverse postorder, or
// by phis; a "virtual" value (an address or comparison that its users compute themselves) has no register.
#ifndef TAMAR_FRONT_INT_H
#define TAMAR_FRONT_INT_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "front/front.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

// ---- types.c: how a type stands in registers and in memory

struct leaf {
    uint32_t slot;
    uint16_t width;  // bits
    int8_t format;   // enum ir_float, or -1: an integer or pointer
    uint64_t offset; // in memory, bytes
};

struct shape {
    LLVMTypeRef type;
    LLVMTypeKind kind;
    uint32_t slots, leaf_count;
    struct leaf *leaves;
    bool packed;   // a vector whose elements are no whole bytes: in memory one integer, without gaps
    bool unusable; // too wide, scalable, or of no machine that we know
};

// ---- symbols.c

enum rank { RANK_PROGRAM, RANK_SHARED, RANK_LIBRARY };

struct unit {
    LLVMModuleRef module;
    LLVMMemoryBufferRef buffer; // of a lazily read module, which refers to it
    LLVMPassManagerRef reader;  // of a lazily read module: reads a function's body
    const char *name;           // the file, for messages
    enum rank rank;
    bool instrumented; // clang was asked for all checks that are wanted
    bool plain;        // no optimiser has seen it (scopes.c)
    bool linked; // from an executable: what it leaves undefined is called in code that the optimiser proved
                 // dead
};

struct symbol {
    const char *name;
    size_t length;
    uint64_t hash;
    LLVMValueRef value; // the definition, or the first declaration while there is none
    uint8_t strength;   // 0: the strongest
    uint32_t unit;
};

#define STRENGTH_NONE 255 // declared only

struct reached_function {
    LLVMValueRef value;
    LLVMValueRef caller; // the instruction or constant's function that reached it first, or NULL
    uint32_t unit;
    bool defined;
};

struct front {
    const struct front_options *options;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMBuilderRef folder; // without a position: builds constants
    vec(struct unit) units;
    struct map unit_of_module;

    struct symbol *symbols; // open addressing, capacity a power of two
    uint32_t symbol_count, symbol_capacity;

    struct map resolved;  // global value -> what it stands for
    struct map functions; // definition -> index + 1 in `reached`
    vec(struct reached_function) reached;
    uint32_t walked;    // of them: bodies that have been gone through
    struct map globals; // definition -> index + 1 in `variables`, then (layout.c) address
    vec(LLVMValueRef) variables;
    vec(LLVMValueRef) unset;    // values of __tamar_unset and what is made of them (unset.c)
    struct map unchecked;       // functions with an attribute no_sanitize: kinds of bugs, as bits
    struct map unset_variables; // local variables that begin with such a value
    vec(LLVMValueRef) held;     // uses of local variables that keep them in memory (scopes.c)
    struct map visited;         // constants whose operands have been walked
    vec(LLVMValueRef) pending;
    bool failed;

    struct map shapes, sizes; // by type
    struct map address;       // of variables: address, or offset of a thread-local one
    struct map labels;        // basic block -> label + 1

    struct arena *scratch; // freed at the end of the load

    // the program as it grows
    struct arena *arena;
    struct ir_program *program;
    vec(struct ir_type) types;
    struct map type_of; // by debug information
    vec(struct ir_location) locations;
    struct map location_of; // by debug location
    struct map scope_names; // scope -> string
    struct map file_of;     // DIFile -> file
    vec(const char *) files;
    vec(const char *) strings;
    struct map string_of; // by hash of its text
    struct map file_hash;
    vec(struct ir_label) label_list;
    vec(struct ir_edge) edges;
    uint32_t block_count, position_count;
    bool thread_local_seen; // set by constant.c

    unsigned byval_kind, sret_kind, align_kind;
    uint32_t machine_setjmp, prepare_sigsetjmp; // functions + 1, 0: absent
    struct map intrinsic_of;                    // intrinsic id -> row of the table + 1
    vec(LLVMValueRef)
        choices; // for each branching instruction, in their order: what it was lowered from, or NULL
    vec(struct ir_check) checks;
    struct map
        check_calls; // call -> index + 1 in `checks`, of what checks_rewrite made: (bit, value, value), of
                     // BELOW (index, bound)
    vec(struct ir_left_pointer) left_pointers;
    const struct ir_global
        *initialised; // the variable whose initial value is computed, and the start of that
    const uint8_t *initial;
    struct map check_objects; // index in `checks` -> the variable that a subscript is about
    struct map local_offsets; // alloca -> its offset in the frame, plus 1
};

const struct shape *shape_of(struct front *front, LLVMTypeRef type);
uint64_t size_of(struct front *front, LLVMTypeRef type); // in memory, with padding
int float_format(LLVMTypeKind kind);                     // enum ir_float or -1
static inline uint64_t bytes_of(unsigned width) { return (width + 7) / 8; }

void symbols_add_unit(struct front *front, uint32_t unit);
// The definition behind a global value (aliases stay); itself when it is local or undefined.
LLVMValueRef symbols_resolve(struct front *front, LLVMValueRef value);
LLVMValueRef symbols_find(struct front *front, const char *name, size_t length); // NULL: none
void symbols_define(struct front *front, const char *name, LLVMValueRef value);  // over what there is
bool symbols_is_definition(LLVMValueRef value);
uint32_t unit_of(struct front *front, LLVMValueRef global);
// The libm function that stands behind a float intrinsic ("llvm.sin.f64": "sin"), or NULL.
const char *intrinsic_library_name(const char *name, size_t length, struct text *buffer);

void reach_all(struct front *front);         // from what is reached already
void reach_definitions(struct front *front); // everything that the modules define
uint32_t reach_function(struct front *front, LLVMValueRef definition, LLVMValueRef from);
// Through aliases to a function or variable; NULL when it is something else.
LLVMValueRef alias_target(struct front *front, LLVMValueRef value);
LLVMValueRef named_function(struct front *front, const char *name); // resolved, or NULL

void layout_globals(struct front *front);
uint32_t function_index(struct front *front, LLVMValueRef definition);

// ---- entry.c: puts the driver of --entry into the program, when one is wanted. False: the user was told.
bool entry_drive(struct front *front);

// ---- rewrite.c: indirect functions (also for native code), LLVM's own jumps (not for it)
void rewrite_indirect_functions(struct front *front);
void rewrite_jumps(struct front *front);
void rewrite_constant_questions(struct front *front); // __builtin_constant_p; after checks_strip

// ---- constant.c: every constant is a number

// The slots of a constant of a first-class type. Of a thread-local address: its offset, and
// front->thread_local_seen is set.
void constant_slots(struct front *front, LLVMValueRef constant, uint64_t *slots);
// A constant of one slot.
uint64_t constant_word(struct front *front, LLVMValueRef constant);
// As an initial value in memory; `bytes` is zero before.
void constant_bytes(struct front *front, LLVMValueRef constant, uint8_t *bytes);
uint32_t label_of(struct front *front, LLVMBasicBlockRef block);

// ---- debug_info.c

uint32_t location_of(struct front *front, LLVMMetadataRef location);                        // 0 for NULL
void describe_types(struct front *front, struct ir_function *function, LLVMValueRef value); // debug_types.c
uint32_t type_of_global(struct front *front, LLVMValueRef global);                          // 0: unknown
uint32_t location_of_function(struct front *front, LLVMValueRef function);
uint32_t location_of_global(struct front *front, LLVMValueRef global);
// Names and kinds of a function's parameters, as far as the debug information has them (parameters.c).
void describe_parameters(struct front *front, LLVMValueRef value, struct ir_function *function);
// The i-th operand of a metadata node as metadata, or NULL.
LLVMMetadataRef node_operand(struct front *front, LLVMMetadataRef node, unsigned index,
                             LLVMValueRef *as_value);
uint32_t location_of_variable(struct front *front, LLVMMetadataRef variable, uint32_t *name);
uint32_t intern_string(struct front *front, const char *text, size_t length);

// ---- lowering one function

#define VIRTUAL   0xffffffffu // in `registers`: computed by its users
#define NO_BLOCK  0xffffffffu
#define NO_TARGET 0xffffffffu

struct work_block {
    uint32_t start, end;
    uint32_t depth; // loops around it, as far as known
    bool split;     // made to hold copies: vanishes when it turns out empty
    bool emitted;
};

struct edge_copy {
    LLVMValueRef phi, value;
    uint32_t next; // index + 1
};

struct lowering {
    struct front *front;
    LLVMValueRef function;
    struct ir_function *result;
    vec(struct ir_insn) code; // branch targets are numbers of work blocks; edges are not yet numbered
    vec(uint32_t) code_locations;
    uint32_t location; // of what is emitted now
    uint32_t marked;   // the mark that stands for what is emitted now, and 1; 0: none
    vec(struct work_block) blocks;
    uint32_t block;       // the one that is being emitted, or NO_BLOCK after a terminator
    struct map registers; // value -> first register, or VIRTUAL
    vec(uint32_t) unit;   // of each virtual register: the first one of its unit
    uint32_t fixed;       // registers below it are parameters and stay where they are
    vec(uint64_t) constants;
    struct map constant_index;
    vec(uint32_t) arguments;
    vec(struct ir_switch) switches;
    vec(struct ir_goto) gotos;
    vec(struct ir_alloca) allocas;
    struct map objects;    // fixed alloca -> its number in `allocas` + 1
    struct map guarded;    // GEPs whose index a BELOW has checked
    struct bounded_index { // checked by a BELOW in this block
        LLVMValueRef index;
        uint64_t bound;
    } bounded[8]; // the last ones, as a ring
    uint32_t bounded_count;
    struct map call_areas; // buffers in the frame shared by calls: key -> alloca + 1
    uint64_t frame_size, frame_align;

    // the LLVM function's graph
    vec(LLVMBasicBlockRef) order; // reverse postorder
    struct map block_of;          // LLVM block -> work block + 1
    vec(uint32_t) predecessors;   // edges into each work block
    vec(uint8_t) merged;          // work block continues its only predecessor
    vec(struct edge_copy) copies;
    struct map edge_copies;      // from << 32 | to -> first of `copies` + 1
    vec(struct ir_insn) hoisted; // constants loaded before the first block
    vec(uint8_t) temporary;      // of each virtual register: holds a constant, is written once
    vec(uint32_t) pending;       // scratch of phi.c
    uint32_t variadic_register;
    LLVMValueRef choosing; // the LLVM branch or switch that is lowered as one instruction, or NULL
    bool compiled_checks;  // checks_are_compiled
    bool returns_twice; // calls setjmp: registers must keep their values on ways that the graph does not show
};

// One operand of up to 64 bits, or the first slot of a wider one.
struct operand {
    bool constant;
    uint32_t reg;
    uint64_t value;       // constant of up to 64 bits
    const uint64_t *wide; // constant of more: the slots, in the front's arena
};

// A copy that came to nothing: it stays in the code until finish.c drops it.
static inline bool has_vanished(const struct ir_insn *insn) {
    return (insn->op == IR_MOV || insn->op == IR_MOV_WIDE) && insn->dst == insn->a;
}

// emit.c
uint32_t emit(struct lowering *l, enum ir_op op, unsigned aux, uint32_t dst, uint32_t a, uint32_t b);
void emit_extra(struct lowering *l, unsigned aux, uint32_t dst, uint32_t a, uint32_t b);
uint32_t new_registers(struct lowering *l, uint32_t slots);
uint32_t new_block(struct lowering *l);
void start_block(struct lowering *l, uint32_t block);
void emit_jump(struct lowering *l, uint32_t target);
void emit_branch(struct lowering *l, uint32_t bit, uint32_t target, uint32_t other);
void emit_move(struct lowering *l, unsigned width, uint32_t dst, uint32_t src);
void emit_constant(struct lowering *l, unsigned width, uint32_t dst, const uint64_t *slots);
void emit_imm(struct lowering *l, unsigned width, uint32_t dst, uint64_t value);
uint32_t add_constants(struct lowering *l, const uint64_t *slots, uint32_t count);
void emit_not_modelled(struct lowering *l, const char *format, ...) PRINTF(2, 3);
// dst = a fn b for integers of any width; constants become immediates where they fit.
void emit_int(struct lowering *l, enum ir_fn fn, unsigned width, uint32_t dst, struct operand a,
              struct operand b);
// Any integer function, by the general instruction.
void emit_int_general(struct lowering *l, enum ir_fn fn, unsigned width, unsigned result_width, uint32_t dst,
                      uint32_t a, uint32_t b, uint32_t c);
void emit_float(struct lowering *l, enum ir_fn fn, enum ir_float format, uint32_t dst, uint32_t a, uint32_t b,
                uint32_t c, uint32_t extra);
void emit_select(struct lowering *l, unsigned width, uint32_t dst, uint32_t condition, uint32_t yes,
                 uint32_t no);
void emit_convert(struct lowering *l, enum ir_fn fn, unsigned from, unsigned to, uint32_t dst, uint32_t a);
void emit_compare_branch(struct lowering *l, enum ir_fn fn, unsigned width, struct operand a,
                         struct operand b, uint32_t target, uint32_t other);
bool can_fuse_compare(enum ir_fn fn, unsigned width);

// lower_value.c
struct operand operand_leaf(struct lowering *l, LLVMValueRef value, uint32_t leaf);
uint32_t operand_register(struct lowering *l, struct operand operand, unsigned width);
uint32_t leaf_register(struct lowering *l, LLVMValueRef value, uint32_t leaf);
static inline struct operand operand_of_register(uint32_t reg) { return (struct operand){.reg = reg}; }
static inline struct operand operand_of_word(uint64_t value) {
    return (struct operand){.constant = true, .value = value};
}
// The registers that hold the whole value, in a row.
uint32_t whole_register(struct lowering *l, LLVMValueRef value);
// The registers that an instruction's result goes to.
uint32_t result_register(struct lowering *l, LLVMValueRef value);
void define_alias(struct lowering *l, LLVMValueRef value, uint32_t reg);
void copy_leaf(struct lowering *l, unsigned width, uint32_t dst, struct operand source);
bool lower_value(struct lowering *l, LLVMValueRef instruction, LLVMOpcode opcode); // false: not its kind
enum ir_fn int_predicate(LLVMIntPredicate predicate);
void lower_bitcast(struct lowering *l, LLVMValueRef instruction);

// lower_vector.c
bool lower_aggregate(struct lowering *l, LLVMValueRef instruction, LLVMOpcode opcode);

// lower_address.c, lower_memory.c
struct address {
    enum { AT_REGISTER, AT_ABSOLUTE, AT_INDEXED } kind;
    uint32_t base, index, scale;
    bool narrow;    // the index is 32 bits wide and signed
    bool guarded;   // the index was checked against the array's type just before
    uint64_t room;  // bytes of the object from `base` (AT_ABSOLUTE: `start`) on, 0: not known
    uint64_t start; // of AT_ABSOLUTE: the constant that the address is computed from
    int64_t offset; // of AT_ABSOLUTE: the address
};
struct address address_of(struct lowering *l, LLVMValueRef pointer);
struct address address_in_register(uint32_t reg);
// The variable that a constant address is computed from, where it lies outside of that variable; NULL: it does not.
LLVMValueRef constant_left_object(struct front *front, LLVMValueRef constant, uint64_t word);
// The integer made of a pointer from which a constant pointer is computed by integer arithmetic; NULL: it is not such a pointer.
LLVMValueRef constant_computed_from(LLVMValueRef constant);
// From here to the end of the block the index is known to be below the bound.
void note_bounded(struct lowering *l, LLVMValueRef index, uint64_t bound);
uint32_t address_register(struct lowering *l, struct address address);
void load_leaf(struct lowering *l, struct address address, uint64_t offset, unsigned width, uint32_t dst);
void store_leaf(struct lowering *l, struct address address, uint64_t offset, unsigned width,
                struct operand value);
void load_shape(struct lowering *l, const struct shape *shape, struct address address, uint32_t dst);
void store_value(struct lowering *l, LLVMValueRef value, struct address address);
void lower_gep(struct lowering *l, LLVMValueRef gep);
// Are all users of this sign extension GEPs, which can do it themselves?
bool index_takes_extension(struct lowering *l, LLVMValueRef extension);
// Are all users of this truncation stores, which take the low bits themselves?
bool stores_take_truncation(struct lowering *l, LLVMValueRef truncation);
bool lower_memory(struct lowering *l, LLVMValueRef instruction, LLVMOpcode opcode);
// A place in the frame with red zones around it: its number among the allocas.
uint32_t add_frame_object(struct lowering *l, uint64_t size, uint64_t align, uint32_t name,
                          uint32_t location);
uint32_t frame_object_register(struct lowering *l, uint32_t object);
void lower_fixed_allocas(struct lowering *l);

// scopes.c
bool is_scope_marker(LLVMValueRef instruction); // llvm.lifetime.start or end
bool begins_scope(LLVMValueRef marker);
// Before the program is kept: erases the markers of code that was optimised; elsewhere jumps out of scopes go where they
// lead, and the module says that its markers are believed.
void scopes_believe(struct front *front);
// Before locals become registers: erases the markers that change nothing, and holds the variables that keep theirs in memory,
// until scopes_release.
void scopes_simplify(struct front *front);
void scopes_release(struct front *front);

// unset.c: before locals become registers, the value that each has before the program sets it; afterwards, what is not needed of that
// goes. The variables that got one are known between the two.
void unset_mark(struct front *front);
// unchecked.c: reads the annotations that attributes no_sanitize leave, then kinds of bugs of a function, as bits.
void unchecked_find(struct front *front);
uint64_t unchecked_kinds(struct front *front, LLVMValueRef function);
bool unset_is_marked(const struct front *front, LLVMValueRef variable);
void unset_sweep(struct front *front);

// instrumented.c: clang's instrumentation
void checks_strip(struct front *front);          // of checks that are not wanted, before the program is kept
void checks_rewrite(struct front *front);        // the others become calls that lower_check takes
void checks_erase(struct front *front);          // those calls, before the program becomes native code
bool checks_are_compiled(LLVMValueRef function); // clang has instrumented it
// lower_check.c
bool lower_check(struct lowering *l, LLVMValueRef call); // false: the call is not one of them
// The check fails where the bit is 0. `values`: what its text shows, registers of one slot; both may be the bit.
void emit_holds(struct lowering *l, uint32_t bit, uint32_t check, uint32_t first, uint32_t second);
uint32_t add_check(struct front *front, uint32_t kind, const char *text);

// lower_call.c, lower_intrinsic.c, lower_asm.c
void lower_call(struct lowering *l, LLVMValueRef call);
void call_function(struct lowering *l, uint32_t function, uint32_t dst, uint32_t result_slots,
                   const struct operand *arguments, uint32_t count);
void lower_intrinsic(struct lowering *l, LLVMValueRef call, LLVMValueRef callee);
void lower_asm(struct lowering *l, LLVMValueRef call);

struct intrinsic {
    const char *name; // without "llvm." and the types
    void (*lower)(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
    enum ir_fn fn;
    uint32_t extra;
};
const struct intrinsic *intrinsic_named(const char *name, size_t length); // without "llvm.", NULL: none
// The variable's name and line for its place in the frame.
void lower_declare(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_scope(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void result_zero(struct lowering *l, LLVMValueRef call);
void lower_memory_intrinsic(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_va_start(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_va_copy(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_library_call(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_constrained(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_reduce(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_masked(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_float_leaves(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_multiply_add(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_float_to_int(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_round_to_int(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_vector_part(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_frexp(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);

// phi.c
void collect_phis(struct lowering *l);
void emit_edge_copies(struct lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
bool edge_has_copies(struct lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to);

// lower.c, assign.c, finish.c
// "Not modelled" for an instruction on values that we cannot hold; its result is zero.
void lower_unusable(struct lowering *l, LLVMValueRef instruction);
void lower_function(struct front *front, uint32_t index);
void lower_generated(struct front *front, uint32_t index, const uint32_t *callees, uint32_t count,
                     uint32_t parameters);
uint32_t work_block_of(struct lowering *l, LLVMBasicBlockRef block);
void assign_registers(struct lowering *l);
void finish_function(struct lowering *l);

// ---- trace.c

// The first unit's module as bitcode, with a call of __tamar_trace before each of `choices` in a function of
// the program. Changes the module.
void add_trace(struct front *front, struct text *to);
void place_program(struct front *front, LLVMModuleRef module); // place.c

#endif
