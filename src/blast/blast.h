// Bit-blasting: decides conjunctions of terms by gates and clauses. Each term is encoded once, each query is a set of
// assumptions. Arrays are substituted, expanded or refined.
//
// clang-format off
//     struct blaster *blaster = blaster_new(terms, &blast_all);
//     if (blaster_solve(blaster, conditions, count, &limits) == BLAST_YES)
//         blaster_byte(blaster, var, &value);
// clang-format on
//
// A blaster is one SAT instance that grows. The owner replaces it when blaster_size exceeds a limit. A blaster keeps no
// terms alive: entries of collected terms are dropped.
#ifndef TAMAR_BLAST_H
#define TAMAR_BLAST_H

#include "expr/expr.h"

struct array_value;
struct blaster;
struct sat_limits;
struct sat_statistics;

// BLAST_UNSUPPORTED: equality of arrays, or one term's circuit of more than 2^22 cells (a product of over 2,048 bits,
// a remainder of floats wider than double).
// BLAST_TOO_LARGE: the conditions together need more gates than the options allow.
enum blast_answer { BLAST_UNDECIDED, BLAST_YES, BLAST_NO, BLAST_UNSUPPORTED, BLAST_TOO_LARGE };

// The optimisations of Table 1 of the EXE paper: substitution, refinement, and simplification, which here is `sharing`
// and the rules of src/expr (terms_set_simplify). `expansion` is ours. Each can be switched off. Name, meaning.
#define BLAST_SWITCHES(X)                                                                                    \
    X(substitution, "elements of arrays are used directly, without a variable for each")                     \
    X(refinement, "array axioms are added when a model breaks them, not all at once")                        \
    X(expansion, "where refinement is on: few stores and small tables become multiplexers at once")          \
    X(sharing, "equal gates are built once, and simplified over two levels")

struct blast_options {
#define X(name, what) bool name;
    BLAST_SWITCHES(X)
#undef X
    uint32_t most_gates; // limit on the gates of an instance, 0: none
};

// Upper estimate of the memory of a gate, with its clauses in the SAT instance.
#define BLAST_GATE_BYTES 256
extern const struct blast_options blast_all;

#define BLAST_STATISTICS(X)                                                                                  \
    X(terms, "terms encoded")                                                                                \
    X(lazy_reads, "array reads axiomatized on demand")                                                       \
    X(rounds, "rounds of refinement")                                                                        \
    X(lemmas, "array axioms added")

struct blast_statistics {
#define X(name, what) uint64_t name;
    BLAST_STATISTICS(X)
#undef X
};

struct blaster *blaster_new(struct terms *terms, const struct blast_options *options);
void blaster_free(struct blaster *blaster);

// Whether the conjunction of the conditions (width 1) is satisfiable.
enum blast_answer blaster_solve(struct blaster *blaster, const Term *conditions, size_t count,
                                const struct sat_limits *limits);

// After BLAST_YES: the byte's value in the model. False: any value will do.
bool blaster_byte(struct blaster *blaster, uint32_t var, uint8_t *value);
// After BLAST_YES: the value of a declared array, which the caller frees. NULL: any value will do.
struct array_value *blaster_array(struct blaster *blaster, uint32_t var);
// After BLAST_NO: whether the condition was needed for the refutation.
bool blaster_failed(struct blaster *blaster, Term condition);

// Gates and SAT variables so far.
size_t blaster_size(const struct blaster *blaster);
const struct blast_statistics *blaster_statistics(const struct blaster *blaster);
const struct sat_statistics *blaster_sat_statistics(const struct blaster *blaster);

#endif
