// A worker's report as the difference from its last commit. Reports of worker.h have cumulative values. Reports in
// Redis have differences, so that the starter adds them up without knowing the earlier ones.
#ifndef TAMAR_CLUSTER_DELTA_H
#define TAMAR_CLUSTER_DELTA_H

#include "base/text.h"
#include "cluster/bundle.h"

struct delta; // the values of the reports so far

struct delta *delta_new(void);
void delta_free(struct delta *delta);

struct delta_part {
    struct text report; // without states
    struct text kept;   // states, as a bundle's stream; empty: none
    entries given;      // states given away; allocated in the arena
    struct arena *arena;
    struct work_report about;
    struct run_counters counts; // counters of the worker since its start
};

// Splits a report made by worker.h. Its values count as reported only after delta_accept.
void delta_split(struct delta *delta, const struct text *report, struct delta_part *part);
void delta_accept(struct delta *delta);
void delta_part_free(struct delta_part *part);

#endif
