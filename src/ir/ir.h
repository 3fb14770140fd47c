// The IR that the VM executes; the front end lowers LLVM IR to it. Each function is a dense array of fixed-size
// instructions over numbered registers. Addresses, layouts and branch targets are resolved, and every instruction has a
// source location, which may be unknown. A program is immutable once built: all states share it.
#ifndef TAMAR_IR_H
#define TAMAR_IR_H

#include "base/base.h"
#include "ir/ops.h"

#include <stdio.h>

enum ir_op {
#define OP(name, format, fn, width) IR_##name,
    IR_OP_TABLE(OP)
#undef OP
        IR_OP_COUNT
};

enum ir_fn { // integer functions first, then float functions
    IR_FN_NONE,
#define INT(name, arity, result) IR_FN_##name,
    IR_INT_TABLE(INT)
#undef INT
#define FLOAT(name, arity) IR_FN_##name,
        IR_FLOAT_TABLE(FLOAT)
#undef FLOAT
            IR_FN_COUNT
};

enum ir_float { IR_F16, IR_BF16, IR_F32, IR_F64, IR_F80, IR_F128, IR_FLOAT_COUNT };
static inline unsigned ir_float_width(enum ir_float format) {
    static const uint8_t width[] = {16, 16, 32, 64, 80, 128};
    return width[format];
}

// One instruction. Two-word instructions are followed by an EXTRA (their "second word"): formats marked +1.
struct ir_insn {
    uint16_t op;  // enum ir_op
    uint16_t aux; // width, scale, predicate or number of slots, depending on the format
    uint32_t dst;
    uint32_t a;
    uint32_t b;
};
_Static_assert(sizeof(struct ir_insn) == 16, "instructions are dense");

// The meaning of an instruction's fields. R: a register that is written (dst) or read (a, b); I: immediate,
// zero-extended; J: immediate, sign-extended. For formats without a comment, ops.h explains the fields of their
// operations.
enum ir_format {
    IR_FORMAT_RRR,     // dst = a, b
    IR_FORMAT_RRI,     // dst = a, imm
    IR_FORMAT_RRJ,     // dst = a, signed imm
    IR_FORMAT_RR,      // dst = a
    IR_FORMAT_RJ,      // dst = signed b
    IR_FORMAT_R,       // dst
    IR_FORMAT_A,       // reads a
    IR_FORMAT_AAA,     // reads dst, a, b
    IR_FORMAT_INT,     // dst = a, b; +1: dst = enum ir_fn, a = third operand, aux = result width
    IR_FORMAT_FLOAT,   // dst = a, b; +1: dst = enum ir_fn, a = third operand, b = predicate, format or width
    IR_FORMAT_IMM,     // dst = a | b << 32
    IR_FORMAT_POOL,    // dst... = constants[a...]
    IR_FORMAT_SELECT,  // dst = a ? b : c; +1: a = c
    IR_FORMAT_PARTS,   // dst, a, b parts; +1: a = bits of each part
    IR_FORMAT_LEA,     // dst = a + b * aux
    IR_FORMAT_LEA_I,   // dst = a + signed b
    IR_FORMAT_LOAD,    // dst = [a + signed b]
    IR_FORMAT_STORE,   // [a + signed b] = dst
    IR_FORMAT_STORE_I, // [a + signed b] = dst as signed immediate
    IR_FORMAT_LOADA,   // dst = [absolute a]
    IR_FORMAT_STOREA,  // [absolute a] = dst
    IR_FORMAT_LOADX,   // dst = [a + b * aux]; see ir_narrow_index
    IR_FORMAT_STOREX,  // [a + b * aux] = dst
    IR_FORMAT_CHECK,   // reads a, b; dst = enum ir_fn
    IR_FORMAT_HOLDS,   // reads a; b = index of the check; +1: reads a and b, of one slot each
    IR_FORMAT_BELOW,   // reads a; dst = bound, zero-extended; b = index of the check
    IR_FORMAT_JMP,
    IR_FORMAT_BR,  // reads a; +1: dst = edge (1), edge + 1 (0); a, b = targets
    IR_FORMAT_BRR, // reads a, b; +1 as BR
    IR_FORMAT_BRI, // reads a, imm b; +1 as BR
    IR_FORMAT_BRJ, // reads a, signed imm b; +1 as BR
    IR_FORMAT_SWITCH,
    IR_FORMAT_GOTO,
    IR_FORMAT_RET,
    IR_FORMAT_END, // terminator without operands
    IR_FORMAT_CALL,
    IR_FORMAT_CALL_R,
    IR_FORMAT_TEXT,
    IR_FORMAT_MARK,  // a = number of the mark, or with IR_MARK_ENTRY the function that is entered
    IR_FORMAT_SCOPE, // dst = offset in the frame, a = index of the alloca, b = its size
    IR_FORMAT_PLAIN,
};

