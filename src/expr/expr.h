// Terms: hash-consed, simplified on construction, named by 32-bit ids.
//
// clang-format off
//     struct terms *terms = terms_new();
//     uint32_t input = terms_input(terms, "stdin", 4);
//     Term x = term_concat(terms, term_byte(terms, input, 1), term_byte(terms, input, 0));
//     Term c = term_ult(terms, x, term_const(terms, 16, 100));
// clang-format on
//
// - Equal expressions have equal ids: compare terms with ==. The builders normalise, so many equivalent expressions
//   have equal ids, too. A builder may return a term of any kind. Every rule preserves the meaning exactly.
// - A term is a bit-vector of 1 to 65,535 bits, or an array from bit-vectors to bit-vectors. Booleans have width 1.
// - Nodes have only kinds below KIND_CORE_COUNT (kinds.h), except views of arrays: only a store or another view may
//   have a view as operand. Operands are made before the node that uses them. But ids are reused after a collection, so
//   ids are NOT in topological order: use term_visit.
// - Ids stay valid until terms_collect, which keeps the terms reachable from retained terms (term_retain) and root
//   callbacks.
// - No function recurses over the depth of a term. There is no global state: contexts are independent, one thread
//   each.
#ifndef TAMAR_EXPR_H
#define TAMAR_EXPR_H

#include "expr/facts.h"
#include "expr/float_format.h"
#include "expr/kinds.h"

// 0: none. Below TERM_LIMIT, since tagged terms use the upper bits (state/tagged_term.h).
typedef uint32_t Term;

#define TERM_LIMIT (1u << 29)

#define TERM_MAX_WIDTH 65535u
#define VAR_NONE       UINT32_MAX

struct terms;

struct terms *terms_new(void);
void terms_free(struct terms *terms);

// ---- Inputs and variables ----
// An input is a named array of bytes. Each byte is a variable with a dense number ("var"); a model maps vars to bytes.
// A declared array (SMT-LIB) takes one var too, so that independence works on sets of vars alone.

// The input of that name, made if absent. Grows it to at least `size` bytes, never shrinks it.
uint32_t terms_input(struct terms *terms, const char *name, uint32_t size);
// The input of that name. UINT32_MAX: there is none.
uint32_t terms_find_input(const struct terms *terms, const char *name);
// Grows the input to at least `size` bytes.
void terms_grow_input(struct terms *terms, uint32_t input, uint32_t size);
uint32_t terms_input_count(const struct terms *terms);
const char *terms_input_name(const struct terms *terms, uint32_t input);
uint32_t terms_input_size(const struct terms *terms, uint32_t input);

// The number of vars, which are 0 ... count - 1.
uint32_t terms_var_count(const struct terms *terms);
// The var of a byte; index < size.
uint32_t terms_input_var(const struct terms *terms, uint32_t input, uint32_t index);
bool terms_var_is_array(const struct terms *terms, uint32_t var);
// The input and the index of a byte var.
uint32_t terms_var_input(const struct terms *terms, uint32_t var);
uint32_t terms_var_index(const struct terms *terms, uint32_t var);
// The name and the element width of a declared array.
const char *terms_array_name(const struct terms *terms, uint32_t var);
unsigned terms_array_element_width(const struct terms *terms, uint32_t var);

// ---- Leaves ----

// A constant. Bits of `value` above the width are ignored (width may exceed 64: zero-extended).
Term term_const(struct terms *terms, unsigned width, uint64_t value);
// A constant from ceil(width / 64) limbs, least significant first; bits above the width are ignored.
Term term_const_limbs(struct terms *terms, unsigned width, const uint64_t *limbs);
Term term_true(struct terms *terms);
Term term_false(struct terms *terms);
Term term_bool(struct terms *terms, bool value);
// The 8-bit variable of an input's byte.
Term term_byte(struct terms *terms, uint32_t input, uint32_t index);
Term term_var_byte(struct terms *terms, uint32_t var);
// Bytes [from, from + count) of an input as one little-endian bit-vector of 8 * count bits.
Term term_input_bits(struct terms *terms, uint32_t input, uint32_t from, uint32_t count);
// A bit-vector variable of any width: an input of that name of ceil(width / 8) bytes, little-endian, truncated.
Term term_variable(struct terms *terms, const char *name, unsigned width);

