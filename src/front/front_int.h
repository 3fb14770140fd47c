// Internals of the front end. A load (load.c) has these stages:
//
//   input.c, compile.c   compile the user's C files, and read all files.
//   program_cache.c      if the same files were loaded before with the same options, the load ends here.
//   input.c              parses the files as LLVM modules, all in one context. They are not merged: symbols.c resolves
//                        names over all of them, like a linker, with a hash table instead of a copy of every function.
//   entry*.c             --entry: replace main by a driver that calls one function.
//   instrumented.c,      remove clang's checks that are not wanted, and rewrite the others to calls that represent a
//   sanitizer_data.c,    check of the VM.
//   sweep.c
//   rewrite.c,           replace special constructs: jumps, contexts, inline assembly, functions without a body
//   assembly*.c, ...     (undefined.c); with options also conditions and loops (join_conditions.c, unwind.c).
//   scopes.c             find the lifetimes of locals, as far as they are known; then locals become LLVM registers.
//   symbols.c            choose one definition for each name; library modules come last and have the least priority.
//   reachable.c          marks the functions and variables that the entry can reach. Library modules are read lazily:
//                        a body is read ("materialised") when it is first reached.
//   data_layout.c        assigns addresses and initial bytes, so that from here on every constant is a number.
//   lower*.c, phi.c      lower each function to code over virtual registers: one range of slots ("unit") for each
//                        value, written once, except for phis.
//   assign.c             register assignment: coalesces copies between units that are never live at the same time, then
//                        shares slots.
//   finish.c             orders blocks, numbers edges, resolves targets to instruction indices.
//   trace.c, place.c     for native replay: make bitcode that records its branches, with the addresses of the IR.
//
// Invariants: a value's register is requested only by later instructions in reverse postorder, or by phis. A "virtual"
// value (an address or comparison that its users compute themselves) has no register.
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

// ---- types.c: the representation of a type in registers and in memory

struct leaf {
    uint32_t slot;
    uint16_t width;  // bits
    int8_t format;   // enum ir_float, or -1: an integer or pointer
    uint64_t offset; // in memory, bytes
};

struct type_shape {
    LLVMTypeRef type;
    LLVMTypeKind kind;
    uint32_t slots, leaf_count;
    struct leaf *leaves;
    bool packed;   // a vector whose elements are not whole bytes: in memory one integer, without gaps
    bool unusable; // not supported: too wide, scalable, or specific to another target
};

// ---- symbols.c

enum rank { RANK_PROGRAM, RANK_SHARED, RANK_LIBRARY };

struct unit {
    LLVMModuleRef module;
    LLVMPassManagerRef reader; // reads function bodies of a lazily read module
    const char *name;          // the file, for messages
    enum rank rank;
    bool instrumented; // compiled with clang's instrumentation for all wanted checks
    bool plain;        // not optimised (scopes.c)
    bool built;        // from a file that was compiled before: bitcode, an object, a program
    uint32_t program;  // 0: the program itself; else its number among front_options.programs, from 1
    bool linked; // from an executable: functions that it leaves undefined are called only in code that the
                 // optimiser proved dead
};

// A module among the files of the program, before it is parsed (input.c).
struct input_part {
    LLVMMemoryBufferRef buffer;
    const char *name; // the file, for messages
    enum rank rank;
    bool assembly;                           // text, not bitcode
    bool trusted;                            // compiled by Tamar, or checked in another way
    bool instrumented, plain, linked, built; // see struct unit
    uint32_t program;
};

struct front_symbol {
    const char *name;
    size_t length;
    uint64_t hash;
    LLVMValueRef value; // the definition, or the first declaration if there is none
    uint8_t strength;   // 0: the strongest
    uint32_t unit;
};

#define STRENGTH_NONE 255 // declared only

struct reached_function {
    LLVMValueRef value;
    LLVMValueRef caller; // instruction that reached it first; NULL: an initial value, an alias, the front end
    uint32_t unit;
    bool defined;
};

struct front {
    const struct front_options *options;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMBuilderRef folder; // a builder without a position, for constants
    vec(struct input_part) parts;
    vec(LLVMMemoryBufferRef) buffers; // bytes of the files, which parts refer to
    struct text contents;             // a line for each file: its name and the hash of its bytes
    struct text folders;              // folders of the sources, each NUL-terminated
    vec(struct unit) units;
    struct map unit_of_module;

    struct front_symbol *symbols; // open addressing, capacity a power of two
    uint32_t symbol_count, symbol_capacity;

