// The strategies' classes, one file each.
#ifndef TAMAR_SEARCH_INT_H
#define TAMAR_SEARCH_INT_H

#include "base/memory.h"
#include "search/search.h"

extern const struct strategy_class dfs_class, bfs_class, rp_class;

#endif
