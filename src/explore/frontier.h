// States as messages: what a checkpoint keeps of them, and what explorations give each other.
#ifndef TAMAR_EXPLORE_FRONTIER_H
#define TAMAR_EXPLORE_FRONTIER_H

#include "message/stream.h"

struct arena;
struct explore;
struct ir_program;
struct state;

// Writes entries into a stream. Neighbours in the order of making come one after the other, since an entry is written as its difference
// from the one before.
struct frontier_writer;
struct frontier_writer *frontier_writer_new(struct explore *explore, struct message_writer *stream);
void frontier_writer_free(struct frontier_writer *writer);
// The state, or, where it is still being rebuilt, the last `most` of the entries that it stands for. Returns how many.
uint32_t frontier_write(struct frontier_writer *writer, const struct state *state, uint32_t most);

struct input_id frontier_input_id(const struct frontier_input *input);
// NULL, or why the entry cannot be one of this program.
const char *frontier_problem(const struct ir_program *program, const struct frontier_entry *entry);
// By command line, then by decisions: entries that begin alike are neighbours.
void frontier_sort(struct frontier_entry *entries, uint32_t count);

#endif
