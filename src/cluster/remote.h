// A worker of a run in Redis: takes tokens, explores their states, commits. All data it reads is validated.
#ifndef TAMAR_CLUSTER_REMOTE_H
#define TAMAR_CLUSTER_REMOTE_H

#include "cluster/board.h"
#include "explore/explore.h"

struct remote_options {
    const struct redis_address *address;
    const char *name; // of this worker; unique in the run
    const struct ir_program *program;
    const struct explore_options *explore;
    uint64_t timeout; // of the run, in milliseconds
    bool foreign; // use the files of the machine that started the run; user and group are those of its user
    uint32_t user, group;
};

enum remote_end {
    REMOTE_OVER, // the run is over, or the worker was asked to end; everything was committed
    REMOTE_LOST, // other workers have taken over its states
    REMOTE_FAILED,
};

#define REMOTE_LOST_STATUS 40 // exit status of a process whose states were taken over: a new one replaces it

// Explores until the run is over.
enum remote_end remote_serve(const struct remote_options *options);

#endif
