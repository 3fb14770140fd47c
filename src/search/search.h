// The search decides which state runs next. A strategy is an expression, such as `batch(rr(rp,covnew))`:
// names of strategies, some with strategies or numbers as arguments. `tamar help search` lists them.
//
//   search_new -> { search_add, search_remove, search_pick, search_note } -> search_free
//
// A search holds states but does not own them: remove a state before freeing it. The same expression, the
// same random seed and the same sequence of calls give the same picks.
//
// A state is pending while state->waiting.condition is set: its last condition has not been checked. It is
// held like any other, and may be picked. The caller then checks the condition, and either removes the state
// or clears state->waiting and calls search_note (revived).
#ifndef TAMAR_SEARCH_H
#define TAMAR_SEARCH_H

#include "state/state.h"

struct search;
struct targets; // cover/targets.h
struct text;

struct search_options {
    const char *expression;
    uint64_t random_seed;
    const struct ir_program *program; // NULL: distances to uncovered code are not known
    // One byte per edge and per function of the program: not 0 once covered. May be NULL.
    const uint8_t *edges_seen, *functions_seen;
    struct targets *targets; // targets of directed strategies; NULL: none
    bool pending; // wrap the expression in pending(...), unless it contains it: feasible states first
};

// The events of one step. The state is still held; if it has ended, the caller removes it next.
struct search_step {
    struct state *state;
    uint64_t instructions;
    uint64_t work;      // deterministic cost: instructions, plus the solver's cost in instructions
    uint32_t forked;    // number of states forked in this step; all have been added
    uint32_t fresh;     // newly covered items of user code: edges, functions, positions (cover/cover.h)
    uint32_t dangerous; // checks on symbolic values, which may fail
    bool ended;
    bool revived; // nothing ran: a pending state was found feasible
};

// An error in an expression.
struct search_error {
    const char *message; // static
    uint32_t offset;     // index of the wrong character
    const char *nearest; // a similar name, or NULL
};

// Returns whether the expression is valid. Sets *pending if it defers feasibility checks: one of its strategies has
// strategy_class.pending (pending, zesti, the oasis strategies).
bool search_check(const char *expression, bool *pending, struct search_error *error);
// Whether a valid expression searches backward, from functions in the middle of the program.
bool search_is_backward(const char *expression);
// Returns NULL if the expression is invalid.
struct search *search_new(const struct search_options *options, struct search_error *error);
void search_free(struct search *search);
// Adds a state. `parent` forked it (NULL: an initial state) and may have been removed.
void search_add(struct search *search, struct state *state, const struct state *parent);
void search_remove(struct search *search, struct state *state);
struct state *search_pick(struct search *search); // some state must be held
void search_note(struct search *search, const struct search_step *step);
uint32_t search_count(const struct search *search);
// A state chosen uniformly at random: the one to evict when memory runs out.
struct state *search_victim(struct search *search);
uint32_t search_pending_count(const struct search *search);
struct state *search_pending_victim(struct search *search); // like search_victim, among the pending states
double search_seconds(const struct search *search);         // time spent in the search

// Adds a description of every strategy and when to use it.
void search_add_help(struct text *text);

#endif
