// Private to the search: what a strategy is, and what it may know.
//
// A strategy is a struct that begins with `struct strategy`, and a class: add, remove, pick, note. Strategies nest:
// a combinator makes the ones that its arguments name and passes on what it is told. Every strategy is told of
// every state that it shall choose from, and keeps what it needs to know of it by the state's number.
//
// The tree of forks (fork_tree.h) is one for the whole search, however many strategies walk it: a strategy that
// holds only some of the states (the pending ones, say) still sees where in the tree they are.
//
// To add a strategy: a file, its class in strategies.h and its file in meson.build. tests/unit/search runs every
// class of the table through random traces.
#ifndef TAMAR_SEARCH_INT_H
#define TAMAR_SEARCH_INT_H

#include "base/memory.h"
#include "base/random.h"
#include "search/search.h"
#include "search/strategies.h"

struct search_context {
    const struct search_options *options;
    struct fork_tree *tree;
    uint32_t instances;           // strategies made so far that draw random numbers
    uint32_t walkers;             // strategies made so far that walk the tree
    bool charged;                 // some strategy wants to know of the work below each fork
    struct origins *origins;      // NULL: nothing in the expression searches backward
    struct search_context *whole; // the search's own, which lasts
};

// A name with its arguments, parsed.
struct expression {
    const struct strategy_class *class; // NULL: a number
    double number;
    uint32_t place; // in the text
    uint32_t count;
    struct expression **arguments;
};

struct strategy_class {
    const char *name;
    // What stands between the parentheses, one letter each: S a strategy, N a number (> 0). The last may be followed
    // by '+' (once or more) or by '?' (may be left out). "": no parentheses.
    const char *arguments;
    const char *usage;   // the same for people: "(S,T,...)"
    const char *help;    // what it does: a sentence
    const char *when;    // when to use it: a sentence
    const char *meaning; // an expression that this name stands for; then nothing below is set
    bool pending;        // prefers states that are known to be feasible, so that checking can be put off
    bool backward;       // chooses among states that began in the middle of the program
    // The expression lives as long as the search, the context does not (`whole` does).
    struct strategy *(*new)(struct search_context *context, const struct expression *expression);
    void (*free)(struct strategy *strategy);
    void (*add)(struct strategy *strategy, struct state *state, const struct state *parent);
    void (*remove)(struct strategy *strategy, struct state *state);
    struct state *(*pick)(struct strategy *strategy);                        // some state is held
    void (*note)(struct strategy *strategy, const struct search_step *step); // NULL: does not care
};

struct strategy {
    const struct strategy_class *class;
};

extern const struct strategy_class *const strategy_classes[]; // ended by NULL

// The strategy that argument number `index` names; a new one at each call.
struct strategy *argument_strategy(struct search_context *context, const struct expression *expression,
                                   uint32_t index);
double argument_number(const struct expression *expression, uint32_t index, double otherwise);
struct strategy *strategy_new(struct search_context *context, const struct expression *expression);
// A generator of its own for each strategy, from the search's seed.
struct random context_random(struct search_context *context);

static inline void strategy_free(struct strategy *s) { s->class->free(s); }
static inline void strategy_add(struct strategy *s, struct state *state, const struct state *parent) {
    s->class->add(s, state, parent);
}
static inline void strategy_remove(struct strategy *s, struct state *state) { s->class->remove(s, state); }
static inline struct state *strategy_pick(struct strategy *s) { return s->class->pick(s); }
static inline void strategy_note(struct strategy *s, const struct search_step *step) {
    if (s->class->note) s->class->note(s, step);
}

// parse.c: NULL: *error says why. Lives in the arena.
struct arena;
struct expression *expression_parse(struct arena *arena, const char *text, struct search_error *error);
bool expression_is_pending(const struct expression *expression);
bool expression_is_backward(const struct expression *expression);

// The block in which the state stands, numbered over the program; 0 when it stands nowhere.
uint32_t state_block(const struct state *state);

#endif
