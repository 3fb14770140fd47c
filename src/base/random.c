#include "base/random.h"

uint64_t random_next(struct random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t random_below(struct random *random, uint64_t bound) {
    assert(bound > 0);
    return (uint64_t)(((unsigned __int128)random_next(random) * bound) >> 64);
}
