// Edges of the program by their source locations. The same source is compiled several times if it is inlined, or a file
// that several others include (a template). Its edges are then one source edge.
#ifndef TAMAR_SEARCH_SOURCE_EDGES_H
#define TAMAR_SEARCH_SOURCE_EDGES_H

#include "search/search.h"

struct source_edges;

struct source_edges *
source_edges_new(const struct ir_program *program); // program NULL: every edge counts as new
void source_edges_free(struct source_edges *edges);
// Marks the edges among the items (cover/cover.h) that the state was first to cover, from index `from` on. Returns
// whether one of them is new in the source, too.
bool source_edges_cover(struct source_edges *edges, const struct state *state, uint32_t from);

#endif
