// What the messages of a run have said so far.
//
//   record_new -> { record_take -> record_summary ... } -> record_free
#ifndef TAMAR_OUTPUT_RECORD_H
#define TAMAR_OUTPUT_RECORD_H

#include "message/message.h"
#include "output/summary.h"

struct record;

// The program must outlive it.
struct record *record_new(const struct ir_program *program);
void record_free(struct record *record);

void record_take(struct record *record, const struct message *message);

// NULL: no finding has this number. The caller may set its command.
struct finding *record_finding(struct record *record, uint32_t number);
const struct run_status *record_status(const struct record *record);
// NULL: nothing was said of this target.
const struct target_status *record_target(const struct record *record, uint32_t number);
// Coverage as it stands.
const struct cover *record_cover(struct record *record);

// The run as it looks now. `ended`: false while it goes on. Lives in the arena and in the record; what is not the run's own (folder, program,
// options, targets) is left to the caller.
struct summary record_summary(struct record *record, struct arena *arena, bool ended);

#endif
