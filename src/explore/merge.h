// Several explorations of a program, with the same options, as one. Each says as a stream of messages what it has done since its last
// report and what it has left (explore_report); an exploration that executes nothing itself adds the reports up (explore_merge). Its
// result, its messages and its checkpoint are then those of the whole run.
#ifndef TAMAR_EXPLORE_MERGE_H
#define TAMAR_EXPLORE_MERGE_H

#include "explore/checkpoint.h"

struct message_writer;

// ---- one of several

// Writes up to `give` states, which it has no longer, then those that it keeps, and after that its status, coverage, bugs, incompleteness
// and targets. Fills in what the report says of states. Those of late seeds are not written: they lie on the way of others.
// `end`: for the last time.
void explore_report(struct explore *explore, struct message_writer *stream, struct work_report *report,
                    uint32_t give, bool end);
// What others have covered and reached is known here, too.
void explore_learn(struct explore *explore, const struct coverage_delta *coverage,
                   const struct target_status *const *targets, uint32_t target_count);
// NULL, or why the numbers are not those of the program.
const char *explore_learn_problem(const struct explore *explore, const struct coverage_delta *coverage);
// Adds states of entries, which live in the arena; that is the exploration's from now on. False: they do not fit, `problem` gets the
// reason, and the arena is the caller's still.
bool explore_take_entries(struct explore *explore, struct frontier_entry *entries, uint32_t count,
                          struct arena *arena, struct text *problem);

// ---- all of them

// What one of them has said so far.
struct explore_part;
struct explore_part *explore_part_new(void);
void explore_part_free(struct explore_part *part);

// From here on the exploration adds up.
void explore_merge_begin(struct explore *explore);
// False: the report does not fit the program or the reports before it; `problem` gets the reason, and nothing was added.
bool explore_merge(struct explore *explore, struct explore_part *part, const struct checkpoint *report,
                   struct text *problem);
// States that all have together, and those that are on their way.
void explore_merge_states(struct explore *explore, uint64_t states);
// A choice that an entry waits for counts as undecided while the entry is on its way (`waits`), and no longer when it has arrived.
void explore_merge_waiting(struct explore *explore, const struct frontier_entry *entry, bool waits);
// Calls on_progress when it is due. True: a limit of the run is reached.
bool explore_merge_at_limit(struct explore *explore);
// What was lost outside of any exploration, for the ledger.
void explore_merge_lost(struct explore *explore, const char *what, uint64_t count);
// Test i, from 1, is test numbers[i] from now on.
void explore_renumber(struct explore *explore, const uint32_t *numbers, uint32_t count);
// A checkpoint of the whole run, with these states. `position`: of a run in Redis; NULL: it is another. False: as for explore_checkpoint.
bool explore_merge_checkpoint(struct explore *explore, const struct frontier_entry *entries, uint32_t count,
                              const struct shared_position *position, struct text *to);
// The run is over; these states are left, and are this exploration's from now on, as their arena. `why`: what ended it, END_COMPLETE: no
// state is left, or a limit of the run is reached. `unbegun`: the first states of the program are left, too.
void explore_merge_end(struct explore *explore, struct frontier_entry *left, uint32_t count,
                       struct arena *arena, enum explore_end why, bool unbegun);

#endif
