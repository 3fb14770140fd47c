// --entry and what belongs to it, from the options of `tamar run`.
#ifndef TAMAR_RUN_ENTRY_OPTIONS_H
#define TAMAR_RUN_ENTRY_OPTIONS_H

#include "run/run_options.h"

// The entry for the front end, owned by the arena; NULL without --entry. *good: the options can be used; if not, an error has been
// reported.
const struct front_entry *entry_options(const struct run_options *options, struct arena *arena, bool *good);

#endif
