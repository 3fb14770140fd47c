// The starter of a run in Redis: publishes it to workers, merges their commits, and ends it. It may be killed and
// started again: its checkpoint has the position of the last merged report, and reports are trimmed only after it is
// on disk.
//
//   starter_open -> starter_examine -> starter_begin -> sharing methods
#ifndef TAMAR_CLUSTER_STARTER_H
#define TAMAR_CLUSTER_STARTER_H

#include "cluster/board.h"
#include "cluster/sharing.h"

struct starter;

struct starter_options {
    const char *version;        // Tamar's version; workers of other versions are refused
    const struct text *program; // bitcode
    const struct text *parcel;  // the serialized run (parcel.h)
    uint64_t timeout;           // milliseconds after which a silent worker is considered dead
};

// Connects, and waits until no other starter holds the lock. Returns NULL if an error has been reported.
struct starter *starter_open(const struct redis_address *address, const struct starter_options *options);
void starter_free(struct starter *starter);
// Looks for the run in Redis. *folder: its results folder if it exists, else NULL. Returns false if it is another run
// or its results are elsewhere; an error has been reported.
bool starter_examine(struct starter *starter, const char **folder);

struct starter_begin {
    const char *folder;      // the results folder, absolute
    struct explore *explore; // the exploration that merges the reports
    const struct explore_options *options;
    const struct ir_program *ir;
    uint32_t jobs; // workers of this machine
    uint64_t max_memory;
};
// Publishes the run, or continues the run that is in Redis. Returns false if an error has been reported.
bool starter_begin(struct starter *starter, const struct starter_begin *begin);
struct sharing starter_sharing(struct starter *starter);

#endif
