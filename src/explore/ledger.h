// The ledger of incompleteness: what an exploration has not explored, or only at a higher cost, and why. Whether a run is
// complete is computed from it alone (ledger_is_complete).
#ifndef TAMAR_EXPLORE_LEDGER_H
#define TAMAR_EXPLORE_LEDGER_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"

struct given_up {
    const char *what;
    uint32_t site; // where, 0: nowhere in particular
    uint64_t count;
    bool lost; // paths or values were not explored; false: all were, but each value is a path of its own
};

struct ledger {
    vec(struct given_up) entries; // one for each reason and site
    struct map index;             // hash of reason and site -> entry + 1
    struct arena *texts;
    uint64_t lost; // notes of entries that are lost
};

void ledger_open(struct ledger *ledger);
void ledger_close(struct ledger *ledger);
// `what` is copied.
void ledger_note(struct ledger *ledger, const char *what, uint32_t site, bool lost, uint64_t count);
static inline bool ledger_is_complete(const struct ledger *ledger) { return !ledger->lost; }

#endif
