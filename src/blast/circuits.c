#include "blast/circuits.h"

#include "base/alloc.h"

#include <string.h>

static gate *new_word(unsigned width) { return NEW_ARRAY(gate, width); } // all bits false
static void free_word(gate *word, unsigned width) { DELETE_ARRAY(word, width); }

// Whether all bits are constant.
static bool circuit_is_constant(const gate *a, unsigned width) {
    for (unsigned i = 0; i < width; i++)
        if (a[i] > 1) return false;
    return true;
}

static unsigned constant_bits(const gate *a, unsigned width) {
    unsigned count = 0;
    for (unsigned i = 0; i < width; i++) count += a[i] <= 1;
    return count;
}

void circuit_add(struct gates *gates, gate *out, const gate *a, const gate *b, gate carry, unsigned width) {
    for (unsigned i = 0; i < width; i++) {
        gate x = a[i], y = b[i];
        out[i] = gate_sum(gates, x, y, carry);
        if (i + 1 < width) carry = gate_carry(gates, x, y, carry);
    }
}

static void subtract(struct gates *gates, gate *out, const gate *a, const gate *b, unsigned width) {
    gate carry = GATE_TRUE;
    for (unsigned i = 0; i < width; i++) {
        gate x = a[i], y = gate_not(b[i]);
        out[i] = gate_sum(gates, x, y, carry);
        if (i + 1 < width) carry = gate_carry(gates, x, y, carry);
    }
}

void circuit_negate(struct gates *gates, gate *out, const gate *a, unsigned width) {
    gate carry = GATE_TRUE;
    for (unsigned i = 0; i < width; i++) {
        gate x = gate_not(a[i]);
        out[i] = gate_xor(gates, x, carry);
        carry = gate_and(gates, x, carry);
    }
}

void circuit_mux(struct gates *gates, gate *out, gate condition, const gate *a, const gate *b,
                 unsigned width) {
    for (unsigned i = 0; i < width; i++) out[i] = gate_mux(gates, condition, a[i], b[i]);
}

gate circuit_equal(struct gates *gates, const gate *a, const gate *b, unsigned width) {
    gate all = GATE_TRUE;
    for (unsigned i = 0; i < width && all != GATE_FALSE; i++)
        all = gate_and(gates, all, gate_equal(gates, a[i], b[i]));
    return all;
}

// a >= b exactly when a + ~b + 1 carries out.
gate circuit_less(struct gates *gates, const gate *a, const gate *b, unsigned width) {
    gate carry = GATE_TRUE;
    for (unsigned i = 0; i < width; i++) carry = gate_carry(gates, a[i], gate_not(b[i]), carry);
    return gate_not(carry);
}

gate circuit_less_signed(struct gates *gates, const gate *a, const gate *b, unsigned width) {
    gate carry = GATE_TRUE;
    for (unsigned i = 0; i + 1 < width; i++) carry = gate_carry(gates, a[i], gate_not(b[i]), carry);
    // The sign bits are compared the other way round.
    return gate_not(gate_carry(gates, b[width - 1], gate_not(a[width - 1]), carry));
}

// Multiplication by a constant, whose digits are recoded to -1, 0, 1 (non-adjacent form): at most every other bit
// costs an adder.
static void multiply_constant(struct gates *gates, gate *out, const gate *a, const gate *constant,
                              unsigned width) {
    gate *row = new_word(width);
    memset(out, 0, width * sizeof *out);
    bool carry = false;
    for (unsigned i = 0; i < width; i++) {
        unsigned sum = constant[i] + carry, next = i + 1 < width ? constant[i + 1] : 0;
        carry = sum + next >= 2 && sum;
        if (sum != 1) continue; // 0, or 2: only the carry
        memset(row, 0, i * sizeof *row);
        memcpy(row + i, a, (width - i) * sizeof *row);
        if (carry)
            subtract(gates, out, out, row, width);
        else
            circuit_add(gates, out, out, row, GATE_FALSE, width);
    }
    free_word(row, width);
}

