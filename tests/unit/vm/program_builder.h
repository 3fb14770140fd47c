// Builds a program in our IR, instruction by instruction. Targets are labels: a label may be used before its
// block is placed. One function at a time; the program is valid when the last one is finished (ir_verify).
#ifndef TAMAR_TEST_PROGRAM_BUILDER_H
#define TAMAR_TEST_PROGRAM_BUILDER_H

#include "base/vec.h"
#include "ir/ir.h"

struct builder {
    struct ir_program *program;
    struct ir_function *function; // function being built
    vec(struct ir_global) globals;
    vec(struct ir_edge) edges; // edges of the whole program; while a function is built, `to` is a label
    vec(struct ir_insn) code;
    vec(struct ir_block) blocks;
    vec(uint32_t) labels; // label to block
    vec(uint32_t) arguments;
    vec(uint64_t) constants;
    vec(struct ir_switch) switches;
    uint32_t first_block, first_edge; // first block and edge of this function
    uint32_t start, instructions;     // first word and number of instructions of this block
};

// Begins a program with these functions, which have no bodies yet.
void builder_open(struct builder *builder, const char *const *functions, uint32_t count);
// Adds a global and returns its address. Read-only globals are added first. A red zone of at least GLOBAL_GAP bytes
// follows each. `bytes` may be NULL.
#define GLOBAL_GAP 1024
uint64_t builder_global(struct builder *builder, const char *name, uint32_t size, bool readonly,
                        const void *bytes);
// Returns the complete program, which the caller frees (ir_program_free).
struct ir_program *builder_close(struct builder *builder);

void builder_function(struct builder *builder, uint32_t function, uint32_t registers, uint32_t parameters,
                      uint32_t results);
// Adds an object to the function's frame and returns its offset.
#define FRAME_GAP 256
uint32_t builder_local(struct builder *builder, uint32_t size);
void builder_finish(struct builder *builder);

uint32_t builder_label(struct builder *builder);
// Begins the block of this label. The previous block must have ended.
void builder_place(struct builder *builder, uint32_t label);

void put(struct builder *builder, enum ir_op op, unsigned aux, uint32_t dst, uint32_t a, uint32_t b);
// Adds the second word of a two-word instruction.
void put_extra(struct builder *builder, unsigned aux, uint32_t dst, uint32_t a, uint32_t b);
void put_constant(struct builder *builder, uint32_t dst, unsigned width, uint64_t value);

// An argument of a call: a register, or a constant.
struct argument {
    bool constant;
    uint64_t value;
};
#define REGISTER(r) ((struct argument){false, (r)})
#define CONSTANT(c) ((struct argument){true, (c)})
// Adds a call; `dst` receives its result, if any.
#define put_call(builder, function, dst, results, ...)                                                       \
    put_call_list(builder, IR_CALL, function, dst, results, (const struct argument[]){__VA_ARGS__},          \
                  COUNT(((const struct argument[]){__VA_ARGS__})))
void put_call_list(struct builder *builder, enum ir_op op, uint32_t function, uint32_t dst, uint32_t results,
                   const struct argument *arguments, uint32_t count);

// Terminators: they end the block.
void put_jump(struct builder *builder, uint32_t label);
// `op` is IR_BR (on register a) or one of the IR_BR_ comparisons of a and b.
void put_branch(struct builder *builder, enum ir_op op, unsigned width, uint32_t a, uint32_t b, uint32_t yes,
                uint32_t no);
// Cases are ascending. `labels` has one label per case, then the label of the default, which no case may have.
void put_switch(struct builder *builder, unsigned width, uint32_t a, const uint64_t *values,
                const uint32_t *labels, uint32_t count);
void put_return(struct builder *builder, uint32_t a);
void put_end(struct builder *builder); // ends a block whose end no path reaches

#endif
