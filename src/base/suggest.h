// "Did you mean ...?" for a mistyped word.
#ifndef TAMAR_SUGGEST_H
#define TAMAR_SUGGEST_H

#include "base/base.h"

// The least number of insertions, deletions, substitutions and swaps of adjacent letters that turn `a` into `b`.
unsigned suggest_edit_distance(const char *a, const char *b);

// Collects the candidate nearest to a typed word; start with {.typed = word}.
struct suggestion {
    const char *typed;
    const char *best; // NULL: no candidate is near enough
    unsigned distance;
};
void suggest_consider(struct suggestion *suggestion, const char *candidate);

#endif
