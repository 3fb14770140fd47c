// The solver's answers in a run of several machines: a table that the workers of this machine share (solver/shared.h),
// and batches of new answers in Redis. Only the parent of the workers reads and writes Redis for it, about once a
// second, so that no query waits for the network.
#ifndef TAMAR_CLUSTER_ANSWERS_H
#define TAMAR_CLUSTER_ANSWERS_H

#include "cluster/board.h"

struct answers;
struct shared_answers;

// `board` and `writer`, the name under which batches are written, must outlive it.
struct answers *answers_new(struct board *board, const char *writer);
void answers_free(struct answers *answers);
// Returns the table; NULL: there is no memory for it.
struct shared_answers *answers_table(const struct answers *answers);
// Sends new answers of this machine and adds those of others. Does nothing if the last exchange was less than a second
// ago.
void answers_exchange(struct answers *answers);

#endif
