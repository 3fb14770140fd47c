// Files of the machine that started the run, for workers on other machines. A worker asks for the files that the
// program reads; the starter answers once, and the answer stays in Redis for all workers. Questions and answers are
// texts (board.h: files, wanted).
#ifndef TAMAR_CLUSTER_FOREIGN_H
#define TAMAR_CLUSTER_FOREIGN_H

#include "cluster/board.h"
#include "vm/vm.h"

// ---- a worker

struct foreign;
// `lost` is called if the worker has to end while it waits for an answer; it does not return.
struct foreign *foreign_new(struct board *board, uint32_t user, uint32_t group, void (*lost)(void));
void foreign_free(struct foreign *foreign);
const struct vm_foreign *foreign_host(const struct foreign *foreign);

// ---- the starter

// Answers a question about a file of this machine. Shared are files that every user may read, and files below
// `directory`; files in `hidden` do not exist.
void foreign_answer(const char *question, const char *directory, const char *const *hidden,
                    uint32_t hidden_count, struct text *answer);

#endif
