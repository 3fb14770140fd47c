// Known bits and unsigned ranges of terms under restricted values of input bytes, computed without search.
#ifndef TAMAR_RANGES_H
#define TAMAR_RANGES_H

#include "expr/expr.h"

struct ranges;
struct ranges *ranges_new(struct terms *terms);
void ranges_free(struct ranges *ranges);

// Sets `byte`, which returns known bits and range of a byte var; used until the next ranges_start.
void ranges_start(struct ranges *ranges, struct facts (*byte)(void *context, uint32_t var), void *context);
struct facts ranges_of(struct ranges *ranges, Term t);
// Whether a contradiction was found since ranges_start: no assignment agrees with the facts about the bytes.
bool ranges_contradict(const struct ranges *ranges);

#endif