struct ir_op_info {
    const char *name;
    uint8_t format; // enum ir_format
    uint8_t fn;     // enum ir_fn
    uint8_t width;  // fixed operand width, or 0: aux
    uint8_t words;  // 1 or 2
    bool terminator;
};
extern const struct ir_op_info ir_op_info[IR_OP_COUNT];

// Whether the instruction has several successors: two-way branches, switches, computed gotos.
static inline bool ir_is_branch(unsigned op) {
    return (ir_op_info[op].format >= IR_FORMAT_BR && ir_op_info[op].format <= IR_FORMAT_BRJ) ||
           ir_op_info[op].format == IR_FORMAT_SWITCH || ir_op_info[op].format == IR_FORMAT_GOTO;
}

// Whether a word counts as an executed instruction: second words and scope markers do not.
static inline bool ir_is_counted(unsigned op) {
    return op != IR_EXTRA && ir_op_info[op].format != IR_FORMAT_SCOPE;
}

struct ir_fn_info {
    const char *name;
    uint8_t arity;
    char result; // S, B, V, C as in IR_INT_TABLE; F for float functions
};
extern const struct ir_fn_info ir_fn_info[IR_FN_COUNT];

// Whether the index in b is a signed 32-bit number.
static inline bool ir_narrow_index(enum ir_op op) {
    return op == IR_LEA_S32 || op == IR_LEAG_S32 || (op >= IR_LOADX8_S32 && op <= IR_STOREX64_S32) ||
           (op >= IR_LOADG8_S32 && op <= IR_STOREG64_S32);
}

// The variant of an operation without the check against the object of its base; the operation itself if it has none.
static inline enum ir_op ir_unchecked(enum ir_op op) {
    if (op == IR_LEA || op == IR_LEA_S32) return (enum ir_op)(op - IR_LEA + IR_LEAG);
    if (op == IR_LEA_I) return IR_ADD64_I;
    if (op == IR_EXPOSED) return IR_MOV;
    if (op >= IR_LOADX8 && op <= IR_STOREX64_S32) return (enum ir_op)(op - IR_LOADX8 + IR_LOADG8);
    if (op >= IR_LOADF8 && op <= IR_LOADF64) return (enum ir_op)(op - IR_LOADF8 + IR_LOAD8);
    if (op >= IR_STOREF8 && op <= IR_STOREF64) return (enum ir_op)(op - IR_STOREF8 + IR_STORE8);
    if (op >= IR_STOREF8_I && op <= IR_STOREF64_I) return (enum ir_op)(op - IR_STOREF8_I + IR_STORE8_I);
    return op;
}

static inline unsigned ir_slots(unsigned width) { return (width + 63) / 64; }

// The address space. Code and data addresses fit a 32-bit immediate.
#define IR_CODE_BASE  0x00100000u // function i is at IR_CODE_BASE + 16 * i
#define IR_LABEL_BASE 0x06000000u // label i (computed goto) is at IR_LABEL_BASE + i
#define IR_DATA_BASE                                                                                         \
    0x08000000u // globals: read-only ones first, then the writable ones, with red zones between

struct ir_location {
    uint32_t file, line, column; // file: index into program->files
    uint32_t inlined_at;         // another location, or 0
    uint32_t function;           // index into program->strings: the (inlined) function's name
};

// A check of HOLDS or BELOW: the bug to report if it fails.
struct ir_check {
    uint32_t kind; // enum bug_kind
    // Message: index into program->strings. %1 and %2 in it are the registers of HOLDS's second word; both are `a` for
    // BELOW.
    uint32_t text;
    struct ir_check_value {
        uint8_t width; // bits, up to 64
        bool is_signed, is_address;
    } values[2];
    // For a subscript of a whole variable:
    uint64_t scale;   // size of an element; 0: not a subscript of a whole variable
    uint64_t address; // of the variable; 0: it is local
    uint32_t local;   // alloca of a local variable
};

