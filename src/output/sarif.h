// bugs.sarif: SARIF 2.1.0, as code hosting services and editors read it.
#ifndef TAMAR_SARIF_H
#define TAMAR_SARIF_H

#include "message/finding.h"

struct text;

// `directory`: the absolute path that the names of files are made relative to.
void sarif_add(struct text *to, const struct finding *const *findings, uint32_t count, const char *directory,
               const char *version);

#endif
