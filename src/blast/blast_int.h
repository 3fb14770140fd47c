// Internals of the blaster.
//
// Every bit-vector term encoded so far has a word: `width` gates at words[offset_of[term]]. A word never changes, but
// the pool may move: keep offsets across calls that add words, not pointers.
//
// Array terms have no words. A select is encoded in one of two ways, chosen by cost:
// - expanded: stores become multiplexers on "index equal", tables become trees of multiplexers over the index bits;
// - lazy (struct read): its word is new gate inputs. The axioms that constrain it are added when a model violates them.
//   A model of the SAT instance is evaluated through the gates (gates_simulate). So terms that only the check needs
//   (indices of stores, conditions) cost no clauses until an axiom mentions them. Such a term may depend on reads, too:
//   these are checked before its value is used (`active` is closed under the reads that the checks depend on).
//
// Invariants: offset_of[t] is 0 exactly when t has no word (offset 0 is never used). The reads below an encoded term
// are found once, and kept as a range of `cones`. After a collection of terms, entries of dead ids are cleared; gates
// and clauses stay, as garbage.
#ifndef TAMAR_BLAST_INT_H
#define TAMAR_BLAST_INT_H

#include "base/hash.h"
#include "base/vec.h"
#include "blast/blast.h"
#include "blast/circuits.h"
#include "blast/gates.h"
#include "expr/eval.h"
#include "sat/sat.h"

struct read {
    Term array, index; // 0: the term was collected
    uint32_t offset;   // offset of its word
    uint32_t round;    // number of the last query that depended on it
    uint32_t bound;    // elements axiomatized at the last violation: the next one axiomatizes twice as many
};

// The model's value of a declared array at one index, given by one read.
struct array_entry {
    uint32_t var;
    uint32_t read;
    uint32_t next; // number of the next entry with the same hash, plus 1
};

struct blaster {
    struct terms *terms;
    struct blast_options options;
    struct sat *sat;
    struct gates *gates;
    vec(gate) words;
    vec(uint32_t) offset_of; // by Term
    struct map byte_of;      // var -> offset of its 8 inputs
    vec(struct read) reads;
    struct map read_of;    // array << 32 | index -> offset of the word of the value read
    struct map open_of;    // array << 32 | index -> number in reads, for lazy reads
    struct map rests_on;   // select -> start in cones << 32 | count: the lazy reads in its expansion
    struct map cone_of;    // term -> start in cones << 32 | count: the lazy reads below it
    struct map element_of; // array << 32 | element -> offset; used without substitution
    vec(uint32_t) cones;   // numbers of lazy reads
    vec(uint32_t) active;  // reads of the current query
    uint32_t round;
    vec(Term) worklist;              // terms that blaster_encode still has to encode
    enum blast_answer obstacle;      // why encoding failed; BLAST_UNDECIDED: out of time
    const struct sat_limits *limits; // set while solving
    struct map entries; // elements of declared arrays in the model: hash -> number in `entry`, plus 1
    vec(struct array_entry) entry;
    vec(gate) clauses; // axioms to be added before the next search: count, gates, count, gates ...
    vec(Term) chain;   // array nodes that blaster_encode_select walks through
    struct blast_statistics statistics;
};

// The word of a bit-vector term, NULL when it has none yet.
const gate *blaster_word_of(const struct blaster *blaster, Term t);
uint32_t blaster_new_word(struct blaster *blaster, unsigned width);
// Encodes t and all terms below it. Returns false on failure; `obstacle` is then the reason.
bool blaster_encode(struct blaster *blaster, Term t);

// Adds the disjunction of these gates. The SAT instance gets the clause before the next search: adding it at once
// would discard the model that is being checked.
void blaster_add_clause(struct blaster *blaster, const gate *disjuncts, unsigned count);

// Gives a select whose index has a word its own word, expanded or lazy. If some term must be encoded first, pushes it
// to `worklist` and returns false.
bool blaster_encode_select(struct blaster *blaster, Term select);
uint32_t blaster_byte_word(struct blaster *blaster, uint32_t var);
void blaster_set_word(struct blaster *blaster, Term t, uint32_t offset);

// Marks the reads that these encoded conditions depend on as active.
void blaster_activate(struct blaster *blaster, const Term *conditions, size_t count);
// Checks the model and adds the array axioms that it violates. Returns their number, or -1 if encoding failed
// (`obstacle`).
int blaster_refine(struct blaster *blaster);
// The word of a table's element; NULL: its term must be encoded first and was pushed to `worklist`.
const gate *blaster_element_word(struct blaster *blaster, Term array, uint32_t i, gate *scratch);
uint32_t blaster_table_size(struct blaster *blaster, Term array);
bool blaster_is_table(struct terms *terms, Term array);

#endif
