// Internals of the term context.
//
// A node is 64 bytes, one cache line, in one growing array; its index is its Term. Nodes with equal (kind, rounding,
// width, aux, args, contents) exist once: `buckets` is the hash table. A free slot has kind KIND_NONE and is chained
// from `free_head` through next. Slots are reused only after a collection, so ids are stable between collections.
//
// The last 32 bytes depend on the node:
// - a bit-vector of at most 64 bits: its facts. A constant's facts are exact: its value is `ones`.
// - a wider constant: `limbs`, allocated separately. Other wider nodes: unused (zero).
// - an array literal: `literal`, allocated separately, with elements packed if all are small constants.
// - other arrays: unused.
//
// `support` is an interned set of vars. Sets are hash-consed Patricia trees over blocks of 64 vars (support.c), in
// which a run of vars is one node. Unions are memoised.
//
// Builders (simplify_*.c) rewrite first and intern last. Rules may call builders. A guard counts how deep they nest and
// how many run below one construction: beyond RULE_DEPTH or RULE_WORK the node is interned without rules. The result is
// always equivalent; except in such cases it is also in normal form. No rule walks down more than a constant number of
// nodes. (Exceptions, walked in loops: sums of up to MAX_MONOMIALS, chains of concat and store.)
//
// Invariants: operands of a live node are live; operand sorts fit the kind; facts are sound and not contradictory;
// with simplification on, only CONST nodes have exact facts.
#ifndef TAMAR_EXPR_INT_H
#define TAMAR_EXPR_INT_H

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/run_limits.h"
#include "base/vec.h"
#include "expr/apply.h"
#include "expr/expr.h"
#include "expr/limbs.h"

#define RULE_DEPTH    24
#define RULE_WORK     20000 // rule applications below one construction
#define MAX_MONOMIALS 24
#define MAX_RUNS      8 // runs of equal elements of an array literal

struct literal {
    uint32_t count;
    uint8_t element_bytes; // 1, 2, 4, 8 when packed; 0: elements are terms
    // The number of runs of equal elements, if the literal is packed, long and has few runs, else 0; ends[i]: the index
    // just past run i.
    uint8_t runs;
    uint32_t size; // bytes allocated
    uint32_t ends[MAX_RUNS];
    struct facts facts; // facts that hold for all elements
};

// The elements follow the struct, packed or as terms; zero bytes pad them to a multiple of 8.
static inline uint8_t *literal_bytes(const struct literal *literal) {
    return (uint8_t *)(uintptr_t)(literal + 1);
}
static inline Term *literal_terms(const struct literal *literal) { return (Term *)(uintptr_t)(literal + 1); }

struct node {
    uint8_t kind;
    uint8_t rounding; // floats: the rounding mode; arrays: array_is_view
    uint16_t width;
    uint32_t next;
    uint32_t args[3]; // terms; BYTE, ARRAY_VAR: var; ARRAY_INPUT: input, size
    uint32_t aux;     // EXTRACT: low; arrays: index width; floats: format | source << 16
    uint32_t support;
    uint32_t hash;
    union {
        struct facts facts;
        uint64_t *limbs;
        struct literal *literal;
    };
};
_Static_assert(sizeof(struct node) == 64, "one cache line");

struct chunk {
    uint32_t start, first_var, count; // bytes [start, start + count) are vars from first_var on
};

struct input {
    char *name;
    uint32_t size;
    vec(struct chunk) chunks;
};

struct var {
    uint32_t input; // UINT32_MAX: a declared array
    uint32_t index; // of a byte: its index in the input; of an array: index into `arrays`
};

struct declared_array {
    char *name;
    uint16_t index_width, element_width;
    uint32_t var;
};

// A node of a set: a leaf holds vars key * 64 + i for the bits i; a branch splits on bit `branch` of the
// block number. A run holds all vars from `first` to `last`, which are in different blocks; its key and branch are
// those that a branch with these vars would have. No branch is made for vars that form one run, so that equal sets are
// equal nodes.
struct set_node {
    uint32_t key;    // leaf: the block; branch, run: the common prefix of block numbers, lower bits zero
    uint32_t branch; // 0: leaf; else a power of two
    uint32_t count : 31, is_run : 1; // number of vars in the set
    uint32_t next;
    union {
        uint64_t bits;
        VarSet sides[2];
        struct {
            uint32_t first, last;
        };
    };
};

