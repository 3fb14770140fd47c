// Translates inline assembly to LLVM operations. The template is parsed into instructions, and the common ones
// (arithmetic, flags, bits, exchanges, products, cpuid, ...) are translated to straight-line code over the operands'
// values. While the template is translated, operands and named registers are 64-bit values; flags are single bits, or
// unknown. A template with any other instruction is left unchanged, and reported when it is executed.
#ifndef TAMAR_FRONT_ASSEMBLY_H
#define TAMAR_FRONT_ASSEMBLY_H

#include "front/front_int.h"

enum { ASM_MOST_INSTRUCTIONS = 64, ASM_MOST_OPERANDS = 3, ASM_REGISTERS = 16, ASM_MOST_CONSTRAINTS = 40 };
enum asm_register { ASM_RAX, ASM_RCX, ASM_RDX, ASM_RBX, ASM_RSP, ASM_RBP, ASM_RSI, ASM_RDI };

enum asm_prefix { ASM_REP = 1, ASM_REPNE = 2, ASM_LOCK = 4 };

enum asm_kind { ASM_NONE, ASM_IMMEDIATE, ASM_REGISTER, ASM_OPERAND, ASM_MEMORY };

// An operand of an instruction: $$5 (an immediate), %eax, $0 (an operand of the asm statement), 8(%rsi), ($1),
// (%rsi,$1,4).
struct asm_place {
    enum asm_kind kind;
    uint8_t number;       // number of the register or statement operand; for memory: number of the base
    bool base_is_operand; // for memory: the base is a statement operand, not a register
    bool no_base;         // for memory: (,$1,8)
    // For memory: the index, which like the base is a register or a statement operand, times scale; scale 0: none.
    bool index_is_operand;
    uint8_t index, scale;
    bool high;     // bits 8 to 15, as in %ah
    uint8_t width; // width in bits given by the text, 0: none
    int64_t value; // the immediate; for memory: the displacement
};

struct asm_instruction {
    char name[16];
    unsigned prefixes; // enum asm_prefix
    unsigned count;
    struct asm_place at[ASM_MOST_OPERANDS]; // in the order of the text: the destination is the last one
};

struct asm_text {
    unsigned count;
    struct asm_instruction at[ASM_MOST_INSTRUCTIONS];
};

// Parses a template. Returns false if it has labels, directives, or too many instructions.
bool assembly_parse(const char *text, size_t length, struct asm_text *result);

// ---- translation

enum asm_flag { ASM_CF, ASM_ZF, ASM_SF, ASM_OF, ASM_PF, ASM_FLAGS };

struct asm_constraint {
    char text[24]; // without "=", "&", "*"
    bool output, clobber, indirect, flag_output;
    int tied;              // number of the output that the input is tied to, or -1
    int reg;               // fixed register, or -1
    unsigned x87;          // 1: the top of the x87 stack, 2: the value below; 0: elsewhere
    LLVMValueRef argument; // the call's argument, for inputs and indirect outputs
    LLVMTypeRef type;      // type of the operand
    // The current value: i64; for vectors and floats a value of their type; for x87 inputs the initial one.
    LLVMValueRef value;
};

// The statement being translated. `failed`: it cannot be translated and is left unchanged.
struct asm_state {
    struct front *front;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMContextRef context;
    struct asm_constraint operands[ASM_MOST_CONSTRAINTS];
    unsigned count;
    // i64. NULL: never written; poison: holds a value that is not known here, such as the caller's rbx.
    LLVMValueRef registers[ASM_REGISTERS];
    LLVMValueRef flags[ASM_FLAGS]; // i1, or NULL: unknown
    LLVMValueRef stack[8];         // values that the template has pushed, in the form of `registers`
    LLVMValueRef x87[8];           // x86_fp80, the top last
    unsigned depth, x87_depth;
    bool failed;
};

typedef void (*asm_handler)(struct asm_state *s, const struct asm_instruction *insn, unsigned width);

// The handler of an instruction, or NULL. Sets *width to the width given by its name; 0: the operands determine it.
asm_handler assembly_handler(const char *name, unsigned *width);

// Returns true if the result of some instruction depends on the machine, which is modelled: cpuid, rdtsc, rdrand,
// syscall.
bool assembly_asks_machine(const struct asm_text *text);

// Builds the value of the time-stamp counter.
LLVMValueRef assembly_clock(LLVMBuilderRef builder, LLVMModuleRef module);

// Values of operands. Widths are 8, 16, 32, 64. Writing 32 bits clears the upper half of a register, writing fewer bits
// keeps the rest.
unsigned asm_width(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
LLVMTypeRef asm_int(struct asm_state *s, unsigned width);
LLVMValueRef asm_number(struct asm_state *s, unsigned width, uint64_t value);
LLVMValueRef asm_read(struct asm_state *s, const struct asm_place *place, unsigned width);
void asm_write(struct asm_state *s, const struct asm_place *place, unsigned width, LLVMValueRef value);
LLVMValueRef asm_read_register(struct asm_state *s, unsigned number, unsigned width);
void asm_write_register(struct asm_state *s, unsigned number, unsigned width, LLVMValueRef value);
LLVMValueRef asm_address(struct asm_state *s, const struct asm_place *place); // i64; only for memory operands
LLVMValueRef asm_pointer(struct asm_state *s, const struct asm_place *place); // the same as a pointer
bool asm_is_memory(struct asm_state *s, const struct asm_place *place);
// Returns the address of the operand's current i64 value; NULL: it is not in a register.
LLVMValueRef *asm_slot(struct asm_state *s, const struct asm_place *place);
LLVMValueRef asm_condition(struct asm_state *s, const char *name); // "ae", "c", "ne", ...; NULL: no such name
LLVMValueRef asm_intrinsic(struct asm_state *s, const char *name, LLVMTypeRef type, LLVMValueRef *arguments,
                           unsigned count);
// Calls a runtime function on 64-bit values, with that result type.
LLVMValueRef asm_call(struct asm_state *s, LLVMTypeRef result, const char *name, LLVMValueRef *arguments,
                      unsigned count);

// Builds a local variable of the function that has the statement.
LLVMValueRef asm_local(LLVMBuilderRef builder, LLVMTypeRef type);

// Handlers defined in assembly_wide.c.
void asm_multiply(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_multiply_signed(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_divide(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_divide_signed(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_exchange(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_exchange_add(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_compare_exchange(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_compare_exchange_pair(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_move_string(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_store_string(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_load_string(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_scan_string(struct asm_state *s, const struct asm_instruction *insn, unsigned width);

// Handlers defined in assembly_machine.c.
void asm_cpuid(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_clock(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_random(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_system_call(struct asm_state *s, const struct asm_instruction *insn, unsigned width);

// Handlers defined in assembly_float.c.
void asm_float_root(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_float_binary(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_float_round(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_float_compare(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_float_to_integer(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_integer_to_float(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_float_convert(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_x87(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_x87_constant(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_x87_exchange(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_x87_load(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_x87_store(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_control_word(struct asm_state *s, const struct asm_instruction *insn, unsigned width);

// Handlers defined in assembly_extensions.c.
void asm_carry_add(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_multiply_flagless(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_shift_flagless(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_and_not(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_lowest_bit(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_move_swapped(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_checksum(struct asm_state *s, const struct asm_instruction *insn, unsigned width);

#endif
