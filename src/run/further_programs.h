// Reads --program: further programs that the program may start by execve.
#ifndef TAMAR_RUN_FURTHER_PROGRAMS_H
#define TAMAR_RUN_FURTHER_PROGRAMS_H

#include "base/options.h"
#include "front/front.h"

struct arena;

// Returns the programs of the list, in the arena; *good is false if a value is wrong, which has been reported.
const struct front_program *further_programs(const struct option_list *list, struct arena *arena, bool *good);

#endif
