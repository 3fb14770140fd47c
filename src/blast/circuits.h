// Circuits over words: arrays of gates, the lowest bit first. Every function writes `width` gates to `out`, which may
// be an operand unless said otherwise.
#ifndef TAMAR_CIRCUITS_H
#define TAMAR_CIRCUITS_H

#include "blast/gates.h"

void circuit_add(struct gates *gates, gate *out, const gate *a, const gate *b, gate carry, unsigned width);
void circuit_negate(struct gates *gates, gate *out, const gate *a, unsigned width);
void circuit_mux(struct gates *gates, gate *out, gate condition, const gate *a, const gate *b,
                 unsigned width);

// `out` must not be an operand.
void circuit_multiply(struct gates *gates, gate *out, const gate *a, const gate *b, unsigned width);

// Unsigned division as in SMT-LIB (by zero: all ones, and the dividend). `quotient` and `remainder` must not be
// operands.
void circuit_divide(struct gates *gates, gate *quotient, gate *remainder, const gate *a, const gate *b,
                    unsigned width);

enum shift { SHIFT_LEFT, SHIFT_RIGHT, SHIFT_RIGHT_SIGNED };
void circuit_shift(struct gates *gates, enum shift shift, gate *out, const gate *a, const gate *amount,
                   unsigned width);

gate circuit_equal(struct gates *gates, const gate *a, const gate *b, unsigned width);
gate circuit_less(struct gates *gates, const gate *a, const gate *b, unsigned width);
gate circuit_less_signed(struct gates *gates, const gate *a, const gate *b, unsigned width);

#endif
