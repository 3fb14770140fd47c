// The ledger of incompleteness: everything that an exploration did not explore, or only at a higher cost,
// and why. A run is complete if it has ended without states that are left or pruned, and the ledger has no
// lost entry (ledger_is_complete).
#ifndef TAMAR_EXPLORE_LEDGER_H
#define TAMAR_EXPLORE_LEDGER_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"

struct given_up {
    const char *what;
    uint32_t site; // site of the operation; 0: no single operation
    uint64_t count;
    bool lost; // true: paths or values were skipped; false: fallback, forked on each value
};

struct ledger {
    vec(struct given_up) entries; // one per reason and site
    struct map index;             // hash of reason and site -> entry + 1
    struct arena *texts;
    uint64_t lost; // sum of the counts of entries with `lost`
};

void ledger_open(struct ledger *ledger);
void ledger_close(struct ledger *ledger);
// Adds `count` to the entry of this reason and site. `what` is copied.
void ledger_note(struct ledger *ledger, const char *what, uint32_t site, bool lost, uint64_t count);
static inline bool ledger_is_complete(const struct ledger *ledger) { return !ledger->lost; }

#endif
