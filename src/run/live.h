// The display of a running exploration: on a terminal a block of lines that is redrawn, otherwise a plain
// line from time to time.
#ifndef TAMAR_RUN_LIVE_H
#define TAMAR_RUN_LIVE_H

#include "output/summary.h"

// Starts the display. `limit`: the run's time limit in seconds, 0: none.
void live_start(const char *program, double limit);
// Returns the width of the terminal; 80 if it is not known.
unsigned live_columns(int fd);
// Redraws the display. Call it about ten times a second.
void live_update(const struct summary *summary);
// Whether live_update would show anything after `seconds` of the run. Called first, since making a summary is
// expensive.
bool live_wants(double seconds);
void live_stop(void);

#endif
