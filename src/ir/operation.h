// The source operation that an instruction was compiled from. Two instructions have the same one if they are copies of
// each other: from a function that was inlined several times, or that a header defines for several files.
#ifndef TAMAR_IR_OPERATION_H
#define TAMAR_IR_OPERATION_H

#include "ir/ir.h"

struct ir_operation {
    uint32_t file, line, column; // line 0: the instruction has no source location; column is then its index
    uint32_t function;           // index into program->strings; without a location: index of the function
    uint32_t ordinal;            // number among the instructions with this opcode at this location
};

struct ir_operation ir_operation_at(const struct ir_program *program, const struct ir_function *function,
                                    uint32_t instruction);
bool ir_operation_equal(const struct ir_operation *a, const struct ir_operation *b);

#endif
