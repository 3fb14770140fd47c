// What is known of a term when some input bytes have fewer values: known bits and unsigned range, without
// search.
#ifndef TAMAR_RANGES_H
#define TAMAR_RANGES_H

#include "expr/expr.h"

struct ranges;
struct ranges *ranges_new(struct terms *terms);
void ranges_free(struct ranges *ranges);

// `byte` says what is known of a byte var, until the next ranges_start.
void ranges_start(struct ranges *ranges, struct facts (*byte)(void *context, uint32_t var), void *context);
struct facts ranges_of(struct ranges *ranges, Term t);
// Since ranges_start it was found out that no assignment fits what the bytes are known to be.
bool ranges_contradict(const struct ranges *ranges);

#endif
