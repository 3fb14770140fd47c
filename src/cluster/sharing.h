// A run with several workers, independent of the transport: processes of this machine (processes.h), or machines
// connected by Redis (starter.h). The caller's exploration merges their reports.
#ifndef TAMAR_CLUSTER_SHARING_H
#define TAMAR_CLUSTER_SHARING_H

#include "cluster/coordinator.h"

struct sharing_methods {
    // Runs until no state is left or a limit is reached.
    void (*run)(void *self);
    void (*free)(void *self);
    // Returns the number of workers so far, including those that have ended.
    uint32_t (*job_count)(const void *self);
    // Returns the statistics of a worker, by its number from 0.
    struct coordinator_job (*job)(const void *self, uint32_t worker);
    // Returns the number of messages so far; *bytes: their size.
    uint64_t (*messages)(const void *self, uint64_t *bytes);
    // Returns true if a checkpoint can be written now.
    bool (*can_checkpoint)(void *self);
    bool (*checkpoint)(void *self, struct text *to);
    // After run: returns true if all remaining states have been moved to the exploration.
    bool (*has_all)(const void *self);
};

struct sharing {
    const struct sharing_methods *methods; // NULL: a run without other workers
    void *self;
};

#endif
