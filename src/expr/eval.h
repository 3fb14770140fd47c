// Evaluation of terms under an assignment, and the table of all 256 values of a term over one input byte.
#ifndef TAMAR_EXPR_EVAL_H
#define TAMAR_EXPR_EVAL_H

#include "expr/expr.h"

// The value of a declared array: a default and exceptions, by index. Values of more than 64 bits are limbs.
struct array_value;
struct array_value *array_value_new(unsigned index_width, unsigned element_width);
void array_value_free(struct array_value *array);
void array_value_set_default(struct array_value *array, const uint64_t *element);
void array_value_set(struct array_value *array, const uint64_t *index, const uint64_t *element);
const uint64_t *array_value_get(const struct array_value *array, const uint64_t *index);
const uint64_t *array_value_default(const struct array_value *array);
// The i-th exception, in increasing order of index. Returns false if there is none.
bool array_value_entry(const struct array_value *array, uint32_t i, const uint64_t **index,
                       const uint64_t **element);

// Whether two arrays of the same sorts agree at every index.
bool array_value_equal(const struct array_value *a, const struct array_value *b);

// An assignment: vars that it does not cover are 0.
struct assignment {
    const uint8_t *bytes; // by var, `count` of them; used when `byte` is NULL
    uint32_t count;
    uint8_t (*byte)(void *context, uint32_t var);
    // The value of a declared array; NULL, or a NULL result: 0 everywhere.
    const struct array_value *(*array)(void *context, uint32_t var);
    void *context;
};

// An evaluator keeps the value of every node it has computed until the next evaluator_assign (which is O(1)). So
// evaluating many terms under one assignment costs each shared node once. The assignment is copied; the data it
// points to must not change.
struct evaluator;
struct evaluator *evaluator_new(struct terms *terms);
void evaluator_free(struct evaluator *evaluator);
void evaluator_assign(struct evaluator *evaluator, const struct assignment *assignment);
// Replaces the assignment by an equal one at another address. Computed values are kept.
void evaluator_move(struct evaluator *evaluator, const struct assignment *assignment);
// Nodes visited so far: a deterministic measure of the work.
uint64_t evaluator_visits(const struct evaluator *evaluator);
// The value of a term of at most 64 bits.
uint64_t evaluate(struct evaluator *evaluator, Term t);
// The value of a term of any width: ceil(width / 64) limbs, valid until the next call.
const uint64_t *evaluate_limbs(struct evaluator *evaluator, Term t);
// The value as a constant term.
Term evaluate_term(struct evaluator *evaluator, Term t);
// The whole value of an array term; the caller frees it.
struct array_value *evaluate_array(struct evaluator *evaluator, Term t);

// A tabulator computes a term's value for each of the 256 values of its only byte (term_single_var; at most 64 bits).
// Tables of inner nodes are kept, too, up to a memory limit.
struct tabulator;
struct tabulator *tabulator_new(struct terms *terms);
void tabulator_free(struct tabulator *tabulator);
// Fills table[v] with the value of t when the term's var is v. False if t has no single var or is wider than 64 bits.
bool tabulate(struct tabulator *tabulator, Term t, uint64_t table[256]);
// The set of values for which t (width 1) is true, kept by the tabulator until the next collection. NULL if t is not
// a predicate over one byte.
const uint64_t *tabulate_set(struct tabulator *tabulator, Term t); // 4 words, bit v of word v / 64

#endif
