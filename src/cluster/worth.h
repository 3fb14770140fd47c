// How many states are worth being moved at once. A worker rebuilds the states that it is given: where paths are short
// and prefixes long, a few states cost more than they are worth. Many states together cost little more than one, for
// their common prefix is rebuilt once. The number is learned from the time that workers needed for the states they got.
#ifndef TAMAR_CLUSTER_WORTH_H
#define TAMAR_CLUSTER_WORTH_H

#include "base/base.h"

struct worth {
    uint32_t least;     // fewest states to move at once; 0: nothing is known yet, one is enough
    double pause, next; // seconds until idle workers try with fewer states; when that is
};

// A worker has explored everything it was given, in `busy` seconds; `rebuilding` of them went into rebuilding.
void worth_note(struct worth *worth, double busy, double rebuilding, double now);
// Some worker is idle, and no other has as many states as that. Lowers the number after a while.
void worth_wait(struct worth *worth, double now);

#endif
