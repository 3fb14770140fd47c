// Every counter and timer there is: adding one is one line. `COUNTER(group, name, what it counts)` becomes
// the field stats.group_name, `TIMER(group, name, ...)` the timer stats.time_group_name; both appear in every
// report.
#ifndef TAMAR_STATS_TABLE_H
#define TAMAR_STATS_TABLE_H

#define STATS_TABLE(COUNTER, TIMER)                                                                          \
    COUNTER(load, bitcode_bytes, "bytes of bitcode read")                                                    \
    COUNTER(load, functions, "functions lowered")                                                            \
    COUNTER(load, instructions, "instructions after lowering")                                               \
    TIMER(load, total, "reading, linking and lowering the program")                                          \
    COUNTER(run, instructions, "instructions executed")                                                      \
    COUNTER(run, calls, "function calls executed")                                                           \
    COUNTER(run, system_calls, "system calls of the program")                                                \
    COUNTER(memory, translation_misses, "look-ups that the translation cache could not answer")              \
    COUNTER(memory, pages_copied, "pages copied because a state wrote to a shared one")                      \
    COUNTER(memory, objects, "objects allocated")                                                            \
    TIMER(run, total, "executing the program")

#endif
