// Divides the exploration of a program among workers and merges their reports. The coordinator consumes and produces
// bytes; the transport is the caller's (processes.h).
//
//   coordinator_new -> { coordinator_join, coordinator_receive, coordinator_lost, coordinator_balance,
//   coordinator_next } -> coordinator_end -> { coordinator_receive, coordinator_lost } -> coordinator_close
//
// Each state is in exactly one of three places: in the list of the worker whose last report has it, in an order that
// the worker has not yet reported as carried out, or in the pool. A report moves states atomically: those it gives
// away leave the worker's list and enter the pool. If a worker is lost, its list and its pending orders go to the
// pool.
#ifndef TAMAR_CLUSTER_COORDINATOR_H
#define TAMAR_CLUSTER_COORDINATOR_H

#include "explore/merge.h"

struct coordinator;

// Statistics of one worker.
struct coordinator_job {
    uint64_t paths, instructions, given, taken;
    double busy, rebuilding, present; // seconds; `rebuilding` is a part of `busy`
    bool killed;                      // ended without its last report
};

// Needs an exploration for which explore_merge_begin was called. `from`: the checkpoint to resume from, NULL: none.
// Both must outlive the coordinator.
struct coordinator *coordinator_new(struct explore *explore, const struct checkpoint *from);
void coordinator_free(struct coordinator *coordinator);

// Adds a worker. Returns its number, from 0.
uint32_t coordinator_join(struct coordinator *coordinator);
// Processes a report. Returns false if it is invalid; the worker then counts as lost, and `problem` gets the reason.
bool coordinator_receive(struct coordinator *coordinator, uint32_t worker, const void *bytes, size_t size,
                         struct text *problem);
// Removes a worker whose process has ended.
void coordinator_lost(struct coordinator *coordinator, uint32_t worker);
bool coordinator_has(const struct coordinator *coordinator, uint32_t worker); // false if lost or ended
// Assigns states to idle workers, requests states from busy ones, and sends new coverage. `now`: seconds of any clock.
// `work_time`: seconds of a clock that advances with the work of the busy workers (worth.h).
void coordinator_balance(struct coordinator *coordinator, double now, double work_time);
// Moves the next order for this worker into the text. Returns false if there is none.
bool coordinator_next(struct coordinator *coordinator, uint32_t worker, struct text *order);

// Returns true if no state is left anywhere.
bool coordinator_is_done(const struct coordinator *coordinator);
// Returns how many more workers could be given states now, if there may be `most` workers in total. 0 while a worker is
// idle.
uint32_t coordinator_useful_workers(const struct coordinator *coordinator, uint32_t most);
// Returns the number of workers that have states.
uint32_t coordinator_busy_workers(const struct coordinator *coordinator);
// Returns true if a worker had to end for lack of memory.
bool coordinator_is_short(const struct coordinator *coordinator);
// Asks every worker for its last report.
void coordinator_end(struct coordinator *coordinator);
// Counts the remaining workers as lost and moves all remaining states to the exploration. `why`: END_WORKERS if workers
// keep dying or cannot be started; END_COMPLETE: the exploration knows the reason (explore_merge_end).
void coordinator_close(struct coordinator *coordinator, enum explore_end why);

// Returns true if a checkpoint can be written: not before the first report.
bool coordinator_can_checkpoint(const struct coordinator *coordinator);
bool coordinator_checkpoint(struct coordinator *coordinator, struct text *to);

uint32_t coordinator_job_count(const struct coordinator *coordinator);
struct coordinator_job coordinator_job(const struct coordinator *coordinator, uint32_t worker);
// Returns the number of orders and reports so far; *bytes: their size.
uint64_t coordinator_messages(const struct coordinator *coordinator, uint64_t *bytes);

#endif
