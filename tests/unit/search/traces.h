// Random sequences of calls on a search, over states that never run.
#ifndef TAMAR_TEST_TRACES_H
#define TAMAR_TEST_TRACES_H

#include "base/random.h"
#include "base/vec.h"
#include "search/search.h"

struct trace {
    struct search *search;
    struct random random;
    vec(struct state *) held, out; // out: removed states, which may be added again
    uint64_t next;                 // number of the next state
};

// Returns an expression for the class with this index; its arguments are simple strategies. Valid until the next call.
const char *sample_expression(uint32_t index); // NULL: past the last class

void trace_start(struct trace *trace, const char *expression, uint64_t seed, bool pending);
void trace_end(struct trace *trace);
struct state *trace_add(struct trace *trace);  // adds a state, initial or forked by a held one
void trace_remove(struct trace *trace);        // removes some held state, which may be added again
void trace_add_again(struct trace *trace);     // adds a removed state again
struct state *trace_pick(struct trace *trace); // picks a state and reports its forks, new code and end
bool trace_holds(const struct trace *trace, const struct state *state);

#endif
