// A record accumulates the messages of a run: findings, targets, coverage and counts, from which the summary is made.
// `tamar record` is something else (run/record_store.h).
//
//   record_new -> { record_take -> record_summary ... } -> record_free
#ifndef TAMAR_OUTPUT_RECORD_H
#define TAMAR_OUTPUT_RECORD_H

#include "message/message.h"
#include "output/summary.h"

struct record;

// The program must outlive the record.
struct record *record_new(const struct ir_program *program);
void record_free(struct record *record);

void record_take(struct record *record, const struct message *message);

// Returns NULL if no finding has this number. The caller may set the finding's command.
struct finding *record_finding(struct record *record, uint32_t number);
// Returns NULL if no message was about this target.
const struct target_status *record_target(const struct record *record, uint32_t number);
// Returns the current coverage.
const struct cover *record_cover(struct record *record);

// Returns the current summary. `ended`: the run has ended. The summary is valid as long as the arena and the record.
// The caller fills in folder, program, options and targets.
struct summary record_summary(struct record *record, struct arena *arena, bool ended);

#endif
