// The display of a running exploration: on a terminal one block of lines that is drawn again and again, on
// anything else a plain line now and then.
#ifndef TAMAR_RUN_LIVE_H
#define TAMAR_RUN_LIVE_H

#include "output/summary.h"

// `limit`: of the run's time in seconds, 0: none.
void live_start(const char *program, double limit);
// To be called about ten times a second.
void live_update(const struct summary *summary);
// Would live_update show anything now? Making a summary costs something.
bool live_wants(double seconds);
void live_stop(void);

#endif