// ---- Bit-vectors: core and derived builders. Operand widths must agree where the table says KP_SAME ----

Term term_not(struct terms *terms, Term a);
Term term_and(struct terms *terms, Term a, Term b);
Term term_or(struct terms *terms, Term a, Term b);
Term term_xor(struct terms *terms, Term a, Term b);
Term term_neg(struct terms *terms, Term a);
Term term_add(struct terms *terms, Term a, Term b);
Term term_sub(struct terms *terms, Term a, Term b);
Term term_mul(struct terms *terms, Term a, Term b);
Term term_udiv(struct terms *terms, Term a, Term b);
Term term_urem(struct terms *terms, Term a, Term b);
Term term_sdiv(struct terms *terms, Term a, Term b);
Term term_srem(struct terms *terms, Term a, Term b);
Term term_shl(struct terms *terms, Term a, Term amount);
Term term_lshr(struct terms *terms, Term a, Term amount);
Term term_ashr(struct terms *terms, Term a, Term amount);
Term term_concat(struct terms *terms, Term high, Term low);
// Bits [low, low + width).
Term term_extract(struct terms *terms, Term a, unsigned low, unsigned width);
// Extends to a width not below the operand's.
Term term_zext(struct terms *terms, Term a, unsigned width);
Term term_sext(struct terms *terms, Term a, unsigned width);
// Converts to any width: zext, or extract of the low bits.
Term term_resize(struct terms *terms, Term a, unsigned width);
Term term_eq(struct terms *terms, Term a, Term b); // bit-vectors or arrays
Term term_ne(struct terms *terms, Term a, Term b);
Term term_ult(struct terms *terms, Term a, Term b);
Term term_ule(struct terms *terms, Term a, Term b);
Term term_slt(struct terms *terms, Term a, Term b);
Term term_sle(struct terms *terms, Term a, Term b);
Term term_implies(struct terms *terms, Term a, Term b);             // width 1
Term term_ite(struct terms *terms, Term condition, Term a, Term b); // bit-vectors or arrays

// ---- Arrays ----

// The first `size` bytes of the input as an array (element width 8); indices from `size` on yield 0.
Term term_input_array(struct terms *terms, uint32_t input, uint32_t size, unsigned index_width);
// A declared array. The same name gives the same array; 0 if it exists with other widths.
Term term_array_variable(struct terms *terms, const char *name, unsigned index_width, unsigned element_width);
// An array with `value` at every index.
Term term_array_const(struct terms *terms, unsigned index_width, Term value);
// An array with element i at index i, and 0 from `count` on: an object of mixed concrete and symbolic bytes.
Term term_array_literal(struct terms *terms, unsigned index_width, unsigned element_width,
                        const Term *elements, uint32_t count);
// An array literal of constants of 1, 2, 4 or 8 bytes each, little-endian.
Term term_array_bytes(struct terms *terms, unsigned index_width, unsigned element_bytes, const void *bytes,
                      uint32_t count);
// Turns an array of zeros with stores at constant indices, which is how SMT-LIB writes a table, into a literal. Any
// other array is returned unchanged, and so is one with few stores far apart.
Term term_array_gather(struct terms *terms, Term array);
Term term_select(struct terms *terms, Term array, Term index);
Term term_store(struct terms *terms, Term array, Term index, Term value);

// Views: arrays made of other arrays, for the content of an object after a block was copied into it. They can be read
// and stored to, but neither be compared nor be operands of term_ite.
//
// Element i is element i of `above` if i - at < count (modulo 2^index width), else element i of `below`.
Term term_array_splice(struct terms *terms, Term below, Term above, Term at, Term count);
// Element i is element i + distance of the array.
Term term_array_shift(struct terms *terms, Term array, Term distance);
// An array of narrower elements: each is cut into parts of `width` bits, the lowest first.
Term term_array_narrow(struct terms *terms, Term array, unsigned width);
// Whether the array is a view, or a chain of stores into one.
bool term_array_is_view(const struct terms *terms, Term array);
// The number of pairs of array and index that a read of the array visits; counting stops at `most`.
unsigned term_array_reads(struct terms *terms, Term array, unsigned most);

// ---- Floating point ----

Term term_fp_binary(struct terms *terms, enum kind kind, fp_format format, enum fp_rounding rounding, Term a,
                    Term b);
