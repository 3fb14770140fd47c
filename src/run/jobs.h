// `--jobs N`, for the commands that have it.
#ifndef TAMAR_RUN_JOBS_H
#define TAMAR_RUN_JOBS_H

#include "base/base.h"

#define MOST_JOBS 1024u

// Parses a number or "auto". Returns false if it is neither; an error has been reported.
bool jobs_parse(const char *word, uint32_t *jobs);

#endif
