// Inline assembly as LLVM operations. The template is parsed into instructions, and each common one (arithmetic, flags, bits, exchanges,
// products, cpuid, ...) becomes what it computes: straight-line code over the operands' values. Operands and registers named in the text are 64-bit
// values while the template runs; flags are single bits, or unknown. A template with anything else in it stays as it is, and is reported when it
// is executed.
#ifndef TAMAR_FRONT_ASSEMBLY_H
#define TAMAR_FRONT_ASSEMBLY_H

#include "front/front_int.h"

enum { ASM_MOST_INSTRUCTIONS = 64, ASM_MOST_OPERANDS = 3, ASM_REGISTERS = 16, ASM_MOST_CONSTRAINTS = 40 };

enum asm_prefix { ASM_REP = 1, ASM_REPNE = 2, ASM_LOCK = 4 };

enum asm_kind { ASM_NONE, ASM_IMMEDIATE, ASM_REGISTER, ASM_OPERAND, ASM_MEMORY };

// A place in the text: $5, %eax, $0 (the statement's operand), 8(%rsi), ($1).
struct asm_place {
    enum asm_kind kind;
    uint8_t number;       // of the register, or of the statement's operand; for memory: of the base
    bool base_is_operand; // for memory
    bool high;            // %ah
    uint8_t width;        // as the text says, 0: not said
    int64_t value;        // of the immediate; for memory the displacement
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

// Returns false for a text with labels, directives, or more than fits.
bool assembly_parse(const char *text, size_t length, struct asm_text *result);

// ---- translation

enum asm_flag { ASM_CF, ASM_ZF, ASM_SF, ASM_OF, ASM_PF, ASM_FLAGS };

struct asm_constraint {
    char text[24]; // without "=", "&", "*"
    bool output, clobber, indirect, flag_output;
    int tied;              // to which output, or -1
    int reg;               // fixed register, or -1
    bool x87;              // the top of the x87 stack
    LLVMValueRef argument; // of inputs and indirect outputs
    LLVMTypeRef type;      // of the value
    LLVMValueRef
        value; // i64 while the template runs; of x87 operands: x86_fp80; of others (vectors, floats): their own type
};

// Everything about the statement that is being translated. `failed`: leave it alone.
struct asm_state {
    struct front *front;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMContextRef context;
    struct asm_constraint operands[ASM_MOST_CONSTRAINTS];
    unsigned count;
    LLVMValueRef registers[ASM_REGISTERS]; // i64, or NULL: unknown
    LLVMValueRef flags[ASM_FLAGS];         // i1, or NULL: unknown
    LLVMValueRef stack[8];                 // i64, or NULL: unknown
    unsigned depth;
    bool failed;
};

typedef void (*asm_handler)(struct asm_state *s, const struct asm_instruction *insn, unsigned width);

// The handler of an instruction and the width that its name says (0: its operands say it), or NULL.
asm_handler assembly_handler(const char *name, unsigned *width);

// Values of places. Widths are 8, 16, 32, 64; writing 32 bits clears the upper half, writing fewer keeps it.
unsigned asm_width(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
LLVMTypeRef asm_int(struct asm_state *s, unsigned width);
LLVMValueRef asm_number(struct asm_state *s, unsigned width, uint64_t value);
LLVMValueRef asm_read(struct asm_state *s, const struct asm_place *place, unsigned width);
void asm_write(struct asm_state *s, const struct asm_place *place, unsigned width, LLVMValueRef value);
LLVMValueRef asm_read_register(struct asm_state *s, unsigned number, unsigned width);
void asm_write_register(struct asm_state *s, unsigned number, unsigned width, LLVMValueRef value);
LLVMValueRef asm_address(struct asm_state *s, const struct asm_place *place); // i64; only of memory
bool asm_is_memory(struct asm_state *s, const struct asm_place *place);
LLVMValueRef *
asm_slot(struct asm_state *s,
         const struct asm_place *place); // where a register's value is kept; NULL: not a register
LLVMValueRef asm_flag(struct asm_state *s, enum asm_flag flag);
LLVMValueRef asm_condition(struct asm_state *s, const char *name); // "ae", "c", "ne", ...; NULL: no such name
LLVMValueRef asm_intrinsic(struct asm_state *s, const char *name, LLVMTypeRef type, LLVMValueRef *arguments,
                           unsigned count);
LLVMValueRef asm_call(struct asm_state *s, const char *name, LLVMValueRef *arguments,
                      unsigned count);                           // of the runtime, of 64-bit values
void asm_result_flags(struct asm_state *s, LLVMValueRef result); // zero, sign, parity

// Handlers that have a file of their own.
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
void asm_cpuid(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_clock(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_float(struct asm_state *s, const struct asm_instruction *insn, unsigned width);
void asm_x87(struct asm_state *s, const struct asm_instruction *insn, unsigned width);

#endif