Term term_fp_unary(struct terms *terms, enum kind kind, fp_format format, enum fp_rounding rounding, Term a);
Term term_fp_fma(struct terms *terms, fp_format format, enum fp_rounding rounding, Term a, Term b, Term c);
// Builds FP_EQ, FP_LT, FP_LE or FP_UNORDERED.
Term term_fp_compare(struct terms *terms, enum kind kind, fp_format format, Term a, Term b);
// Builds FP_IS_NAN, FP_IS_INF and the other classifications.
Term term_fp_is(struct terms *terms, enum kind kind, fp_format format, Term a);
Term term_fp_to_fp(struct terms *terms, fp_format from, fp_format to, enum fp_rounding rounding, Term a);
Term term_fp_to_int(struct terms *terms, bool is_signed, fp_format from, enum fp_rounding rounding, Term a,
                    unsigned width);
Term term_int_to_fp(struct terms *terms, bool is_signed, fp_format to, enum fp_rounding rounding, Term a);

// ---- Generic construction ----

// All of a term except its operands.
struct shape {
    uint8_t kind;         // enum kind
    uint8_t rounding;     // enum fp_rounding, for KP_ROUNDS
    uint16_t width;       // width of the result; arrays: width of an element
    uint16_t index_width; // arrays only, else 0
    uint16_t low;         // EXTRACT only, else 0
    fp_format format;     // KP_FLOAT: format of operands and result; conversions: format of the float result
    fp_format source;     // FP_TO_FP, FP_TO_SINT, FP_TO_UINT: format of the operand
};

// Builds any kind of the table except leaves and literals, derived kinds included, through the simplifying builders.
// `term_make(terms, term_shape(terms, t), operands)` rebuilds a node with other operands (rebuild literals with
// term_array_literal). Only EXTRACT, SEXT, ZEXT, ARRAY_CONST and the conversions to integers read the shape's widths.
Term term_make(struct terms *terms, struct shape shape, const Term *operands);
// Builds a kind without parameters: `term_apply(terms, KIND_UMUL_OVERFLOW, a, b, 0)`.
Term term_apply(struct terms *terms, enum kind kind, Term a, Term b, Term c);

// ---- Inspecting terms ----

enum kind term_kind(const struct terms *terms, Term t);
struct shape term_shape(const struct terms *terms, Term t);
unsigned term_width(const struct terms *terms, Term t); // arrays: width of an element
bool term_is_array(const struct terms *terms, Term t);
unsigned term_index_width(const struct terms *terms, Term t); // width of an array's index; 0 for bit-vectors
// Number of operands that are terms; for literals the number of elements.
uint32_t term_arity(const struct terms *terms, Term t);
// Operand i, or element i of a literal (of a packed literal: makes the constant).
Term term_arg(struct terms *terms, Term t, uint32_t i);
unsigned term_low(const struct terms *terms, Term t); // EXTRACT: the lowest bit

bool term_is_const(const struct terms *terms, Term t);
// The value of a constant of at most 64 bits.
uint64_t term_value(const struct terms *terms, Term t);
// The value of any constant: ceil(width / 64) limbs, valid until the next construction.
const uint64_t *term_limbs(const struct terms *terms, Term t);
// Whether t is a constant whose bits are all 0; all 1.
bool term_is_zero(const struct terms *terms, Term t);
bool term_is_ones(const struct terms *terms, Term t);
// Bit i of a constant.
bool term_const_bit(const struct terms *terms, Term t, unsigned i);

uint32_t term_var(const struct terms *terms, Term t);              // BYTE, ARRAY_VAR
uint32_t term_array_input(const struct terms *terms, Term t);      // ARRAY_INPUT: which input
uint32_t term_array_input_size(const struct terms *terms, Term t); // ARRAY_INPUT: its length
// The elements of an ARRAY_LITERAL whose elements are all constants of at most 64 bits: `*element_bytes` (1, 2, 4 or
// 8) little-endian bytes each. NULL if the elements are terms.
const void *term_literal_packed(const struct terms *terms, Term t, unsigned *element_bytes);
// Whether t is a packed literal: a table of constants.
bool term_is_table(const struct terms *terms, Term t);
// Element i of a packed literal.
uint64_t term_literal_value(const struct terms *terms, Term t, uint32_t i);