struct ir_block {
    uint32_t start, end; // instructions [start, end) of the function
};

struct ir_edge {
    uint32_t from, to; // blocks, numbered over the whole program
};

struct ir_switch {
    uint32_t count;
    uint64_t *values;          // ascending, unsigned
    uint32_t *targets, *edges; // cases with the same target have the same edge
    uint32_t default_target, default_edge;
    bool dense; // values are values[0], values[0] + 1, ... without gaps
};

struct ir_goto {
    uint32_t count;
    uint32_t *labels;  // indices into program->labels, all of this function, ascending
    uint32_t *targets; // successor for each label: the label's block, or a block of copies before it
    uint32_t *edges;
};

struct ir_label {
    uint32_t function, target; // target: index of an instruction
};

struct ir_alloca {
    uint64_t offset, size; // in the frame's memory
    uint32_t name;         // index into program->strings, 0: none
    uint32_t location;
    bool begins_later; // its lifetime begins at a SCOPE_BEGIN, not with the frame
};

// An argument of a call: a register, or with IR_CONSTANT set an index into the function's constants.
#define IR_CONSTANT 0x80000000u
// A call's list in function->arguments: a header, then one entry per slot. The last entry of a variadic call is the
// address of a buffer with the variadic arguments, in the caller's frame. Usually the buffer has the layout of the
// ABI's overflow area, as if no argument were in a register (va_start: gp_offset 48, fp_offset 176): a read of an
// argument that was not passed is then out of bounds. If an argument may be a struct that is aligned to 16, its
// position in the buffer depends on whether it is in registers. The buffer is then the ABI's register save area (176
// bytes), followed by the overflow area, and its address is marked by IR_VARIADIC_REGISTERS.
#define IR_VARIADIC_REGISTERS 1u
#define IR_CALL_VARIADIC      0x80000000u // flag in the header, beside the number of slots (the buffer's included)

// Types, as far as lazy initialisation of objects needs them.
enum ir_type_kind { IR_TYPE_OTHER, IR_TYPE_SCALAR, IR_TYPE_POINTER, IR_TYPE_RECORD, IR_TYPE_ARRAY };
struct ir_type {
    uint8_t kind;    // enum ir_type_kind
    uint64_t size;   // bytes, 0: unknown
    uint32_t target; // type that a pointer points to, or of an array's elements: index into program->types
    struct ir_member *members;
    uint32_t member_count;
};
struct ir_member {
    const char *name;
    uint64_t offset;
    uint32_t type;
};

// Flag of a MARK at the entry of a function. The front end inserts marks before the code of chosen source lines and at
// function entries (front/front.h). The VM reports when a path reaches a mark.
#define IR_MARK_ENTRY 0x80000000u

// The kind of a parameter in the source, for printing call stacks.
enum ir_parameter_kind {
    IR_PARAMETER_OTHER,
    IR_PARAMETER_SIGNED,
    IR_PARAMETER_UNSIGNED,
    IR_PARAMETER_CHAR,
    IR_PARAMETER_FLOAT,
    IR_PARAMETER_POINTER,
    IR_PARAMETER_STRING // points to characters
};

struct ir_parameter {
    const char *name; // "" when it has none
    uint16_t width;   // bits
    uint8_t kind;     // enum ir_parameter_kind
    uint32_t slots;
};

struct ir_function {
    const char *name;
    uint32_t index;
    struct ir_parameter *parameters; // only for user code; NULL: unknown
    uint32_t parameter_count;
    struct ir_insn *code; // NULL: no body (an intrinsic of the engine, or undefined)
    uint32_t *locations;  // one per instruction: index into program->locations, 0: unknown
    uint32_t code_count;
    uint32_t register_count;  // slots of a frame
    uint32_t parameter_slots; // registers 0..; a variadic function's buffer address comes right after
    uint32_t result_slots;
    bool variadic;
    bool local;                // static in C
    uint64_t unchecked;        // set of kinds of bugs not to report in it (no_sanitize)
    bool runtime;              // belongs to the C library or the system model, not to user code
    const char *native_origin; // without a body, but the linked program has native code of that name, from
                               // this file without bitcode; "": the file is not known; NULL: it has none
    uint64_t frame_size, frame_align; // memory for the fixed allocas; objects separated by red zones
    struct ir_alloca *allocas;        // by offset
    uint32_t alloca_count;
    struct ir_block *blocks;           // by start; blocks[0] is the entry
    uint32_t block_count, first_block; // numbers first_block.. in the whole program
    uint32_t first_position; // instruction i has position first_position + i; 0: runtime code has none
    uint32_t *arguments;
    uint32_t argument_count;
    uint64_t *constants;
    uint32_t constant_count;
    struct ir_switch *switches;
    uint32_t switch_count;
    struct ir_goto *gotos;
    uint32_t goto_count;
    uint32_t location;             // location of the definition
    const struct ir_member *slots; // one per parameter slot, type 0: not a pointer; NULL: not requested
    // For a function without a body: types of the result and then of each parameter, for native calls. 'v' void, a
    // digit: an integer of that many bytes, 'p' pointer, 'f' float, 'd' double, '?' another type.
    const char *signature;
};