// Shift and add: each row is added to the sum so far by a ripple-carry adder.
void circuit_multiply(struct gates *gates, gate *out, const gate *a, const gate *b, unsigned width) {
    assert(out != a && out != b);
    if (constant_bits(a, width) > constant_bits(b, width)) {
        const gate *t = a;
        a = b;
        b = t;
    }
    if (circuit_is_constant(b, width)) {
        multiply_constant(gates, out, a, b, width);
        return;
    }
    gate *row = new_word(width);
    memset(out, 0, width * sizeof *out);
    for (unsigned i = 0; i < width; i++) {
        if (b[i] == GATE_FALSE) continue;
        memset(row, 0, i * sizeof *row);
        for (unsigned k = i; k < width; k++) row[k] = gate_and(gates, a[k - i], b[i]);
        circuit_add(gates, out, out, row, GATE_FALSE, width);
    }
    free_word(row, width);
}

// Largest width of a remainder: the divisor's width if the divisor is known not to be zero (a remainder by zero is the
// dividend).
static unsigned remainder_bits(const gate *b, unsigned width) {
    bool nonzero = false;
    unsigned bits = width;
    for (unsigned i = 0; i < width; i++) nonzero |= b[i] == GATE_TRUE;
    while (nonzero && b[bits - 1] == GATE_FALSE) bits--;
    return bits;
}

// Restoring division. The partial remainder at step i is at most a >> i, which has width - i bits. So a set bit of the
// divisor above these decides the comparison (`above`), and only the lower bits are subtracted. After a step the
// partial remainder is less than the divisor: dividing by a small constant takes few gates a step.
void circuit_divide(struct gates *gates, gate *quotient, gate *remainder, const gate *a, const gate *b,
                    unsigned width) {
    gate *partial = new_word(width + 1), *difference = new_word(width + 1), *above = new_word(width + 1);
    above[width] = GATE_FALSE; // above[i]: some bit of b from i up is set
    for (unsigned i = width; i-- > 0;) above[i] = gate_or(gates, b[i], above[i + 1]);
    unsigned most = remainder_bits(b, width) + 1; // bits of the partial remainder, the new bit included
    for (unsigned i = width; i-- > 0;) {
        unsigned bits = MIN(width - i, most);
        memmove(partial + 1, partial, (bits - 1) * sizeof *partial);
        partial[0] = a[i];
        gate carry = GATE_TRUE;
        for (unsigned k = 0; k < bits; k++) {
            difference[k] = gate_sum(gates, partial[k], gate_not(b[k]), carry);
            carry = gate_carry(gates, partial[k], gate_not(b[k]), carry);
        }
        gate fits = gate_and(gates, carry, gate_not(above[bits]));
        quotient[i] = fits;
        circuit_mux(gates, partial, fits, difference, partial, bits);
        if (bits == most) partial[bits - 1] = GATE_FALSE;
    }
    memcpy(remainder, partial, width * sizeof *remainder);
    free_word(partial, width + 1);
    free_word(difference, width + 1);
    free_word(above, width + 1);
}

// log2(width) stages, each shifts by a power of two; amounts with a higher bit set shift everything out.
void circuit_shift(struct gates *gates, enum shift shift, gate *out, const gate *a, const gate *amount,
                   unsigned width) {
    gate fill = shift == SHIFT_RIGHT_SIGNED ? a[width - 1] : GATE_FALSE;
    gate *word = new_word(width), *moved = new_word(width);
    memcpy(word, a, width * sizeof *word);
    unsigned stage = 0;
    for (; stage < width && (1ull << stage) < width; stage++) {
        unsigned distance = 1u << stage;
        for (unsigned i = 0; i < width; i++) {
            bool left = shift == SHIFT_LEFT, inside = left ? i >= distance : i + distance < width;
            moved[i] = inside ? word[left ? i - distance : i + distance] : fill;
        }
        circuit_mux(gates, word, amount[stage], moved, word, width);
    }
    gate beyond = GATE_FALSE;
    for (; stage < width; stage++) beyond = gate_or(gates, beyond, amount[stage]);
    for (unsigned i = 0; i < width; i++) out[i] = gate_mux(gates, beyond, fill, word[i]);
    free_word(word, width);
    free_word(moved, width);
}
