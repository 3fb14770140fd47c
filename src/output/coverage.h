// coverage.json and coverage.info (lcov's tracefile).
#ifndef TAMAR_COVERAGE_H
#define TAMAR_COVERAGE_H

#include "cover/cover.h"

struct text;

void coverage_add_json(struct text *to, const struct cover *cover);
void coverage_add_lcov(struct text *to, const struct cover *cover);

#endif