    struct map resolved;  // global value -> its definition
    struct map functions; // definition -> index + 1 in `reached`
    vec(struct reached_function) reached;
    uint32_t walked;    // number of entries of `reached` whose bodies have been visited
    struct map globals; // definition -> index + 1 in `variables`, then (data_layout.c) address
    vec(LLVMValueRef) variables;
    struct map missing;         // variable -> the undefined one that it is or refers to (missing.c)
    vec(LLVMValueRef) unset;    // values of __tamar_unset, and values computed from them (unset.c)
    struct map unchecked;       // function with an attribute no_sanitize -> set of kinds of bugs
    struct map unset_variables; // local variables initialised with a value of __tamar_unset
    vec(LLVMValueRef) held;     // uses of local variables that keep them in memory (scopes.c)
    struct map visited;         // constants whose operands have been visited
    vec(LLVMValueRef) pending;
    bool failed;

    struct map shapes, sizes; // by type
    struct map address;       // variable -> its address, or its offset if it is thread-local
    struct map labels;        // basic block -> label + 1

    struct arena *scratch; // freed at the end of the load

    // the program being built
    struct arena *arena;
    struct ir_program *program;
    vec(struct ir_type) types;
    struct map type_of; // DIType -> index in `types`
    vec(struct ir_location) locations;
    struct map location_of; // debug location -> index in `locations`
    struct map scope_names; // scope -> string
    struct map file_of;     // DIFile -> file
    vec(const char *) files;
    vec(const char *) strings;
    struct map string_of; // hash of a text -> index in `strings`
    struct map file_hash;
    vec(struct ir_label) label_list;
    vec(struct ir_edge) edges;
    uint32_t block_count, position_count;
    bool thread_local_seen; // set by constant.c

    unsigned byval_kind, sret_kind, align_kind;
    uint32_t machine_setjmp, prepare_sigsetjmp; // index of the function + 1, 0: absent
    struct map intrinsic_of;                    // intrinsic id -> row of the table + 1
    // For each branch of the IR, in its order: the LLVM instruction it was lowered from, or NULL.
    vec(LLVMValueRef) choices;
    vec(struct ir_check) checks;
    // Call made by instrumented_rewrite -> index + 1 in `checks`. Arguments: bit, value, value; BELOW: index, bound.
    struct map check_calls;
    vec(struct ir_left_pointer) left_pointers;
    const struct ir_global *initialised; // the variable whose initial value is being computed
    const uint8_t *initial;              // start of that initial value
    struct map check_objects;            // index in `checks` -> the array variable of a checked subscript
    struct map local_offsets;            // alloca -> its offset in the frame + 1
};

const struct type_shape *types_shape_of(struct front *front, LLVMTypeRef type);
uint64_t types_size_of(struct front *front, LLVMTypeRef type); // in memory, with padding
static inline uint64_t bytes_of(unsigned width) { return (width + 7) / 8; }

void symbols_add_unit(struct front *front, uint32_t unit);
// The definition of a global value (aliases are not followed); the value itself if it is local or undefined.
LLVMValueRef symbols_resolve(struct front *front, LLVMValueRef value);
void symbols_define(struct front *front, const char *name, LLVMValueRef value); // replaces a definition
bool symbols_is_definition(LLVMValueRef value);
uint32_t symbols_unit_of(struct front *front, LLVMValueRef global);
// The libm function that implements a float intrinsic ("llvm.sin.f64": "sin"), or NULL.
const char *lower_intrinsic_library_name(const char *name, size_t length, struct text *buffer);

void reachable_all(struct front *front);         // transitively, from the functions already reached
void reachable_definitions(struct front *front); // all definitions of the modules
uint32_t reachable_function(struct front *front, LLVMValueRef definition, LLVMValueRef from);
// Follows aliases to a function or variable. NULL: the target is neither.
LLVMValueRef symbols_alias_target(struct front *front, LLVMValueRef value);
LLVMValueRef symbols_named_function(struct front *front, const char *name); // resolved, or NULL
// The function of this name in the module; it is declared if the module has none.
LLVMValueRef symbols_declare(LLVMModuleRef module, const char *name, LLVMTypeRef type);

void layout_globals(struct front *front);
uint32_t layout_function_index(struct front *front, LLVMValueRef definition);

// ---- declare.c: appends C declarations of the program's functions and of their types. Returns false if there is no
// debug information.
bool declare_functions(struct front *front, struct text *to);

// ---- entry.c: adds the driver of --entry, if requested. Returns false after an error, which has been reported.
bool entry_drive(struct front *front);

