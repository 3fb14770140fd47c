// Random sequences of calls on a search, over states that never run.
#ifndef TAMAR_TEST_TRACES_H
#define TAMAR_TEST_TRACES_H

#include "base/random.h"
#include "base/vec.h"
#include "search/search.h"

struct trace {
    struct search *search;
    struct random random;
    vec(struct state *) held, out; // out: removed, to be added again
    uint64_t next;                 // number of the next state
};

// An expression for every class of the table: its arguments are simple strategies. Valid until the next call.
const char *sample_expression(uint32_t index); // NULL: no more

void trace_start(struct trace *trace, const char *expression, uint64_t seed, bool pending);
void trace_end(struct trace *trace);
struct state *trace_add(struct trace *trace);  // forked by some held state, or a first one
void trace_remove(struct trace *trace);        // some held state, which may come back
void trace_add_again(struct trace *trace);     // one that was removed
struct state *trace_pick(struct trace *trace); // and reports its effects: forks, new code, the end
bool trace_holds(const struct trace *trace, const struct state *state);

#endif