struct ir_global {
    const char *name;
    uint64_t address; // offset in the thread's block for a thread-local variable
    uint64_t size, align;
    const uint8_t *bytes; // initial value, NULL: all zero
    bool readonly, thread_local_, local;
    bool runtime;  // belongs to the C library or the system model, not to user code
    uint32_t type; // index into program->types, 0: unknown, or not requested
    uint32_t location;
};

// A pointer in an initial value that was computed from a global but points outside of it (`a - 100`).
struct ir_left_pointer {
    uint64_t address; // address at which the pointer is stored
    uint64_t global;  // address of the global it was computed from; 0: computed as an integer
};

struct ir_program {
    uint32_t unlinked; // number of functions of user code left out because they are never referenced
    struct ir_function *functions;
    uint32_t function_count;
    struct ir_global *globals; // sorted by address; thread-local ones last
    uint32_t global_count, first_thread_local;
    struct ir_left_pointer *left_pointers;
    uint32_t left_pointer_count;
    uint64_t readonly_end; // [IR_DATA_BASE, readonly_end) is constant; a multiple of 4096
    uint64_t data_end;     // [readonly_end, data_end) is writable
    uint64_t tls_size, tls_align;
    struct ir_location *locations; // [0] is "unknown"
    uint32_t location_count;
    const char **files;
    uint32_t file_count;
    const char **strings; // [0] is ""
    uint32_t string_count;
    struct ir_label *labels;
    uint32_t label_count;
    struct ir_edge *edges;
    uint32_t edge_count, block_count, position_count; // positions: from 1 to position_count
    struct ir_check *checks;
    uint32_t check_count;
    uint32_t mark_count;   // marks of lines are numbered from 0
    struct ir_type *types; // [0] is unknown; only if requested
    uint32_t type_count;
    uint32_t *constructors, *destructors; // functions, in the order to call them
    uint32_t constructor_count, destructor_count;
    struct arena *arena; // owns everything above
};

const struct ir_function *ir_find_function(const struct ir_program *program, const char *name);
// Whether runs begin at LLVMFuzzerTestOneInput. A program that also has main begins at main.
bool ir_is_harness(const struct ir_program *program);
// Whether main is the usual driver for a harness without libFuzzer: it passes the content of the files that its
// arguments name to LLVMFuzzerTestOneInput.
bool ir_is_file_driver(const struct ir_program *program);
const struct ir_global *ir_find_global(const struct ir_program *program, const char *name);
// The function at this address, or NULL.
const struct ir_function *ir_function_at(const struct ir_program *program, uint64_t address);
// Sets taken[i] to 1 for each function whose address is taken in code or in the initial bytes of a global. Any number
// equal to its address counts. `own`: only user code and its globals, not the C library. The array must be zeroed.
void ir_find_taken(const struct ir_program *program, bool own, uint8_t *taken);
// The global that contains the address, or the nearest one. NULL: the address is outside of the data segment.
const struct ir_global *ir_global_near(const struct ir_program *program, uint64_t address);
// The position of an instruction. 0: runtime code has none.
static inline uint32_t ir_position(const struct ir_function *function, uint32_t instruction) {
    return function->first_position ? function->first_position + instruction : 0;
}
uint32_t ir_block_at(const struct ir_function *function, uint32_t instruction); // index within the function
void ir_program_free(struct ir_program *program);

void ir_print_function(FILE *out, const struct ir_program *program, const struct ir_function *function);
void ir_print(FILE *out, const struct ir_program *program);
// Checks every invariant of the IR. Returns NULL, or the first violation as text (static storage). Debug builds call it
// at the end of a load.
const char *ir_verify(const struct ir_program *program);

#endif