// ---- missing.c: variables of an executable that none of its objects defines. The linker took the objects that
// the native code needs; the unoptimised bitcode refers to more variables.
void missing_note(struct front *front, LLVMValueRef variable);
void missing_spread(struct front *front); // adds variables whose values refer to missing ones
// The missing variable that an operand of the instruction refers to; NULL: there is none.
LLVMValueRef missing_operand(struct front *front, LLVMValueRef instruction);

// ---- rewrite.c: indirect functions (also for native code), __builtin_setjmp and longjmp (not for native code)
void rewrite_indirect_functions(struct front *front);
// Hides the mains of built programs if a C file has a main.
void rewrite_main(struct front *front);
void rewrite_jumps(struct front *front);
void rewrite_contexts(struct front *front); // getcontext, swapcontext; not for native code
// programs.c: gives the names of each further program (front_options.programs) a suffix, and adds a unit with the table
// of these programs for the runtime. Returns false after an error, which has been reported.
bool programs_separate(struct front *front);
// join_conditions.c: turns `a && b` and `a || b` into one branch (--join-conditions). Runs before the bitcode is saved.
void join_conditions(struct front *front);
// unwind.c: limits the iterations of loops (--unwind). Runs after the bitcode is saved.
void unwind_limit(struct front *front);
// function_alias.c: klee_alias_function. Runs before the bitcode is saved.
void function_alias_route(struct front *front);
// undefined.c: gives functions without a body one that returns a symbolic value. Runs before the bitcode is saved.
void undefined_define(struct front *front, const char *runtime);
// Returns the function for harnesses whose name is nearest to that of an undefined one; NULL: none is near.
const char *undefined_nearest(const struct front *front, const char *name);
// Translates inline assembly (assembly.h). `only_machine`: only templates with an instruction whose result depends on
// the machine (assembly_asks_machine), so that native builds of the bitcode get the model's answers.
void rewrite_assembly(struct front *front, bool only_machine);
void rewrite_alloca(struct front *front);
void rewrite_undeclared(struct front *front);
void rewrite_frame_addresses(struct front *front);
void rewrite_constant_questions(struct front *front); // __builtin_constant_p; after instrumented_strip

// ---- constant.c: every constant is a number

// Computes the slots of a constant of a first-class type. For a thread-local address: the offset, and sets
// front->thread_local_seen.
void constant_slots(struct front *front, LLVMValueRef constant, uint64_t *slots);
// The value of a constant of one slot.
uint64_t constant_word(struct front *front, LLVMValueRef constant);
// Writes a constant as an initial value in memory. `bytes` must be zeroed.
void constant_bytes(struct front *front, LLVMValueRef constant, uint8_t *bytes);
uint32_t lower_label_of(struct front *front, LLVMBasicBlockRef block);

// ---- debug_info.c

uint32_t debug_location_of(struct front *front, LLVMMetadataRef location); // 0 for NULL
void debug_describe_types(struct front *front, struct ir_function *function,
                          LLVMValueRef value);                           // debug_types.c
uint32_t debug_type_of_global(struct front *front, LLVMValueRef global); // 0: unknown
uint32_t debug_location_of_function(struct front *front, LLVMValueRef function);
uint32_t debug_location_of_global(struct front *front, LLVMValueRef global);
// parameters.c: records names and kinds of a function's parameters, as far as the debug information has them.
void parameters_describe(struct front *front, LLVMValueRef value, struct ir_function *function);
// The i-th operand of a metadata node as metadata, or NULL.
LLVMMetadataRef debug_node_operand(struct front *front, LLVMMetadataRef node, unsigned index,
                                   LLVMValueRef *as_value);
int64_t debug_enumerator_value(struct front *front, LLVMMetadataRef node); // node: an enumerator
uint32_t debug_location_of_variable(struct front *front, LLVMMetadataRef variable, uint32_t *name);
uint32_t debug_intern_string(struct front *front, const char *text, size_t length);

// ---- lowering one function

#define VIRTUAL   0xffffffffu // in `registers`: the value has no register, its users compute it
#define NO_BLOCK  0xffffffffu
#define NO_TARGET 0xffffffffu

struct work_block {
    uint32_t start, end;
    uint32_t depth; // loop nesting depth, as far as known
    bool split;     // made to hold copies; removed if it stays empty
    bool emitted;
};

struct edge_copy {
    LLVMValueRef phi, value;
    uint32_t next; // index + 1 of the edge's next copy, 0: none
};

