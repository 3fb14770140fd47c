// Which state runs next. What is searched by is an expression, such as `batch(rr(rp,covnew))`: names of strategies,
// some with strategies or numbers as arguments. `tamar help search` lists them.
//
//   search_new -> { search_add, search_remove, search_pick, search_note } -> search_free
//
// A search holds states, not their memory: whoever frees a state removes it first. The same expression, the same
// random seed and the same sequence of calls give the same picks.
//
// A state is pending while state->pending is set: its last condition has not been checked. It is held like any
// other, and may be picked; whoever picks it checks the condition, and then either removes the state or clears
// state->pending and says so with search_note (revived).
#ifndef TAMAR_SEARCH_H
#define TAMAR_SEARCH_H

#include "state/state.h"

struct search;
struct targets; // cover/targets.h
struct text;

struct search_options {
    const char *expression;
    uint64_t random_seed;
    const struct ir_program *program; // NULL: strategies that look at places see one place only
    // One byte per edge and per function of the program: not 0 once a state took or entered it. May be NULL.
    const uint8_t *edges_seen, *functions_seen;
    struct targets *targets; // that directed strategies lead to; NULL: none
    bool pending; // feasible states first: pending(...) around the expression, unless it says so itself
};

// What happened while a state ran. It is still held; when it has ended, it is removed next.
struct search_step {
    struct state *state;
    uint64_t instructions;
    uint64_t work;      // these, and what the solver did, counted in instructions
    uint32_t forked;    // states that it forked, all of them added before
    uint32_t fresh;     // edges and functions of the program's own source that no state had taken before
    uint32_t dangerous; // checks on symbolic values: where something could go wrong
    bool ended;
    bool revived; // nothing ran: the state was pending, and is so no longer
};

// Where an expression is wrong.
struct search_error {
    const char *message; // static, or in the `text`
    uint32_t place;      // index of the character
    const char *nearest; // a name that may have been meant, or NULL
};

// Is the expression right? Then *pending is set if it puts off checking (pending, zesti).
bool search_check(const char *expression, bool *pending, struct search_error *error);
// Does the (right) expression search backward, from functions in the middle of the program?
bool search_is_backward(const char *expression);
// NULL: the expression is wrong.
struct search *search_new(const struct search_options *options, struct search_error *error);
void search_free(struct search *search);
// `parent` forked the state (NULL: a first state). It need not be held any more.
void search_add(struct search *search, struct state *state, const struct state *parent);
void search_remove(struct search *search, struct state *state);
struct state *search_pick(struct search *search); // some state is held
void search_note(struct search *search, const struct search_step *step);
uint32_t search_count(const struct search *search);
// Any of the states, each as likely: who goes when memory runs out.
struct state *search_victim(struct search *search);
uint32_t search_pending_count(const struct search *search);
struct state *search_pending_victim(struct search *search); // likewise, one of the pending ones
double search_seconds(const struct search *search);         // spent in here

// Every strategy with what it does and when to use it, for people.
void search_add_help(struct text *text);

#endif
