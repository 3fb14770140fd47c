// Circuits of the floating-point kinds, exact to the bits of NaNs.
#ifndef TAMAR_BLAST_FLOAT_H
#define TAMAR_BLAST_FLOAT_H

#include "blast/gates.h"
#include "expr/expr.h"

// Estimates the number of gates, to reject circuits that are too large to build.
uint64_t float_cells(struct shape shape, unsigned operand_width);
// Builds the circuit. `args` are the operands' words, operand_width is the first one's width; `out` has shape.width
// gates.
void float_circuit(struct gates *gates, struct shape shape, unsigned operand_width, const gate *const *args,
                   gate *out);

#endif
