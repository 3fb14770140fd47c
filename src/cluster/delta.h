// What a worker has done since its last commit, as a report of its own. The reports of worker.h say how things stand; those that
// are kept in Redis say what has changed, so that the starter adds them up without knowing the ones before.
#ifndef TAMAR_CLUSTER_DELTA_H
#define TAMAR_CLUSTER_DELTA_H

#include "base/text.h"
#include "cluster/bundle.h"

struct delta; // what the reports so far have said

struct delta *delta_new(void);
void delta_free(struct delta *delta);

struct delta_part {
    struct text report; // without states
    struct text kept;   // states, as a bundle's stream; empty: none
    entries given;      // live in the arena
    struct arena *arena;
    struct work_report about;
    struct run_counters counts; // of the worker since it began
};

// Takes a report apart, which worker.h has made. It counts as said once delta_accept is called.
void delta_split(struct delta *delta, const struct text *report, struct delta_part *part);
void delta_accept(struct delta *delta);
void delta_part_free(struct delta_part *part);

#endif
