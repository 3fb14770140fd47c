// Converts --entry and its further options for the front end.
#ifndef TAMAR_RUN_ENTRY_OPTIONS_H
#define TAMAR_RUN_ENTRY_OPTIONS_H

#include "run/run_options.h"

// Returns the entry, owned by the arena; NULL without --entry. *good: the options can be used; if not, an error has
// been reported.
const struct front_entry *entry_options(const struct run_options *options, struct arena *arena, bool *good);

#endif
