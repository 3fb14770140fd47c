// Random messages, made from the tables of fields.
#ifndef TAMAR_RANDOM_MESSAGE_H
#define TAMAR_RANDOM_MESSAGE_H

#include "base/arena.h"
#include "base/random.h"
#include "message/message.h"

// Fills a struct. Lists that messages share take some of their items from `like`, which may be NULL.
void random_struct(struct random *random, struct arena *arena, const struct layout *layout, const void *like,
                   void *value);
// Changes the value of the field.
void random_change(struct random *random, struct arena *arena, const struct layout *layout, uint32_t index,
                   void *value);

#endif
