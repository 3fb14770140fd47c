#include "cluster/budget.h"

#define LEAST_MEMORY  ((uint64_t)48 << 20) // least bytes of a worker, besides the shared pages
#define MEMORY_BESIDE 16u                  // the parent keeps 1/16 of the memory

static uint64_t least_memory(const struct budget *budget) { return MAX(LEAST_MEMORY, budget->base / 2); }

// Returns the bytes that all workers together may use besides the shared pages.
static uint64_t memory_for_all(const struct budget *budget) {
    uint64_t beside = budget->base + budget->all / MEMORY_BESIDE;
    return budget->all > beside ? budget->all - beside : 0;
}

uint64_t budget_share(const struct budget *budget) {
    if (!budget->all) return 0;
    return budget->base + MAX(memory_for_all(budget) / budget->jobs, least_memory(budget));
}

uint32_t budget_jobs(const struct budget *budget) {
    if (!budget->all) return budget->jobs;
    return (uint32_t)MAX(1, MIN(budget->jobs, memory_for_all(budget) / least_memory(budget)));
}
