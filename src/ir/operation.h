// The operation of the source that an instruction belongs to. Two instructions belong to the same one when they are copies of
// each other: a function that was inlined into several others, or that a header defines for several files.
#ifndef TAMAR_IR_OPERATION_H
#define TAMAR_IR_OPERATION_H

#include "ir/ir.h"

struct ir_operation {
    uint32_t file, line, column; // line 0: the instruction has no position; column is then its index
    uint32_t function;           // index into program->strings; without a position: index of the function
    uint32_t ordinal;            // among the instructions with this opcode at this position
};

struct ir_operation ir_operation_at(const struct ir_program *program, const struct ir_function *function,
                                    uint32_t instruction);
bool ir_operation_equal(const struct ir_operation *a, const struct ir_operation *b);

#endif
