// A worker of a run in Redis: takes tokens, explores their states, commits. It trusts nothing that it reads.
#ifndef TAMAR_CLUSTER_REMOTE_H
#define TAMAR_CLUSTER_REMOTE_H

#include "cluster/board.h"
#include "explore/explore.h"

struct remote_options {
    const struct redis_address *address;
    const char *name; // of this worker, unlike those of all others
    const struct ir_program *program;
    const struct explore_options *explore;
    uint64_t timeout; // milliseconds, of the run
    bool foreign;     // files are those of the machine that started the run, and these are its user and group
    uint32_t user, group;
};

enum remote_end {
    REMOTE_OVER, // the run is over, or the worker was told to end: all that it did was committed
    REMOTE_LOST, // others have what it held
    REMOTE_FAILED,
};

#define REMOTE_LOST_STATUS 40 // of a process that has lost its states to others: a new one takes its place

// Works until the run is over.
enum remote_end remote_serve(const struct remote_options *options);

#endif
