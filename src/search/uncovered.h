// How far states are from code that no state has covered: one table of distances for the whole search, made anew when
// enough was covered and done since.
#ifndef TAMAR_SEARCH_UNCOVERED_H
#define TAMAR_SEARCH_UNCOVERED_H

#include "search/search.h"

#define UNCOVERED_NONE UINT32_MAX // nothing uncovered can be reached, as far as the graph tells

struct uncovered;

struct uncovered *uncovered_new(const struct search_options *options); // the options must outlive it
void uncovered_free(struct uncovered *uncovered);
// Instructions to the nearest uncovered block of the program's own source, at least.
uint32_t uncovered_distance(const struct uncovered *uncovered, const struct state *state);
// Makes the table anew. False: nothing is known of the program.
bool uncovered_update(struct uncovered *uncovered);

#endif
