// States as messages, for checkpoints and for transfer between explorations.
#ifndef TAMAR_EXPLORE_FRONTIER_H
#define TAMAR_EXPLORE_FRONTIER_H

#include "message/stream.h"

struct arena;
struct explore;
struct ir_program;
struct state;

// Writes entries into a stream. An entry is encoded as its difference from the previous one, so states are
// written in creation order.
struct frontier_writer;
struct frontier_writer *frontier_writer_new(struct explore *explore, struct message_writer *stream);
void frontier_writer_free(struct frontier_writer *writer);
// Writes the state. If it is still being rebuilt, writes the last `most` of the entries that it
// represents. Returns the number of entries written.
uint32_t frontier_write(struct frontier_writer *writer, const struct state *state, uint32_t most);

struct input_id frontier_input_id(const struct frontier_input *input);
// Returns NULL if the entry is valid for this program, otherwise the reason.
const char *frontier_problem(const struct ir_program *program, const struct frontier_entry *entry);
// Sorts by command line, then by decisions: entries with a common prefix become adjacent.
void frontier_sort(struct frontier_entry *entries, uint32_t count);

#endif
