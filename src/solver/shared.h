// Answers that several processes of one machine share: a table in memory from canonical names to answers. It is made
// before the processes are forked. Its size is fixed; new answers replace old ones. A log of the last additions is read
// to send them to other machines.
#ifndef TAMAR_SHARED_H
#define TAMAR_SHARED_H

#include "solver/canonical.h"

struct shared_answers;

#define SHARED_MODEL 88u // largest model in bytes; answers with larger ones are not shared

struct shared_answer {
    struct digest name;
    uint32_t size; // bytes of the model
    bool refuted;
    uint8_t model[SHARED_MODEL]; // a value for each var in canonical order
};

// Makes a table of about `bytes` bytes. NULL: there is not enough memory.
struct shared_answers *shared_new(size_t bytes);
void shared_free(struct shared_answers *shared);

// Reads answers that processes have added since *position (0: the first), at most `most`, and advances it. Answers that
// were replaced before they could be read are skipped.
uint32_t shared_since(const struct shared_answers *shared, uint64_t *position, struct shared_answer *to,
                      uint32_t most);
// Adds an answer that came from another machine: shared_since does not return it.
void shared_add_foreign(struct shared_answers *shared, const struct shared_answer *answer);
// Adds an answer. A process that is killed meanwhile leaves an entry that shared_find does not accept.
void shared_add(struct shared_answers *shared, const struct shared_answer *answer);
// Looks up answer->name and sets the other fields. Returns false if there is no such answer.
bool shared_find(const struct shared_answers *shared, struct shared_answer *answer);

#endif
