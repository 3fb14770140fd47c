// The workers of this machine for a run in Redis: forked processes, each with a connection of its own. The parent says that they are
// alive, also within a long query, and gives back what one that has died held.
#ifndef TAMAR_CLUSTER_CREW_H
#define TAMAR_CLUSTER_CREW_H

#include "cluster/remote.h"

struct crew;

struct crew_options {
    uint32_t jobs;
    uint64_t max_memory, timeout; // bytes for all of them, 0: no limit; milliseconds, of the run
    struct board *board;          // the parent's own link, which outlives the crew
    const struct ir_program *program;
    const struct explore_options *explore;
    bool foreign; // as for remote_serve
    uint32_t user, group;
    // In a new worker, before anything else: lets go of what is the parent's. May be NULL.
    void (*forked)(void *context);
    void *context;
};

// Nothing is started yet.
struct crew *crew_new(const struct crew_options *options);
void crew_free(struct crew *crew);
// Starts workers that are missing, and tells Redis who is alive. To be called a few times a second. False: workers die again and again, or
// no process can be had; an error has been reported.
bool crew_tend(struct crew *crew, bool may_start);
// Workers report for the last time and end; those that do not within the time are killed.
void crew_end(struct crew *crew, double seconds);
uint32_t crew_count(const struct crew *crew); // of workers that run
// What the last heart-beat found.
enum board_state crew_state(const struct crew *crew);

#endif