struct lowering {
    struct front *front;
    LLVMValueRef function;
    struct ir_function *result;
    vec(struct ir_insn) code; // branch targets are work blocks; edges are not numbered yet
    vec(uint32_t) code_locations;
    uint32_t location; // location of the instruction being emitted
    uint32_t marked;   // number + 1 of the mark of the current source line; 0: none
    vec(struct work_block) blocks;
    uint32_t block;       // the block being emitted, or NO_BLOCK after a terminator
    struct map registers; // value -> first register, or VIRTUAL
    vec(uint32_t) unit;   // per virtual register: the first register of its unit
    uint32_t fixed;       // registers below it are parameters and are not renumbered
    vec(uint64_t) constants;
    struct map constant_index;
    vec(uint32_t) arguments;
    vec(struct ir_switch) switches;
    vec(struct ir_goto) gotos;
    vec(struct ir_alloca) allocas;
    struct map objects; // fixed alloca -> index in `allocas` + 1
    struct map guarded; // GEPs whose index has been checked by a BELOW
    vec(struct bounded_index {
        LLVMValueRef index;
        uint64_t bound;
        uint32_t previous;    // index + 1 of the previous entry of this block or of one that dominates it
    }) bounded;               // indices that have been checked by a BELOW
    uint32_t bounded_last;    // index + 1 of the last entry that holds here
    vec(uint32_t) bounded_at; // per block: bounded_last at its end
    vec(uint32_t) dominators; // per block: its immediate dominator; empty: there are no checks
    struct map call_areas;    // buffers in the frame that calls share: key -> alloca + 1
    uint64_t frame_size, frame_align;

    // the control-flow graph of the LLVM function
    vec(LLVMBasicBlockRef) order; // reverse postorder
    struct map block_of;          // LLVM block -> work block + 1
    vec(uint32_t) predecessors;   // per work block: number of edges into it
    vec(uint8_t) merged;          // per work block: it is appended to its only predecessor
    vec(struct edge_copy) copies;
    struct map edge_copies;      // from << 32 | to -> first of `copies` + 1
    vec(struct ir_insn) hoisted; // constants loaded before the first block
    vec(uint8_t) temporary;      // per virtual register: it holds a constant and is written once
    vec(uint32_t) pending;       // phi.c: number of reads left per register
    uint32_t variadic_register;
    LLVMValueRef choosing; // the LLVM branch or switch being lowered as one instruction, or NULL
    bool compiled_checks;  // result of instrumented_has_checks
    bool returns_twice; // calls setjmp: registers must keep their values on paths that are not in the graph
};

// One operand of up to 64 bits, or the first slot of a wider one.
struct operand {
    bool constant;
    uint32_t reg;
    uint64_t value;       // constant of up to 64 bits
    const uint64_t *wide; // slots of a wider constant, in the front end's arena
};

// Whether a copy has become redundant. It stays in the code until finish.c removes it.
static inline bool has_vanished(const struct ir_insn *insn) {
    return (insn->op == IR_MOV || insn->op == IR_MOV_WIDE) && insn->dst == insn->a;
}

// lower_emit.c
uint32_t emit(struct lowering *l, enum ir_op op, unsigned aux, uint32_t dst, uint32_t a, uint32_t b);
void emit_extra(struct lowering *l, unsigned aux, uint32_t dst, uint32_t a, uint32_t b);
uint32_t emit_new_registers(struct lowering *l, uint32_t slots);
uint32_t emit_new_block(struct lowering *l);
void emit_start_block(struct lowering *l, uint32_t block);
void emit_jump(struct lowering *l, uint32_t target);
void emit_branch(struct lowering *l, uint32_t bit, uint32_t target, uint32_t other);
void emit_move(struct lowering *l, unsigned width, uint32_t dst, uint32_t src);
void emit_constant(struct lowering *l, unsigned width, uint32_t dst, const uint64_t *slots);
void emit_imm(struct lowering *l, unsigned width, uint32_t dst, uint64_t value);
uint32_t emit_constants(struct lowering *l, const uint64_t *slots, uint32_t count);
void emit_not_modelled(struct lowering *l, const char *format, ...) PRINTF(2, 3);
// Emits dst = a fn b for integers of any width; constants become immediates if they fit.
void emit_int(struct lowering *l, enum ir_fn fn, unsigned width, uint32_t dst, struct operand a,
              struct operand b);
// Emits any integer function, as the general instruction INT.
void emit_int_general(struct lowering *l, enum ir_fn fn, unsigned width, unsigned result_width, uint32_t dst,
                      uint32_t a, uint32_t b, uint32_t c);
