// Makes the HTML page of a run, for `tamar report` and --serve.
#ifndef TAMAR_RUN_RUN_PAGE_H
#define TAMAR_RUN_RUN_PAGE_H

#include "base/text.h"

// Makes the page of the run in the folder. Returns false if the folder has no results that can be read; an error has
// been reported. *running: the run has not ended, or was killed; coverage.json may then be missing.
bool run_page_make(struct text *to, const char *folder, bool *running);

#endif
