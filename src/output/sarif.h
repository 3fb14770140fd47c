// bugs.sarif: SARIF 2.1.0, as code hosting services and editors read it.
#ifndef TAMAR_SARIF_H
#define TAMAR_SARIF_H

#include "output/summary.h"

struct text;

// Appends the bugs of the summary, and known reports as suppressed results. File names become relative to
// `directory`, an absolute path.
void sarif_add(struct text *to, const struct summary *summary, const char *directory, const char *version);

#endif
