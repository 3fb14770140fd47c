// Which state runs next. A strategy is four functions: add, remove, pick, note.
//
// A strategy holds states, not their memory: whoever frees a state removes it first. The same seed and the
// same sequence of calls give the same picks.
#ifndef TAMAR_SEARCH_H
#define TAMAR_SEARCH_H

#include "state/state.h"

struct strategy;

struct strategy_class {
    const char *name;
    const char *help; // two sentences: what it does, when to use it
    struct strategy *(*new)(uint64_t seed);
    void (*free)(struct strategy *strategy);
    // `parent` forked the state, and is held too (NULL: the first state).
    void (*add)(struct strategy *strategy, struct state *state, struct state *parent);
    void (*remove)(struct strategy *strategy, struct state *state);
    struct state *(*pick)(struct strategy *strategy); // some state is held
};

// Every strategy's struct begins with this.
struct strategy {
    const struct strategy_class *class;
};

extern const struct strategy_class *const strategy_classes[]; // ended by NULL

// The strategy that an expression names; NULL: *error says why, and *place is where in the text.
struct strategy *strategy_parse(const char *text, uint64_t seed, const char **error, unsigned *place);

static inline void strategy_free(struct strategy *s) { s->class->free(s); }
static inline void strategy_add(struct strategy *s, struct state *state, struct state *parent) {
    s->class->add(s, state, parent);
}
static inline void strategy_remove(struct strategy *s, struct state *state) { s->class->remove(s, state); }
static inline struct state *strategy_pick(struct strategy *s) { return s->class->pick(s); }

#endif
