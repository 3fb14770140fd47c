// A pseudo-random number generator (splitmix64): runs with the same seed are identical.
#ifndef TAMAR_RANDOM_H
#define TAMAR_RANDOM_H

#include "base/base.h"

struct random {
    uint64_t state;
};

uint64_t random_next(struct random *random);
// Uniform in [0, bound), bound > 0.
uint64_t random_below(struct random *random, uint64_t bound);

#endif
