// The memory of several processes that were forked from one: what the one has is there once.
#ifndef TAMAR_CLUSTER_BUDGET_H
#define TAMAR_CLUSTER_BUDGET_H

#include "base/base.h"

struct budget {
    uint64_t all;  // bytes for all processes together, 0: no limit
    uint64_t base; // of the process that they are forked from
    uint32_t jobs;
};

// The limit of one worker, with what it shares; 0: no limit.
uint64_t budget_share(const struct budget *budget);
// How many workers there is memory for: at least 1, at most `jobs`.
uint32_t budget_jobs(const struct budget *budget);

#endif
