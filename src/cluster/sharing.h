// A run that several explore, whatever connects them: processes of this machine (processes.h) or machines with Redis between them
// (starter.h). The caller's exploration adds up what they report.
#ifndef TAMAR_CLUSTER_SHARING_H
#define TAMAR_CLUSTER_SHARING_H

#include "cluster/coordinator.h"

struct sharing_methods {
    // Until no state is left, or a limit is reached.
    void (*run)(void *self);
    void (*free)(void *self);
    uint32_t (*job_count)(const void *self);
    struct coordinator_job (*job)(const void *self, uint32_t worker);
    uint64_t (*messages)(const void *self, uint64_t *bytes);
    // Is it known where the run stands?
    bool (*can_checkpoint)(void *self);
    bool (*checkpoint)(void *self, struct text *to);
    // After run: are all states that are left the exploration's?
    bool (*has_all)(const void *self);
};

struct sharing {
    const struct sharing_methods *methods; // NULL: nobody else explores
    void *self;
};

#endif
