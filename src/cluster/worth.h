// Learns the least number of states that is worth moving to another worker, which must rebuild them. If paths are
// short and prefixes long, rebuilding a few states costs more time than exploring them. Many states together cost
// little more than one, because their common prefix is rebuilt once. Near the end of a run, even many states may have
// too little work: after such a move, `least` is not below their number.
#ifndef TAMAR_CLUSTER_WORTH_H
#define TAMAR_CLUSTER_WORTH_H

#include "message/message.h"

struct worth {
    uint32_t least;     // fewest states to move at once; 0: nothing is known yet, one is enough
    double pause, next; // seconds between two attempts with fewer states; time of the next attempt
};

// The time `now` is that of a clock which advances with the work of the busy workers. By the clock of the machine,
// workers that share a processor would have done little between two attempts.
//
// Call it when a worker has explored all states that it was given. `states`: their number. `processor`: the processor
// time that it needed, of which it spent `rebuilding` on rebuilding states. (Not the time of the clock: a worker that
// has just been woken runs without interruption, and it rebuilds first, so rebuilding would look cheap.)
void worth_note(struct worth *worth, uint64_t states, double processor, double rebuilding, double now);
// Returns the part of the report's `busy` in which the worker rebuilt states.
double worth_rebuilding(const struct work_report *report);
// Call it while a worker is idle: perhaps no other worker has `least` states to give. Lowers `least` after a pause.
void worth_wait(struct worth *worth, double now);

#endif
