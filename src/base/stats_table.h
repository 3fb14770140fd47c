// Every counter and timer there is: adding one is one line. `COUNTER(group, name, what it counts)` becomes
// the field stats.group_name, `TIMER(group, name, ...)` the timer stats.time_group_name; both appear in every
// report.
#ifndef TAMAR_STATS_TABLE_H
#define TAMAR_STATS_TABLE_H

#define STATS_TABLE(COUNTER, TIMER)                                                                          \
    COUNTER(process, warnings, "warnings given")                                                             \
    TIMER(process, total, "from start to end")

#endif
