// The workers of this machine for a run in Redis: forked processes, each with its own connection. The parent sends
// their heartbeats, also during a long query, and releases the token of a worker that has died.
#ifndef TAMAR_CLUSTER_CREW_H
#define TAMAR_CLUSTER_CREW_H

#include "cluster/remote.h"

struct crew;

struct crew_options {
    uint32_t jobs;
    uint64_t max_memory, timeout; // bytes for all workers (0: no limit); the run's timeout in milliseconds
    struct board *board;          // the parent's own connection; must outlive the crew
    const struct ir_program *program;
    const struct explore_options *explore;
    bool foreign; // see struct remote_options
    uint32_t user, group;
    // Called first in a new worker: releases resources of the parent. May be NULL.
    void (*forked)(void *context);
    void *context;
};

// Starts no worker yet.
struct crew *crew_new(const struct crew_options *options);
void crew_free(struct crew *crew);
// Starts missing workers and sends heartbeats. Call it a few times a second. Returns false if workers die repeatedly
// or no process can be started; an error has been reported.
bool crew_tend(struct crew *crew, bool may_start);
// Asks the workers for their last report and waits for their end; kills those still running after `seconds`.
void crew_end(struct crew *crew, double seconds);
uint32_t crew_count(const struct crew *crew); // workers that are running
// The state of the run at the last heartbeat.
enum board_state crew_state(const struct crew *crew);

#endif