struct set_memo {
    VarSet a, b, result;
};

struct callback {
    void (*call)(struct terms *, void *);
    void *context;
};

// The nodes visited by a walk. Walks may nest; each level has its own struct.
struct walk {
    vec(uint32_t) stamps;
    vec(Term) stack;
    uint32_t stamp;
};

struct terms {
    struct node *nodes; // [0] is not a node
    uint32_t count, capacity;
    uint32_t free_head, live;
    uint64_t *buckets;      // open addressing: hash << 32 | term, at most half full
    uint32_t bucket_count;  // a power of two
    uint32_t after_collect; // live nodes after the last collection
    uint64_t generation;
    uint64_t *marks; // only during a collection
    bool collecting;
    bool raw;    // simplification is off
    bool floats; // a floating-point node was made
    unsigned depth, work;
    Term false_term, true_term;
    Term constants[256]; // constants of at most 64 bits that were made last, by their hash; 0: none

    vec(struct input) inputs;
    struct map input_names; // hash of the name (probed) -> index << 1 | is_array
    vec(struct var) vars;
    vec(struct declared_array) arrays;

    vec(struct set_node) sets; // [0] is the empty set
    uint32_t *set_buckets;
    uint32_t set_bucket_count;
    struct set_memo *unions, *differences; // recent results

    struct map retained; // Term -> how often it is retained
    vec(struct callback) roots;
    vec(struct callback) forgets;
    vec(Term) mark_stack;
    vec(struct walk *) walks;
    uint32_t walk_depth;
    size_t outside; // bytes of limbs and literals
};

static inline const struct node *node_of(const struct terms *terms, Term t) {
    assert(t && t < terms->count && terms->nodes[t].kind != KIND_NONE);
    return &terms->nodes[t];
}
static inline enum kind kind_of(const struct terms *terms, Term t) {
    return (enum kind)node_of(terms, t)->kind;
}
static inline unsigned width_of(const struct terms *terms, Term t) { return node_of(terms, t)->width; }
static inline Term arg_of(const struct terms *terms, Term t, unsigned i) {
    assert(i < 3);
    return node_of(terms, t)->args[i];
}
static inline bool is_const(const struct terms *terms, Term t) { return kind_of(terms, t) == KIND_CONST; }
static inline bool is_kind(const struct terms *terms, Term t, enum kind kind) {
    return kind_of(terms, t) == kind;
}
static inline bool kind_is_array(enum kind kind) { return kind_infos[kind].properties & KP_ARRAY; }
static inline bool is_array(const struct terms *terms, Term t) { return kind_is_array(kind_of(terms, t)); }
// Whether t is a constant of at most 64 bits.
static inline bool is_small_const(const struct terms *terms, Term t) {
    return is_const(terms, t) && width_of(terms, t) <= 64;
}
static inline uint64_t value_of(const struct terms *terms, Term t) {
    assert(is_small_const(terms, t));
    return node_of(terms, t)->facts.ones;
}

// terms.c. Returns the node's term, found or made. Reads only kind, rounding, width, args, aux, limbs and literal, and
// takes ownership of the last two.
Term node_intern(struct terms *terms, struct node *proto);
Term node_intern1(struct terms *terms, enum kind kind, unsigned width, Term a);
Term node_intern2(struct terms *terms, enum kind kind, unsigned width, Term a, Term b);
Term node_intern3(struct terms *terms, enum kind kind, unsigned width, Term a, Term b, Term c);
void node_rehash(struct terms *terms, uint32_t bucket_count);
void node_release(struct terms *terms, struct node *node);

// The limbs of a constant, in its node.
const uint64_t *term_const_words(const struct terms *terms, Term t);
bool term_const_is_power(const struct terms *terms, Term t, unsigned *bit); // whether exactly one bit is set

// array_views.c. Whether the array is a view, or a chain of stores into one.
static inline bool array_is_view(const struct terms *terms, Term t) {
    assert(is_array(terms, t));
    return node_of(terms, t)->rounding;
}
Term array_views_select(struct terms *terms, Term array, Term index); // for an array with views below

