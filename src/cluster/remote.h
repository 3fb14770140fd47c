// A worker of a run in Redis: takes tokens, explores their states, commits. All data it reads is validated.
#ifndef TAMAR_CLUSTER_REMOTE_H
#define TAMAR_CLUSTER_REMOTE_H

#include "cluster/board.h"
#include "explore/explore.h"

struct remote_options {
    const struct redis_address *address;
    const char *name; // name of this worker, unique in the run
    const struct ir_program *program;
    const struct explore_options *explore;
    uint64_t timeout; // the run's timeout, in milliseconds
    bool foreign;     // use the files of the starter's machine; `user` and `group` are its user's
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
