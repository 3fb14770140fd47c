// Random terms, and an evaluator that shares no code with the one under test.
//
// A trace is a list of operations over earlier entries: the unsimplified expression. Each entry is also
// built as a term. The evaluator computes every entry bit by bit, arrays as full tables; entries come in
// order, so the first one whose term disagrees has operands that agree: it is the shrunk failure.
#ifndef TAMAR_RANDOM_TERM_H
#define TAMAR_RANDOM_TERM_H

#include "base/random.h"
#include "base/vec.h"
#include "expr/eval.h"
#include "expr/expr.h"

#define RANDOM_MAX_WIDTH 320
#define RANDOM_MAX_INDEX 6 // index bits of arrays

// One bit per byte, least significant first.
struct bits {
    uint16_t width;
    uint8_t at[RANDOM_MAX_WIDTH];
};

struct entry {
    struct shape shape;
    uint32_t args[3];     // earlier entries
    uint32_t from, count; // BYTE: the var; ARRAY_INPUT: count bytes; ARRAY_LITERAL: elements are
                          // trace->elements from `from`
    struct bits constant;
    Term term;
};

struct trace {
    struct terms *terms;
    struct random random;
    uint32_t input, input_size;
    unsigned widths[4]; // widths that this trace prefers
    unsigned max_width; // largest width that is chosen freely
    bool arrays, floats;
    vec(struct entry) entries;
    vec(uint32_t) elements;
    vec(uint32_t) array_vars; // entries that are declared arrays
};

struct trace_options {
    uint32_t input_size; // bytes of the input "in"
    unsigned max_width;  // 1 to 128
    bool arrays, floats;
};

struct trace *trace_new(struct terms *terms, uint64_t seed, const struct trace_options *options);
void trace_free(struct trace *trace);
// Adds operations (and the entries that they need).
void trace_grow(struct trace *trace, uint32_t count);
// A random entry that is a bit-vector of this width; makes one if there is none.
uint32_t trace_pick(struct trace *trace, unsigned width);
// An entry of one bit that is not constant, if there is one.
uint32_t trace_pick_condition(struct trace *trace);

// An assignment of the inputs, and of the declared arrays by a seed.
struct values {
    const uint8_t *bytes; // by var
    uint32_t count;
    uint64_t array_seed;
    struct bits *at;     // by entry: bit-vectors
    struct bits **array; // by entry: arrays, as tables
    uint32_t entries;
};

struct values *trace_evaluate(struct trace *trace, const uint8_t *bytes, uint32_t count, uint64_t array_seed);
void values_free(struct values *values);
// The same assignment for the evaluator under test.
struct assignment values_assignment(struct values *values, struct trace *trace);
void values_drop_assignment(struct assignment *assignment);

// Whether the limbs have this value.
bool bits_equal(const struct bits *bits, const uint64_t *limbs);
uint64_t bits_low(const struct bits *bits); // the low 64 bits
void bits_limbs(const struct bits *bits, uint64_t *limbs);
// "add(e3, e5) : 8", for reports.
void trace_describe(const struct trace *trace, uint32_t i, char *text, size_t size);

#endif
