// The interactions as a graph for Graphviz: settings are nodes, filled where one alone is an interaction; an
// interaction of two is an edge, a stronger one a small node joined to its settings.
#ifndef TAMAR_CONFIG_GRAPH_H
#define TAMAR_CONFIG_GRAPH_H

#include "base/text.h"
#include "config/interactions.h"

// Only interactions of this kind of coverage, the weakest first, until they guarantee `share` (0 to 1) of what can
// be reached. `names` by setting: "verbose=1". Returns how many are drawn.
uint32_t graph_add_dot(struct text *to, const struct config_space *space,
                       const struct interactions *interactions, unsigned kind, double share,
                       const char *const *names);

#endif
