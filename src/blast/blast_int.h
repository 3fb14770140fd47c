// The blaster's inside.
//
// Every bit-vector term that was met has a word: `width` gates at words[offset_of[term]]. A word never
// changes, so pointers into it are not kept across calls that add words (the pool moves), offsets are.
//
// Array terms have no words. A select is turned into gates in one of two ways, decided by cost when it is
// met:
// - expanded: stores become multiplexers on "index equal", tables become trees of multiplexers over the index
// bits;
// - left open ("read"): its word is fresh inputs, and the axioms that bind it are added when a model breaks
// them. A model of the SAT instance is looked at through the gates (`simulate`), so that terms which are
// needed only for the check (indices of stores, conditions) cost no clauses until an axiom mentions them. Such
// a term may rest on reads in its turn: these are checked too before its value counts (`active` is closed
// under what the checks looked at).
//
// Invariants: offset_of[t] is 0 exactly when t has no word (offset 0 is never used). The reads below an
// encoded term are found once, and kept as a range of `cones`. After a collection of terms, entries of dead
// ids are cleared; gates and clauses stay, as garbage.
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
    Term array, index; // 0: one of them is gone
    uint32_t offset;   // of its word
    uint32_t round;    // the last query that looked at it
    uint32_t bound;    // elements bound at the last violation: the next one binds twice as many
};

// What the model says of a declared array at one index: decided by one read.
struct array_entry {
    uint32_t var;
    uint32_t read;
    uint32_t next; // with the same hash, plus 1
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
    struct map read_of;    // array << 32 | index -> offset of a word: what was read there
    struct map open_of;    // array << 32 | index -> number in reads, for those left open
    struct map rests_on;   // select -> start in cones << 32 | count: the reads in its expansion
    struct map cone_of;    // condition -> start in cones << 32 | count: the reads below it
    struct map element_of; // array << 32 | element -> offset, without substitution
    vec(uint32_t) cones;   // numbers of reads
    vec(uint32_t) active;  // reads of the current query
    uint32_t round;
    vec(Term) pending;               // encode's stack
    enum blast_answer obstacle;      // met while encoding: BLAST_UNDECIDED when it is only the time
    const struct sat_limits *limits; // while solving
    struct map entries;              // of declared arrays in the model: hash -> number in `entry`, plus 1
    vec(struct array_entry) entry;
    vec(gate) clauses; // axioms to be added before the next search: count, gates, count, gates ...
    vec(Term) chain;   // expand's array nodes
    struct blast_statistics statistics;
};

// The word of a bit-vector term, NULL when it has none yet.
const gate *word_of(const struct blaster *blaster, Term t);
uint32_t new_word(struct blaster *blaster, unsigned width);
// Encodes t and all below it. False when something is unsupported.
bool encode(struct blaster *blaster, Term t);

// Some of these gates holds, always. The SAT instance learns it before the next search: adding it at once
// would end the model that is being looked at.
void assert_clause(struct blaster *blaster, const gate *disjuncts, unsigned count);

// Gives a select whose index has a word its own word, expanded or left open. When some term must be encoded
// first, pushes it to `pending` and returns false.
bool encode_select(struct blaster *blaster, Term select);
uint32_t byte_word(struct blaster *blaster, uint32_t var);
void set_word(struct blaster *blaster, Term t, uint32_t offset);

// Marks the reads that these encoded conditions rest on as active.
void activate(struct blaster *blaster, const Term *conditions, size_t count);
// Looks at the model: adds the axioms that it breaks. Their number, or -1 when it had to give up.
int refine(struct blaster *blaster);
// The word of a table's element, or NULL after pushing its term to `pending`.
const gate *element_word(struct blaster *blaster, Term array, uint32_t i, gate *scratch);
uint32_t table_size(struct blaster *blaster, Term array);
bool is_table(struct terms *terms, Term array);

#endif
