// The starter of a run in Redis: makes it known to workers, adds up what they commit, and ends it. It may be killed and started again:
// its checkpoint says up to which report it has come, and reports are trimmed only after that is on disk.
//
//   starter_open -> starter_examine -> starter_begin -> sharing methods
#ifndef TAMAR_CLUSTER_STARTER_H
#define TAMAR_CLUSTER_STARTER_H

#include "cluster/board.h"
#include "cluster/sharing.h"

struct starter;

struct starter_options {
    const char *version;        // of Tamar: workers of another one are refused
    const struct text *program; // bitcode
    const struct text *parcel;  // of the run (parcel.h)
    uint64_t timeout;           // milliseconds after which a silent worker is taken for dead
};

// Connects, and waits until no other starter collects. NULL: an error has been reported.
struct starter *starter_open(const struct redis_address *address, const struct starter_options *options);
void starter_free(struct starter *starter);
// Is the run in Redis already? *folder: where its results are then, else NULL. False: it is another run, or its results are elsewhere; an
// error has been reported.
bool starter_examine(struct starter *starter, const char **folder);

struct starter_begin {
    const char *folder;      // of the results, absolute
    struct explore *explore; // that adds up
    const struct explore_options *options;
    const struct ir_program *ir;
    uint32_t jobs; // workers of this machine
    uint64_t max_memory;
};
// False: an error has been reported.
bool starter_begin(struct starter *starter, const struct starter_begin *begin);
struct sharing starter_sharing(struct starter *starter);

#endif
