// The registers that an instruction reads and writes: one description for the verifier, the front end's register
// assignment and the VM's provenance.
#ifndef TAMAR_IR_REGISTERS_H
#define TAMAR_IR_REGISTERS_H

#include "ir/ir.h"

// Called for each operand, reads before writes. `reg`: points to the number of its first register; `slots`: number of
// consecutive registers.
typedef void ir_visit_fn(void *context, uint32_t *reg, uint32_t slots, bool write);

// Calls `visit` for each operand of `insn`, which is followed by its second word if it has one. `arguments`: the
// function's argument lists.
void ir_visit_registers(struct ir_insn *insn, uint32_t *arguments, ir_visit_fn *visit, void *context);

#endif
