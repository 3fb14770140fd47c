// Divides the exploration of a program among workers, and adds up what they report. Bytes go in and come out: how they travel is the
// caller's matter (processes.h).
//
//   coordinator_new -> { coordinator_join, coordinator_receive, coordinator_lost, coordinator_balance, coordinator_next }
//   -> coordinator_end -> { coordinator_receive, coordinator_lost } -> coordinator_close
//
// Where a state is: with the worker whose last report lists it, in an order that a worker has not yet reported as carried out, or in the
// pool. A report moves states in one step: what it gives away leaves the worker's list and enters the pool. So every state
// is in one place at any time, and a worker that is lost leaves its list and its orders to the pool.
#ifndef TAMAR_CLUSTER_COORDINATOR_H
#define TAMAR_CLUSTER_COORDINATOR_H

#include "explore/merge.h"

struct coordinator;

// What is known of one worker.
struct coordinator_job {
    uint64_t paths, instructions, given, taken;
    double busy, present; // seconds
    bool killed;          // ended without its last report
};

// The exploration is one that explore_merge_begin was called for. `from`: go on from there; NULL: from the beginning. Both outlive it.
struct coordinator *coordinator_new(struct explore *explore, const struct checkpoint *from);
void coordinator_free(struct coordinator *coordinator);

// A worker is there. Returns its number, from 0.
uint32_t coordinator_join(struct coordinator *coordinator);
// A report. False: the worker is not to be trusted any more, and was counted as lost; `problem` gets the reason.
bool coordinator_receive(struct coordinator *coordinator, uint32_t worker, const void *bytes, size_t size,
                         struct text *problem);
// The worker is gone.
void coordinator_lost(struct coordinator *coordinator, uint32_t worker);
bool coordinator_has(const struct coordinator *coordinator, uint32_t worker); // neither lost nor gone
// Hands out states, asks for some where workers are idle, and says what others have found. `now`: seconds of any clock.
void coordinator_balance(struct coordinator *coordinator, double now);
// Moves the next order for this worker into the text. False: there is none.
bool coordinator_next(struct coordinator *coordinator, uint32_t worker, struct text *order);

// Is there nothing left to explore, anywhere?
bool coordinator_is_done(const struct coordinator *coordinator);
// A worker had to end for lack of memory.
bool coordinator_is_short(const struct coordinator *coordinator);
// Every worker is asked for its last report.
void coordinator_end(struct coordinator *coordinator);
// All workers that are still there count as lost; what is left becomes the exploration's. `why`: what ended the run, END_COMPLETE: nothing did.
void coordinator_close(struct coordinator *coordinator, enum explore_end why);

// Is it known where the run stands? Not before the first report.
bool coordinator_can_checkpoint(const struct coordinator *coordinator);
bool coordinator_checkpoint(struct coordinator *coordinator, struct text *to);

uint32_t coordinator_job_count(const struct coordinator *coordinator);
struct coordinator_job coordinator_job(const struct coordinator *coordinator, uint32_t worker);
// Orders and reports so far, and their bytes.
uint64_t coordinator_messages(const struct coordinator *coordinator, uint64_t *bytes);

#endif
