// A run in several processes of this machine. The caller's process coordinates and writes results; workers are forked from it, so that
// the program is in memory once.
#ifndef TAMAR_CLUSTER_PROCESSES_H
#define TAMAR_CLUSTER_PROCESSES_H

#include "cluster/sharing.h"

struct processes;

struct processes_options {
    uint32_t jobs;
    const struct explore_options *explore; // of the run; what they refer to outlives it
    uint64_t max_memory;                   // bytes for all processes together, 0: no limit
    // In a new worker, before anything else: lets go of what is the coordinator's. May be NULL.
    void (*forked)(void *context);
    void *context;
};

// Nothing is started yet. The exploration is the coordinator's.
struct processes *processes_new(struct explore *explore, const struct ir_program *program,
                                const struct processes_options *options);
struct sharing processes_sharing(struct processes *processes);

#endif