// Known bits and range of a bit-vector of at most 64 bits; t must not be wider.
struct facts term_facts(const struct terms *terms, Term t);

// The support of a term: the set of vars that it depends on syntactically. Sets are interned: equal sets have equal
// ids, 0 is the empty set. A symbolic index into an input's array contributes all bytes of that array.
typedef uint32_t VarSet;
VarSet term_support(const struct terms *terms, Term t);
// The only var if the support is one byte, else VAR_NONE.
uint32_t term_single_var(const struct terms *terms, Term t);

uint32_t varset_count(const struct terms *terms, VarSet set);
bool varset_has(const struct terms *terms, VarSet set, uint32_t var);
VarSet varset_union(struct terms *terms, VarSet a, VarSet b); // memoised
VarSet varset_minus(struct terms *terms, VarSet a, VarSet b); // set difference
bool varset_meets(const struct terms *terms, VarSet a, VarSet b);
bool varset_subset(const struct terms *terms, VarSet a, VarSet b); // whether a is a subset of b
VarSet varset_single(struct terms *terms, uint32_t var);
// Splits a set into two disjoint subsets, at a place that depends on the numbers of the vars only: a walk that memoises
// by set meets the same subsets again. Returns false if the set is within one block of 64 vars.
bool varset_split(struct terms *terms, VarSet set, VarSet sides[2]);
// The smallest var of the set that is >= `from`, or VAR_NONE. A loop over a set:
//     for (v = varset_next(t, s, 0); v != VAR_NONE; v = varset_next(t, s, v + 1))
uint32_t varset_next(const struct terms *terms, VarSet set, uint32_t from);

// Calls `visit` once on every node below the roots (roots included), operands before users. Constants in packed
// literals are not visited. Stops early if `visit` returns false. `visit` must not build terms.
bool term_visit(struct terms *terms, const Term *roots, size_t count, bool (*visit)(void *context, Term t),
                void *context);

// Whether any floating-point node was ever made; if not, searching terms for one can be skipped.
bool terms_have_floats(const struct terms *terms);

// ---- Substitution ----

struct map; // base/hash.h

// Simultaneously replaces each term that is a key of the map (Term to Term, same sort) where it occurs in t.
// Replacements are not substituted again. `memo` (may be NULL) keeps results for further calls with the same map.
Term term_substitute(struct terms *terms, Term t, const struct map *replacements, struct map *memo);

// ---- Garbage collection ----

// Retains a term, as a root of the collection. Calls nest.
void term_retain(struct terms *terms, Term t);
void term_release(struct terms *terms, Term t);
// `mark` is called at each collection and calls term_mark on every term that its owner holds.
void terms_add_roots(struct terms *terms, void (*mark)(struct terms *, void *context), void *context);
void terms_remove_roots(struct terms *terms, void (*mark)(struct terms *, void *context), void *context);
void term_mark(struct terms *terms, Term t);
// Calls `forget` at each collection once the survivors are known, before any id is reused. It drops cache entries of
// terms that are not term_alive.
void terms_on_collect(struct terms *terms, void (*forget)(struct terms *, void *context), void *context);
void terms_off_collect(struct terms *terms, void (*forget)(struct terms *, void *context), void *context);
bool term_alive(const struct terms *terms, Term t);
// Whether the number of live nodes has doubled since the last collection: a good moment for terms_collect, if all
// holders are registered.
bool terms_should_collect(const struct terms *terms);
// Frees all unreachable nodes and returns their number. Support sets are kept.
size_t terms_collect(struct terms *terms);
// A number that changes whenever ids may change their meaning: a cache by Term is valid while it stays the same.
uint64_t terms_generation(const struct terms *terms);

size_t terms_node_count(const struct terms *terms); // live nodes
uint32_t terms_id_limit(const struct terms *terms); // upper bound of all Terms: size of an array by Term
size_t terms_memory(const struct terms *terms);     // bytes held

// Switches simplification. Off: builders only fold constants and lower derived operations. The invariants that kinds.h
// states for operands (constants second, no shift by a constant, right-nested concats, no EQ of width 1) do not hold
// then. For tests and ablation; code that walks terms must handle both forms.
void terms_set_simplify(struct terms *terms, bool on);

#endif
