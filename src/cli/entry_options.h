// --entry and what belongs to it, from the options of `tamar run`.
#ifndef TAMAR_CLI_ENTRY_OPTIONS_H
#define TAMAR_CLI_ENTRY_OPTIONS_H

#include "cli/run_options.h"

// What the front end is told; NULL without --entry, in *good whether the options can be used (else the user was told). The arena
// owns it.
const struct front_entry *entry_options(const struct run_options *options, struct arena *arena, bool *good);

#endif
