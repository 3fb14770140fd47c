// Which alternatives of a path that follows its model become pending states. All of them, while few states wait. Then only
// those that are new: of each place, some for each order of magnitude of the number of times that the path has come there.
// So the states that wait grow with what is new on the path, and not with its length.
#ifndef TAMAR_VM_NOVELTY_H
#define TAMAR_VM_NOVELTY_H

#include "base/hash.h"
#include "base/vec.h"

// A place of the program where paths decide, and what was kept there.
struct place_novelty {
    uint64_t path;    // the state that was there last,
    uint32_t hits;    // how often,
    uint8_t kept[33]; // and states that were kept, by the bits of that number
    bool told;        // something was left out here
};

struct novelty {
    struct map index; // place -> index into `places`, plus 1
    vec(struct place_novelty) places;
};

void novelty_free(struct novelty *novelty);
// Is the alternative at this place, where the path `path` stands, to become a state, while `waiting` states wait? *first: it is
// not, and nothing was left out here before.
bool novelty_keeps(struct novelty *novelty, uint64_t place, uint64_t path, uint32_t waiting, bool *first);

#endif
