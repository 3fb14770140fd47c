// Memory limits for processes forked from one parent: pages of the parent are shared, and counted once.
#ifndef TAMAR_CLUSTER_BUDGET_H
#define TAMAR_CLUSTER_BUDGET_H

#include "base/base.h"

struct budget {
    uint64_t all;  // bytes for all processes together, 0: no limit
    uint64_t base; // bytes used by the parent before the fork
    uint32_t jobs;
};

// Returns the limit of one worker including the shared pages; 0: no limit.
uint64_t budget_share(const struct budget *budget);
// Returns how many workers fit into the memory: at least 1, at most `jobs`.
uint32_t budget_jobs(const struct budget *budget);

#endif
