// Random reads of arrays, for the fuzzers of the solver's evaluators.
#ifndef TAMAR_RANDOM_READ_H
#define TAMAR_RANDOM_READ_H

#include "random_term.h"

// A read at a random index of a table of any kind, with writes and an ite on top. Indices and elements have 8 bits.
Term random_read(struct trace *trace);

#endif
