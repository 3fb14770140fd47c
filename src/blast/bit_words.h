// Words as values, for circuits that are written like expressions. A word is an array of gates with its width, the
// lowest bit first. It is in an arena until the circuit is complete, and is never changed.
#ifndef TAMAR_BLAST_BIT_WORDS_H
#define TAMAR_BLAST_BIT_WORDS_H

#include "base/arena.h"
#include "blast/gates.h"

struct word {
    const gate *at;
    unsigned width;
};

struct words {
    struct gates *gates;
    struct arena *arena;
};

struct word word_copy(struct words *words, const gate *at, unsigned width);
struct word word_const(struct words *words, unsigned width, uint64_t value);
struct word word_ones(struct words *words, unsigned width);
static inline struct word word_bit(struct words *words, gate bit) { return word_copy(words, &bit, 1); }

// Bits [low, low + width); shares the bits.
static inline struct word word_slice(struct word a, unsigned low, unsigned width) {
    assert(low + width <= a.width);
    return (struct word){a.at + low, width};
}
static inline gate word_top(struct word a) { return a.at[a.width - 1]; }
struct word word_concat(struct words *words, struct word high, struct word low);
// Appends `count` zeros below the lowest bit.
struct word word_pad(struct words *words, struct word a, unsigned count);
struct word word_zext(struct words *words, struct word a, unsigned width);
struct word word_sext(struct words *words, struct word a, unsigned width);

// The operands and the result have the same width.
struct word word_add(struct words *words, struct word a, struct word b);
struct word word_sub(struct words *words, struct word a, struct word b);
struct word word_neg(struct words *words, struct word a);
struct word word_add_bit(struct words *words, struct word a, gate bit); // a + bit
struct word word_mux(struct words *words, gate condition, struct word a, struct word b);
struct word word_and_bit(struct words *words, struct word a, gate bit); // bit ? a : 0

gate word_any(struct words *words, struct word a);
gate word_all(struct words *words, struct word a);
gate word_equal(struct words *words, struct word a, struct word b);
gate word_less(struct words *words, struct word a, struct word b);
gate word_less_signed(struct words *words, struct word a, struct word b);

// Shifts by an unsigned amount of any width. The sticky shift sets the lowest bit if a one is shifted out.
struct word word_shift_left(struct words *words, struct word a, struct word amount);
struct word word_shift_right_sticky(struct words *words, struct word a, struct word amount);

// Shifts left until the top bit is set, but by at most `limit` (NULL: no limit); *amount is the distance. A zero
// stays zero.
struct word word_normalise(struct words *words, struct word a, const struct word *limit, struct word *amount);

#endif
