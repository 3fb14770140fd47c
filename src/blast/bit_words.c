#include "blast/bit_words.h"

#include "blast/circuits.h"

#include <string.h>

static gate *fresh(struct words *words, unsigned width) {
    return ARENA_ARRAY(words->arena, gate, MAX(width, 1u)); // all false
}

struct word word_copy(struct words *words, const gate *at, unsigned width) {
    gate *out = fresh(words, width);
    memcpy(out, at, width * sizeof *out);
    return (struct word){out, width};
}

struct word word_const(struct words *words, unsigned width, uint64_t value) {
    gate *out = fresh(words, width);
    for (unsigned i = 0; i < width && i < 64; i++) out[i] = value >> i & 1;
    return (struct word){out, width};
}

struct word word_ones(struct words *words, unsigned width) {
    gate *out = fresh(words, width);
    for (unsigned i = 0; i < width; i++) out[i] = GATE_TRUE;
    return (struct word){out, width};
}

struct word word_concat(struct words *words, struct word high, struct word low) {
    gate *out = fresh(words, high.width + low.width);
    memcpy(out, low.at, low.width * sizeof *out);
    memcpy(out + low.width, high.at, high.width * sizeof *out);
    return (struct word){out, high.width + low.width};
}

struct word word_pad(struct words *words, struct word a, unsigned count) {
    return word_concat(words, a, word_const(words, count, 0));
}

struct word word_zext(struct words *words, struct word a, unsigned width) {
    assert(width >= a.width);
    return word_concat(words, word_const(words, width - a.width, 0), a);
}

struct word word_sext(struct words *words, struct word a, unsigned width) {
    assert(width >= a.width);
    gate *out = fresh(words, width);
    for (unsigned i = 0; i < width; i++) out[i] = a.at[MIN(i, a.width - 1)];
    return (struct word){out, width};
}

struct word word_add(struct words *words, struct word a, struct word b) {
    assert(a.width == b.width);
    gate *out = fresh(words, a.width);
    circuit_add(words->gates, out, a.at, b.at, GATE_FALSE, a.width);
    return (struct word){out, a.width};
}

struct word word_sub(struct words *words, struct word a, struct word b) {
    assert(a.width == b.width);
    gate *out = fresh(words, a.width);
    for (unsigned i = 0; i < b.width; i++) out[i] = gate_not(b.at[i]);
    circuit_add(words->gates, out, a.at, out, GATE_TRUE, a.width);
    return (struct word){out, a.width};
}

struct word word_neg(struct words *words, struct word a) {
    gate *out = fresh(words, a.width);
    circuit_negate(words->gates, out, a.at, a.width);
    return (struct word){out, a.width};
}

struct word word_add_bit(struct words *words, struct word a, gate bit) {
    gate *out = fresh(words, a.width);
    for (unsigned i = 0; i < a.width; i++) {
        out[i] = gate_xor(words->gates, a.at[i], bit);
        bit = gate_and(words->gates, a.at[i], bit);
    }
    return (struct word){out, a.width};
}

struct word word_mux(struct words *words, gate condition, struct word a, struct word b) {
    assert(a.width == b.width);
    gate *out = fresh(words, a.width);
    circuit_mux(words->gates, out, condition, a.at, b.at, a.width);
    return (struct word){out, a.width};
}

struct word word_and_bit(struct words *words, struct word a, gate bit) {
    gate *out = fresh(words, a.width);
    for (unsigned i = 0; i < a.width; i++) out[i] = gate_and(words->gates, a.at[i], bit);
    return (struct word){out, a.width};
}

static struct word word_or(struct words *words, struct word a, struct word b) {
    assert(a.width == b.width);
    gate *out = fresh(words, a.width);
    for (unsigned i = 0; i < a.width; i++) out[i] = gate_or(words->gates, a.at[i], b.at[i]);
    return (struct word){out, a.width};
}

gate word_any(struct words *words, struct word a) {
    gate any = GATE_FALSE;
    for (unsigned i = 0; i < a.width; i++) any = gate_or(words->gates, any, a.at[i]);
    return any;
}

gate word_all(struct words *words, struct word a) {
    gate all = GATE_TRUE;
    for (unsigned i = 0; i < a.width; i++) all = gate_and(words->gates, all, a.at[i]);
    return all;
}

gate word_equal(struct words *words, struct word a, struct word b) {
    assert(a.width == b.width);
    return circuit_equal(words->gates, a.at, b.at, a.width);
}

gate word_less(struct words *words, struct word a, struct word b) {
    assert(a.width == b.width);
    return circuit_less(words->gates, a.at, b.at, a.width);
}

gate word_less_signed(struct words *words, struct word a, struct word b) {
    assert(a.width == b.width);
    return circuit_less_signed(words->gates, a.at, b.at, a.width);
}

struct word word_shift_left(struct words *words, struct word a, struct word amount) {
    gate beyond = GATE_FALSE;
    for (unsigned stage = 0; stage < amount.width; stage++) {
        if (stage >= 31 || 1u << stage >= a.width) {
            beyond = gate_or(words->gates, beyond, amount.at[stage]);
            continue;
        }
        struct word moved = word_slice(word_pad(words, a, 1u << stage), 0, a.width);
        a = word_mux(words, amount.at[stage], moved, a);
    }
    return word_and_bit(words, a, gate_not(beyond));
}

struct word word_shift_right_sticky(struct words *words, struct word a, struct word amount) {
    gate beyond = GATE_FALSE;
    for (unsigned stage = 0; stage < amount.width; stage++) {
        unsigned distance = stage < 31 ? 1u << stage : UINT32_MAX;
        if (distance >= a.width) {
            beyond = gate_or(words->gates, beyond, amount.at[stage]);
            continue;
        }
        struct word moved = word_zext(words, word_slice(a, distance, a.width - distance), a.width);
        // The lowest bit may be sticky already: if it is shifted out, `lost` keeps it.
        gate lost = word_any(words, word_slice(a, 0, distance));
        moved = word_or(words, moved, word_zext(words, word_bit(words, lost), a.width));
        a = word_mux(words, amount.at[stage], moved, a);
    }
    struct word rest = word_zext(words, word_bit(words, word_any(words, a)), a.width);
    return word_mux(words, beyond, rest, a);
}

struct word word_normalise(struct words *words, struct word a, const struct word *limit,
                           struct word *amount) {
    unsigned stages = 0;
    while ((1u << stages) < a.width) stages++;
    gate *bits = fresh(words, stages);
    struct word left = limit ? *limit : (struct word){0}; // distance that may still be shifted
    for (unsigned stage = stages; stage-- > 0;) {
        unsigned distance = 1u << stage;
        gate shift = gate_not(word_any(words, word_slice(a, a.width - distance, distance)));
        if (limit && stage < left.width) {
            struct word high = word_slice(left, stage, left.width - stage);
            shift = gate_and(words->gates, shift, word_any(words, high));
            struct word less = word_sub(words, high, word_const(words, high.width, 1));
            high = word_mux(words, shift, less, high);
            left = word_concat(words, high, word_slice(left, 0, stage));
        } else if (limit) {
            shift = GATE_FALSE; // the limit is below this stage's distance
        }
        struct word moved = word_slice(word_pad(words, a, distance), 0, a.width);
        a = word_mux(words, shift, moved, a);
        bits[stage] = shift;
    }
    *amount = (struct word){bits, stages};
    return a;
}
