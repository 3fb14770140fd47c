// Parts of the verifier; private to the folder. See verify.c.
#ifndef TAMAR_IR_VERIFY_H
#define TAMAR_IR_VERIFY_H

#include "ir/ir.h"

struct verifier {
    const struct ir_program *program;
    const struct ir_function *function; // NULL: the program as a whole
    uint32_t instruction;
    uint8_t *edge_seen;
    bool failed;
    char message[400];
};

// Records the first violation, with its program point. Always returns false: a check is `return verify_fail(...)`.
bool verify_fail(struct verifier *v, const char *format, ...) PRINTF(2, 3);

// The block that starts at this instruction, or UINT32_MAX.
uint32_t verify_block_starting_at(const struct ir_function *function, uint32_t instruction);
// Calls `visit` for each edge out of a block, with the target as an instruction. Returns false if a call does.
bool verify_each_target(struct verifier *v, uint32_t block,
                        bool (*visit)(struct verifier *v, uint32_t block, uint32_t target, uint32_t edge,
                                      void *context),
                        void *context);

bool verify_instruction(struct verifier *v, const struct ir_insn *insn);
bool verify_data(struct verifier *v);
// Checks that every register is written before it is read, on every path.
bool verify_assignment(struct verifier *v);

#endif
