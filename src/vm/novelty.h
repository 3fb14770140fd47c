// For a path that follows its model, selects the alternatives that become pending states. While there are few states,
// all are kept. After that, each program point keeps a few alternatives for each power of two of the number of times
// that a path came there. So the number of pending states grows with the novelty of the path, not with its length.
// The caller also keeps alternatives that another seed of the state takes.
#ifndef TAMAR_VM_NOVELTY_H
#define TAMAR_VM_NOVELTY_H

#include "base/hash.h"
#include "base/vec.h"

// A program point where paths decide, and the alternatives kept there.
struct point_novelty {
    uint64_t path;    // number of the state that came here last
    uint32_t hits;    // number of times that state came here
    uint8_t kept[33]; // alternatives kept, by the number of bits of `hits`
    bool reported;    // a dropped alternative has been reported here
};

struct novelty {
    struct map index; // program point -> index into `points`, plus 1
    vec(struct point_novelty) points;
};

void novelty_free(struct novelty *novelty);
// Returns whether the alternative at this program point of path `path` becomes a state. `waiting`: number of live
// states. *first: the alternative is the first one that is dropped here.
bool novelty_keeps(struct novelty *novelty, uint64_t point, uint64_t path, uint32_t waiting, bool *first);

#endif