void emit_float(struct lowering *l, enum ir_fn fn, enum ir_float format, uint32_t dst, uint32_t a, uint32_t b,
                uint32_t c, uint32_t extra);
void emit_select(struct lowering *l, unsigned width, uint32_t dst, uint32_t condition, uint32_t yes,
                 uint32_t no);
void emit_convert(struct lowering *l, enum ir_fn fn, unsigned from, unsigned to, uint32_t dst, uint32_t a);
void emit_compare_branch(struct lowering *l, enum ir_fn fn, unsigned width, struct operand a,
                         struct operand b, uint32_t target, uint32_t other);
bool emit_can_fuse_compare(enum ir_fn fn, unsigned width);

// lower_value.c
struct operand lower_operand_leaf(struct lowering *l, LLVMValueRef value, uint32_t leaf);
uint32_t lower_operand_register(struct lowering *l, struct operand operand, unsigned width);
uint32_t lower_leaf_register(struct lowering *l, LLVMValueRef value, uint32_t leaf);
static inline struct operand operand_of_register(uint32_t reg) { return (struct operand){.reg = reg}; }
static inline struct operand operand_of_word(uint64_t value) {
    return (struct operand){.constant = true, .value = value};
}
// The first of the consecutive registers that hold the whole value.
uint32_t lower_whole_register(struct lowering *l, LLVMValueRef value);
// The first of the registers for an instruction's result.
uint32_t lower_result_register(struct lowering *l, LLVMValueRef value);
void lower_define_alias(struct lowering *l, LLVMValueRef value, uint32_t reg);
void lower_copy_leaf(struct lowering *l, unsigned width, uint32_t dst, struct operand source);
bool lower_value(struct lowering *l, LLVMValueRef instruction, LLVMOpcode opcode); // false: another kind
enum ir_fn lower_int_predicate(LLVMIntPredicate predicate);

// lower_vector.c
bool lower_aggregate(struct lowering *l, LLVMValueRef instruction, LLVMOpcode opcode);

// lower_address.c, lower_memory.c
struct address {
    enum { AT_REGISTER, AT_ABSOLUTE, AT_INDEXED } kind;
    uint32_t base, index, scale;
    bool narrow;    // the index is 32 bits wide and signed
    bool guarded;   // the index has been checked against the array's type
    uint64_t room;  // bytes of the object from `base` (AT_ABSOLUTE: `start`) on, 0: unknown
    uint64_t start; // AT_ABSOLUTE: the constant that the address is computed from
    int64_t offset; // AT_ABSOLUTE: the address; else the displacement
};
struct address lower_address_of(struct lowering *l, LLVMValueRef pointer);
// An access with this displacement or a larger one may reach past a red zone into another object, so it is checked
// against the object of its base. Members of structs are rarely that far away. Red zones are wider than all other
// displacements, counted from the farthest address that is near an object (provenance.h).
#define LOWER_FAR      64
#define LOWER_NEARNESS 16
struct address lower_address_in_register(uint32_t reg);
// The variable that a constant address is computed from, if the address is outside of that variable; else NULL.
LLVMValueRef lower_constant_left_object(struct front *front, LLVMValueRef constant, uint64_t word);
// For a constant pointer that is computed by integer arithmetic: the pointer, converted to an integer, that it is
// computed from; else NULL.
LLVMValueRef lower_constant_computed_from(LLVMValueRef constant);
// Records that the index is below the bound, from here on and in all blocks that this one dominates.
void lower_note_bounded(struct lowering *l, LLVMValueRef index, uint64_t bound);
// Whether a BELOW on every path to the current instruction has checked the index against this bound or a smaller one.
bool lower_is_index_below(const struct lowering *l, LLVMValueRef index, uint64_t bound);
uint32_t lower_address_register(struct lowering *l, struct address address);
void lower_load_leaf(struct lowering *l, struct address address, uint64_t offset, unsigned width,
                     uint32_t dst);
void lower_store_leaf(struct lowering *l, struct address address, uint64_t offset, unsigned width,
                      struct operand value);
void lower_load_shape(struct lowering *l, const struct type_shape *shape, struct address address,
                      uint32_t dst);
