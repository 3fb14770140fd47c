// Clocks, for limits, shares of time and reports. A time may end a query, whose answer is then unknown, or a run, which
// is then incomplete; it must never choose between two answers.
#ifndef TAMAR_BASE_CLOCK_H
#define TAMAR_BASE_CLOCK_H

#include <stdint.h>

double clock_seconds(void);           // monotonic
uint64_t clock_nanoseconds(void);     // monotonic
double clock_processor_seconds(void); // processor time of this process
void clock_pause(long milliseconds);  // may return earlier, on a signal

#endif
