// Which registers an instruction reads and writes: one description for the verifier, the front end's register
// assignment and the printer's tests.
#ifndef TAMAR_IR_REGISTERS_H
#define TAMAR_IR_REGISTERS_H

#include "ir/ir.h"

// Called for each operand: `place` is the field that names its first register, `slots` how many follow each
// other from there. Reads come before writes.
typedef void ir_visit_fn(void *context, uint32_t *place, uint32_t slots, bool write);

// `insn` points to the instruction (its second word behind it), `arguments` to the function's argument lists.
void ir_visit_registers(struct ir_insn *insn, uint32_t *arguments, ir_visit_fn *visit, void *context);

#endif