void lower_store_value(struct lowering *l, LLVMValueRef value, struct address address);
void lower_gep(struct lowering *l, LLVMValueRef gep);
// Whether all users of this sign extension are GEPs, which can do it themselves.
bool lower_index_takes_extension(struct lowering *l, LLVMValueRef extension);
// Whether all users of this truncation are stores, which take the low bits themselves.
bool lower_stores_take_truncation(struct lowering *l, LLVMValueRef truncation);
bool lower_memory(struct lowering *l, LLVMValueRef instruction, LLVMOpcode opcode);
// Allocates an object in the frame, with red zones around it. Returns its index among the allocas.
uint32_t lower_add_frame_object(struct lowering *l, uint64_t size, uint64_t align, uint32_t name,
                                uint32_t location);
uint32_t lower_frame_object_register(struct lowering *l, uint32_t object);
void lower_fixed_allocas(struct lowering *l);

// scopes.c
bool scopes_is_marker(LLVMValueRef instruction); // llvm.lifetime.start or end
bool scopes_begins(LLVMValueRef marker);
// Runs before the bitcode is saved. In optimised code it erases the markers. In other code it resolves the jumps out of
// scopes, and records in the module that its markers are reliable.
void scopes_believe(struct front *front);
// Runs before locals become registers: erases redundant markers, and keeps variables with remaining markers in memory
// until scopes_release.
void scopes_simplify(struct front *front);
void scopes_release(struct front *front);

// unset.c: unset_mark runs before locals become registers and gives each one an initial value of __tamar_unset;
// unset_sweep runs afterwards and erases the unused ones. unset_is_marked is valid between the two.
void unset_mark(struct front *front);
// unchecked.c: unchecked_find reads the annotations left by attributes no_sanitize; unchecked_kinds returns the set of
// kinds of bugs that a function disables.
void unchecked_find(struct front *front);
uint64_t unchecked_kinds(struct front *front, LLVMValueRef function);
// unset.c (see unset_mark)
bool unset_is_marked(const struct front *front, LLVMValueRef variable);
void unset_sweep(struct front *front);

// instrumented.c: clang's instrumentation
void instrumented_strip(struct front *front);        // removes unwanted checks, before the bitcode is saved
void instrumented_rewrite(struct front *front);      // rewrites the others to calls for lower_check
void instrumented_erase(struct front *front);        // removes these calls, before native code is made
bool instrumented_has_checks(LLVMValueRef function); // whether clang has instrumented the function
// lower_check.c
bool lower_check(struct lowering *l, LLVMValueRef call); // false: not a call of instrumented_rewrite
uint32_t lower_add_check(struct front *front, uint32_t kind, const char *text);

// lower_call.c, lower_intrinsic.c, lower_builtin.c (lower_asm)
void lower_call(struct lowering *l, LLVMValueRef call);
void lower_call_function(struct lowering *l, uint32_t function, uint32_t dst, uint32_t result_slots,
                         const struct operand *arguments, uint32_t count);
void lower_intrinsic(struct lowering *l, LLVMValueRef call, LLVMValueRef callee);
void lower_asm(struct lowering *l, LLVMValueRef call);

struct intrinsic {
    const char *name; // without the prefix "llvm." and the type suffixes
    void (*lower)(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
    enum ir_fn fn;
    uint32_t extra;
};
const struct intrinsic *lower_intrinsic_named(const char *name, size_t length); // without "llvm.", NULL: none
// Records a variable's name and line for its object in the frame.
void lower_declare(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_scope(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_result_zero(struct lowering *l, LLVMValueRef call);
void lower_memory_intrinsic(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_va_start(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
void lower_va_copy(struct lowering *l, LLVMValueRef call, const struct intrinsic *row);
bool lower_x86(struct lowering *l, LLVMValueRef call); // false: the runtime has no such function
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
void phi_collect(struct lowering *l);
void phi_emit_edge_copies(struct lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
bool phi_edge_has_copies(struct lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to);

// lower.c, assign.c, finish.c
// Emits NOT_MODELLED for an instruction on values of unsupported types; its result is zero.
void lower_unusable(struct lowering *l, LLVMValueRef instruction);
void lower_function(struct front *front, uint32_t index);
void lower_generated(struct front *front, uint32_t index, const uint32_t *callees, uint32_t count,
                     uint32_t parameters);
uint32_t lower_work_block_of(struct lowering *l, LLVMBasicBlockRef block);
void assign_registers(struct lowering *l);
void finish_function(struct lowering *l);

// ---- trace.c

// Appends the first unit's module as bitcode, with a call of __tamar_trace before each of `choices` in user code.
// Changes the module.
void trace_add(struct front *front, struct text *to);
void place_program(struct front *front, LLVMModuleRef module); // place.c

#endif
