// Counters and timers of the whole process, one table (stats_table.h). `stats.process_warnings++;` counts;
// `timer_start(&stats.time_process_total); ... timer_stop(...);` times, and may nest.
#ifndef TAMAR_STATS_H
#define TAMAR_STATS_H

#include "base/stats_table.h"
#include "base/text.h"

struct timer {
    uint64_t nanoseconds, started;
    unsigned depth; // of nested starts: only the outermost pair counts
};

#define STATS_COUNTER_FIELD(group, name, help) uint64_t group##_##name;
#define STATS_TIMER_FIELD(group, name, help)   struct timer time_##group##_##name;
struct stats {
    STATS_TABLE(STATS_COUNTER_FIELD, STATS_TIMER_FIELD)
};
extern struct stats stats;

// Nanoseconds of a clock that only goes forward.
uint64_t clock_now(void);
void timer_start(struct timer *timer);
void timer_stop(struct timer *timer);
// Including the running part.
double timer_seconds(const struct timer *timer);

// One line for each that is not zero: value, name, what it counts.
void stats_add_text(struct text *text, const struct stats *from);
// {"process": {"warnings": 12, "time": {"total": 0.5}}, ...}: everything, zero or not.
void stats_add_json(struct text *text, const struct stats *from);

#endif
