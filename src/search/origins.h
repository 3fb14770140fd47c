// The functions at which states began, each with a tree of forks of its own: what a backward search chooses among first.
// States that began at the program's start have the origin 0.
#ifndef TAMAR_SEARCH_ORIGINS_H
#define TAMAR_SEARCH_ORIGINS_H

#include "search/search_int.h"

struct origins;

struct origins *origins_new(void);
void origins_free(struct origins *origins);
void origins_add(struct origins *origins, struct state *state, const struct state *parent);
void origins_remove(struct origins *origins, const struct state *state); // no strategy holds it
void origins_settle(struct origins *origins, const struct state *state); // its step is over
// The strategy that the argument names, over the states of this origin only: a new one at each call.
struct strategy *origin_strategy(struct search_context *context, uint32_t origin,
                                 const struct expression *expression);

#endif
