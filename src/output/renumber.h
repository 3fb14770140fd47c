// Renumbers the tests of a results folder.
#ifndef TAMAR_OUTPUT_RENUMBER_H
#define TAMAR_OUTPUT_RENUMBER_H

#include "base/alloc.h"

struct results;

// Test i (from 1) becomes test numbers[i], a permutation. Returns false if an error has been reported. Removes the
// checkpoint, which has the old numbers: a run that is killed meanwhile is resumed from its tests.
bool renumber_files(struct results *results, const uint32_t *numbers, uint32_t count);

#endif
