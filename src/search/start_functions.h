// Start functions: the functions at which states began. Each has its own fork tree. A backward search first chooses
// a start function, then one of its states. States that began at the program's entry have start function 0.
#ifndef TAMAR_SEARCH_START_FUNCTIONS_H
#define TAMAR_SEARCH_START_FUNCTIONS_H

#include "search/search_int.h"

struct start_functions;

struct start_functions *start_functions_new(void);
void start_functions_free(struct start_functions *starts);
void start_functions_add(struct start_functions *starts, struct state *state, const struct state *parent);
void start_functions_remove(struct start_functions *starts,
                            const struct state *state); // no strategy may hold it
void start_functions_end_step(struct start_functions *starts,
                              const struct state *state); // its step has ended
// Makes the strategy that the expression names, over the states of this start function only. Each call makes a new
// one.
struct strategy *start_functions_strategy(struct search_context *context, uint32_t number,
                                          const struct expression *expression);

#endif
