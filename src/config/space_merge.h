// Merges elements of the same kind that the same paths cover: the analysis cannot distinguish them. Each class becomes
// one element, with its size as weight. Programs have thousands of lines and edges, but options distinguish few
// classes of them.
#ifndef TAMAR_CONFIG_SPACE_MERGE_H
#define TAMAR_CONFIG_SPACE_MERGE_H

#include "config/interactions.h"

// Returns the merged space. `space` must not be merged yet. Elements that no path covers are dropped.
struct config_space config_merge(struct arena *arena, const struct config_space *space);

#endif
