// Several explorations of one program, with the same options, as one run. Each reports its new tests, its
// totals so far and its remaining states as a stream of messages (explore_report). One more exploration, which
// executes nothing, adds the reports up (explore_merge); its result, messages and checkpoint are those of the
// whole run.
#ifndef TAMAR_EXPLORE_MERGE_H
#define TAMAR_EXPLORE_MERGE_H

#include "explore/checkpoint.h"

struct message_writer;

// ---- worker

// Writes the states given away (at most `give`), which are removed, then the states kept, then status, coverage, bugs,
// incompleteness and targets. Sets the report's fields given, kept and held. States of late seeds are not written:
// other states cover their paths. `end`: this is the last report.
void explore_report(struct explore *explore, struct message_writer *stream, struct work_report *report,
                    uint32_t give, bool end);
// Describes a target for explore_learn. Returns false if it is still to be reached.
bool explore_target_news(const struct target_result *target, uint32_t number, struct target_status *status);
// Adds coverage and targets reached by other explorations.
void explore_learn(struct explore *explore, const struct coverage_delta *coverage,
                   const struct target_status *const *targets, uint32_t target_count);
// Returns NULL if the numbers are valid for the program, otherwise the reason.
const char *explore_learn_problem(const struct explore *explore, const struct coverage_delta *coverage);
// Adds the states of entries and takes ownership of their arena. Returns false if they are invalid:
// `problem` gets the reason, and the caller keeps the arena.
bool explore_take_entries(struct explore *explore, struct frontier_entry *entries, uint32_t count,
                          struct arena *arena, struct text *problem);

// ---- whole run

// All reports of one worker so far.
struct explore_part;
struct explore_part *explore_part_new(void);
void explore_part_free(struct explore_part *part);

// Makes this exploration the one that adds up the reports.
void explore_merge_begin(struct explore *explore);
// Adds a report. Returns false if it contradicts the program or earlier reports: `problem` gets the
// reason, and nothing is added.
bool explore_merge(struct explore *explore, struct explore_part *part, const struct checkpoint *report,
                   struct text *problem);
// Sets the number of states of all workers, including those in transit.
void explore_merge_states(struct explore *explore, uint64_t states);
// While a pending entry is in transit, no exploration counts its branch as undecided. Call this with `waits` true when
// the transit begins, and with false when it ends.
void explore_merge_waiting(struct explore *explore, const struct frontier_entry *entry, bool waits);
// Calls on_progress when it is due. Returns true if a limit of the run is reached.
bool explore_merge_at_limit(struct explore *explore);
// Adds a loss outside of any exploration to the ledger.
void explore_merge_lost(struct explore *explore, const char *what, uint64_t count);
// Renumbers the tests: test i (from 1) becomes numbers[i].
void explore_renumber(struct explore *explore, const uint32_t *numbers, uint32_t count);
// Writes a checkpoint of the whole run, with these states. `position`: position of a run in Redis; NULL for
// other runs. Returns false as explore_checkpoint does.
bool explore_merge_checkpoint(struct explore *explore, const struct frontier_entry *entries, uint32_t count,
                              const struct shared_position *position, struct text *to);
// Ends the run; takes ownership of the states left and of their arena. `why`: the caller's reason;
// END_COMPLETE: it has none, and the reason is a limit that was reached, or that no state is left. `unbegun`: the
// initial states have not been explored, either.
void explore_merge_end(struct explore *explore, struct frontier_entry *left, uint32_t count,
                       struct arena *arena, enum explore_end why, bool unbegun);

#endif
