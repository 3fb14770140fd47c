// Private to the search: the interface of strategies, and the context that they are made in.
//
// A strategy is a struct that begins with `struct strategy`, and a class: add, remove, pick, note. Strategies
// nest: a combinator makes the strategies that its arguments name and forwards calls to them. A strategy chooses
// only among the states passed to its `add`, and keeps its data by the state's number.
//
// There is one fork tree (fork_tree.h) for the whole search, shared by all strategies that walk it. A strategy that
// holds only some of the states (the pending ones, for instance) still sees their positions in that tree.
//
// To add a strategy, see CONTRIBUTING.md. tests/unit/search/test_traces.c runs every class of the table through
// random traces.
#ifndef TAMAR_SEARCH_INT_H
#define TAMAR_SEARCH_INT_H

#include "base/alloc.h"
#include "base/random.h"
#include "search/search.h"
#include "search/strategies.h"

struct search_context {
    const struct search_options *options;
    struct fork_tree *tree;
    uint32_t instances;             // strategies made so far that use random numbers
    uint32_t walkers;               // strategies made so far that walk the tree
    bool charged;                   // some strategy needs the work below each fork
    struct start_functions *starts; // NULL: the expression does not search backward
    struct search_context *whole;   // the context of the search, which lives as long as the search
};

// A parsed name with its arguments.
struct expression {
    const struct strategy_class *class; // NULL: a number
    double number;
    uint32_t offset; // in the text
    uint32_t count;
    struct expression **arguments;
};

struct strategy_class {
    const char *name;
    // The arguments, one letter each: S a strategy, N a number (> 0). The last may be followed by '+' (once
    // or more) or by '?' (optional). "": no parentheses.
    const char *arguments;
    const char *usage;   // the arguments as the help shows them: "(S,T,...)"
    const char *help;    // what the strategy picks
    const char *when;    // when to use it
    const char *meaning; // expression that this name abbreviates; the fields below are then unset. NULL: none
    bool pending;        // prefers states known to be feasible, so that checks can be deferred
    bool backward;       // chooses among states that began in the middle of the program
    // The expression lives as long as the search; the context does not (`whole` does).
    struct strategy *(*new)(struct search_context *context, const struct expression *expression);
    void (*free)(struct strategy *strategy);
    void (*add)(struct strategy *strategy, struct state *state, const struct state *parent);
    void (*remove)(struct strategy *strategy, struct state *state);
    struct state *(*pick)(struct strategy *strategy);                        // some state must be held
    void (*note)(struct strategy *strategy, const struct search_step *step); // NULL: ignores steps
};

struct strategy {
    const struct strategy_class *class;
};

extern const struct strategy_class *const strategy_classes[]; // ended by NULL

// Makes the strategy that argument number `index` names. Each call makes a new one.
struct strategy *parse_argument_strategy(struct search_context *context, const struct expression *expression,
                                         uint32_t index);
double parse_argument_number(const struct expression *expression, uint32_t index, double otherwise);
struct strategy *strategy_new(struct search_context *context, const struct expression *expression);
// Returns a random generator for one strategy, derived from the search's seed.
struct random search_random(struct search_context *context);

static inline void strategy_free(struct strategy *s) { s->class->free(s); }
static inline void strategy_add(struct strategy *s, struct state *state, const struct state *parent) {
    s->class->add(s, state, parent);
}
static inline void strategy_remove(struct strategy *s, struct state *state) { s->class->remove(s, state); }
static inline struct state *strategy_pick(struct strategy *s) { return s->class->pick(s); }
static inline void strategy_note(struct strategy *s, const struct search_step *step) {
    if (s->class->note) s->class->note(s, step);
}

// parse.c: parses into the arena. Returns NULL if the text is invalid; *error says why.
struct arena;
struct expression *parse_search(struct arena *arena, const char *text, struct search_error *error);
bool parse_is_pending(const struct expression *expression);
bool parse_is_backward(const struct expression *expression);

// The block of the state's top frame, numbered over the program; 0 if it has no frame.
uint32_t search_state_block(const struct state *state);

#endif
