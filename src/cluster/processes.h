// A run in several processes of this machine. The caller's process coordinates and writes results; workers are forked
// from it, so that they share the program's memory.
#ifndef TAMAR_CLUSTER_PROCESSES_H
#define TAMAR_CLUSTER_PROCESSES_H

#include "cluster/sharing.h"

struct processes;

struct processes_options {
    uint32_t jobs;
    const struct explore_options *explore; // the run's options; must outlive the processes
    uint64_t max_memory;                   // bytes for all processes together, 0: no limit
    // Called first in a new worker: releases resources of the coordinator. May be NULL.
    void (*forked)(void *context);
    void *context;
};

// Starts no process yet. `explore` is the coordinator's exploration.
struct processes *processes_new(struct explore *explore, const struct ir_program *program,
                                const struct processes_options *options);
struct sharing processes_sharing(struct processes *processes);

#endif
