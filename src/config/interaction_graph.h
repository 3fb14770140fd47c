// The interactions as a graph for Graphviz. Settings are nodes, filled if the setting alone is an interaction. An
// interaction of two settings is an edge, a stronger one a small node joined to its settings. Settings with the same
// neighbours are one node.
#ifndef TAMAR_CONFIG_INTERACTION_GRAPH_H
#define TAMAR_CONFIG_INTERACTION_GRAPH_H

#include "base/text.h"
#include "config/interactions.h"

// Adds the interactions of this kind of coverage, the weakest first, until they guarantee `share` (0 to 1) of
// the reachable elements. `names`: by setting, as "verbose=1". Returns the number drawn.
uint32_t interaction_graph_add_dot(struct text *to, const struct config_space *space,
                                   const struct interactions *interactions, unsigned kind, double share,
                                   const char *const *names);

#endif
