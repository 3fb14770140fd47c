#ifndef TAMAR_OUTPUT_RENUMBER_H
#define TAMAR_OUTPUT_RENUMBER_H

#include "base/alloc.h"

struct results;

// Renumbers the tests: test i (from 1) becomes test numbers[i], a permutation. Returns false if an error has been
// reported.
bool renumber_files(struct results *results, const uint32_t *numbers, uint32_t count);

#endif