// facts.c. Facts of a node derived from its operands; width at most 64.
struct facts facts_of(const struct terms *terms, const struct node *node);
struct facts facts_of_float(const struct terms *terms, const struct node *node);
// Whether the bits [low, low + n) of t are known, and their value. For any width; uses only facts and constants.
bool term_known_bits(const struct terms *terms, Term t, unsigned low, unsigned n, uint64_t *value);
// The number of high bits known to be zero; for any width.
unsigned term_leading_zeros(const struct terms *terms, Term t);

// support.c
void varsets_init(struct terms *terms);
void varsets_free(struct terms *terms);
VarSet term_input_support(struct terms *terms, uint32_t input, uint32_t size);
size_t varsets_memory(const struct terms *terms);

// apply.c; apply.h declares the rest.
struct shape node_shape(const struct node *node);
// Folds a bit-vector kind whose operands are all constants; else returns 0.
Term term_fold_constants(struct terms *terms, struct shape shape, const Term *args);

// walk.c
static inline bool walk_seen(struct walk *walk, Term t) { return walk->stamps.at[t] == walk->stamp; }
static inline void walk_see(struct walk *walk, Term t) { walk->stamps.at[t] = walk->stamp; }

// Called before and after a rule that calls builders. If rules_enter fails, the node is interned without rules.
static inline bool rules_enter(struct terms *terms) {
    if (terms->raw || terms->depth >= RULE_DEPTH) return false;
    if (terms->depth == 0) terms->work = 0;
    if (++terms->work > RULE_WORK) return false;
    terms->depth++;
    return true;
}
static inline void rules_leave(struct terms *terms) {
    assert(terms->depth > 0);
    terms->depth--;
}

// simplify_*.c: each tries its rules and returns 0 if none applies. Not all operands are constants.
Term simplify_not(struct terms *terms, Term a);
Term simplify_bitwise(struct terms *terms, enum kind kind, Term a, Term b);
Term simplify_add(struct terms *terms, Term a, Term b);
Term simplify_neg(struct terms *terms, Term a);
Term simplify_mul(struct terms *terms, Term a, Term b);
Term simplify_division(struct terms *terms, enum kind kind, Term a, Term b);
Term simplify_shift(struct terms *terms, enum kind kind, Term a, Term b);
Term simplify_concat(struct terms *terms, Term high, Term low);
Term simplify_extract(struct terms *terms, Term a, unsigned low, unsigned width);
Term simplify_sext(struct terms *terms, Term a, unsigned width);
Term simplify_eq(struct terms *terms, Term a, Term b);
Term simplify_ult(struct terms *terms, Term a, Term b);
Term simplify_slt(struct terms *terms, Term a, Term b);
Term simplify_ite(struct terms *terms, Term condition, Term a, Term b);
Term simplify_float(struct terms *terms, struct shape shape, const Term *args); // not for comparisons
Term simplify_float_compare(struct terms *terms, enum kind kind, fp_format f, Term a, Term b);

// linear.c: sums of monomials, for widths of at most 64.
struct monomial {
    uint64_t factor;
    Term base;
};
struct linear {
    unsigned width, count;
    uint64_t constant;
    struct monomial at[2 * MAX_MONOMIALS]; // sorted by base
};
// Writes t as a sum of monomials. False: too many monomials.
bool linear_of(struct terms *terms, Term t, struct linear *linear);
bool linear_combine(struct linear *sum, const struct linear *other, uint64_t factor);
Term linear_build(struct terms *terms, const struct linear *linear);
// Rewrites (x / y) * y to x - x % y where that makes the sum shorter.
void linear_contract(struct terms *terms, struct linear *sum);
// Multiplies out products of sums if at most one monomial is left in the end.
bool linear_expand(struct terms *terms, struct linear *sum);
// a * b with all factors in canonical order; 0 if there are only two, or too many.
Term product_order(struct terms *terms, Term a, Term b);
// x * factor as a node: neg, shift or mul.
Term linear_scale(struct terms *terms, Term x, uint64_t factor);

#endif
