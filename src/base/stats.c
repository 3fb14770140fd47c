#include "base/stats.h"

#include <string.h>
#include <time.h>

struct stats stats;

struct row {
    const char *group, *name, *help;
    bool timer;
    size_t offset;
};

#define COUNTER_ROW(group, name, help) {#group, #name, help, false, offsetof(struct stats, group##_##name)},
#define TIMER_ROW(group, name, help)                                                                         \
    {#group, #name, help, true, offsetof(struct stats, time_##group##_##name)},
static const struct row rows[] = {STATS_TABLE(COUNTER_ROW, TIMER_ROW)};

uint64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void timer_start(struct timer *timer) {
    if (timer->depth++ == 0) timer->started = clock_now();
}

void timer_stop(struct timer *timer) {
    assert(timer->depth > 0);
    if (--timer->depth == 0) timer->nanoseconds += clock_now() - timer->started;
}

double timer_seconds(const struct timer *timer) {
    uint64_t running = timer->depth ? clock_now() - timer->started : 0;
    return (double)(timer->nanoseconds + running) * 1e-9;
}

static const void *place(const struct stats *from, const struct row *row) {
    return (const char *)from + row->offset;
}

void stats_add_text(struct text *text, const struct stats *from) {
    for (unsigned i = 0; i < COUNT(rows); i++) {
        const struct row *row = &rows[i];
        if (row->timer) {
            double seconds = timer_seconds(place(from, row));
            if (seconds > 0)
                text_add(text, "%16.3f s  %s.%s: %s\n", seconds, row->group, row->name, row->help);
        } else {
            uint64_t count = *(const uint64_t *)place(from, row);
            if (count)
                text_add(text, "%18llu  %s.%s: %s\n", (unsigned long long)count, row->group, row->name,
                         row->help);
        }
    }
}

static bool first_of_group(unsigned i) {
    for (unsigned j = 0; j < i; j++)
        if (strcmp(rows[i].group, rows[j].group) == 0) return false;
    return true;
}

// The counters (or the timers) of the group that row `first` opens, as members of the object that is being
// written.
static unsigned add_members(struct text *text, const struct stats *from, unsigned first, bool timers) {
    unsigned written = 0;
    for (unsigned i = first; i < COUNT(rows); i++) {
        const struct row *row = &rows[i];
        if (row->timer != timers || strcmp(row->group, rows[first].group) != 0) continue;
        text_add(text, "%s\"%s\": ", written++ ? ", " : "", row->name);
        if (timers)
            text_add(text, "%.6f", timer_seconds(place(from, row)));
        else
            text_add(text, "%llu", (unsigned long long)*(const uint64_t *)place(from, row));
    }
    return written;
}

void stats_add_json(struct text *text, const struct stats *from) {
    text_add(text, "{");
    for (unsigned i = 0; i < COUNT(rows); i++) {
        if (!first_of_group(i)) continue;
        struct text timers = {0};
        text_add(text, "%s\"%s\": {", i ? ", " : "", rows[i].group);
        unsigned counters = add_members(text, from, i, false);
        if (add_members(&timers, from, i, true))
            text_add(text, "%s\"time\": {%s}", counters ? ", " : "", timers.at);
        text_add(text, "}");
        text_free(&timers);
    }
    text_add(text, "}");
}
