// Start functions: the functions at which states began, each with a fork tree of its own. A backward search
// chooses among them first. States that began at the program's entry have start function 0.
#ifndef TAMAR_SEARCH_ORIGINS_H
#define TAMAR_SEARCH_ORIGINS_H

#include "search/search_int.h"

struct origins;

struct origins *origins_new(void);
void origins_free(struct origins *origins);
void origins_add(struct origins *origins, struct state *state, const struct state *parent);
void origins_remove(struct origins *origins, const struct state *state); // no strategy may hold it
void origins_settle(struct origins *origins, const struct state *state); // its step has ended
// Makes the strategy that the argument names, over the states of this start function only. Each call makes a
// new one.
struct strategy *origin_strategy(struct search_context *context, uint32_t origin,
                                 const struct expression *expression);

#endif
