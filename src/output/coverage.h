// Writes coverage.json and coverage.info (lcov's tracefile).
#ifndef TAMAR_COVERAGE_H
#define TAMAR_COVERAGE_H

#include "output/gaps.h"

struct text;

void coverage_add_json(struct text *to, const struct cover *cover, const struct gaps *gaps);
void coverage_add_lcov(struct text *to, const struct cover *cover);

#endif
