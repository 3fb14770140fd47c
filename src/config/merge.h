// Elements that the same paths cover, of the same kind, are one for every question asked here: a space in which each such set is a
// single element, with its size as weight. Programs have thousands of lines and edges, but options tell few groups of them apart.
#ifndef TAMAR_CONFIG_MERGE_H
#define TAMAR_CONFIG_MERGE_H

#include "config/interactions.h"

// The space must not be merged yet. Elements that no path covers are left out.
struct config_space config_merge(struct arena *arena, const struct config_space *space);

#endif
