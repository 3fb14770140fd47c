#include "sat/sat.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/run_limits.h"

#include <ccadical.h>
#include <limits.h>

// CaDiCaL calls should_stop every few decisions; only every CLOCK_INTERVAL-th call reads the clock.
#define CLOCK_INTERVAL NORMAL_OR_HOSTILE(8, 1)

struct sat {
    CCaDiCaL *solver;
    const struct sat_limits *limits; // set while solving
    enum sat_answer answer;          // answer of the last solve; SAT_UNDECIDED once something was added
    unsigned polls;                  // calls of should_stop since the clock was read
    struct sat_statistics statistics;
};

static int should_stop(void *state) {
    struct sat *sat = state;
    const struct sat_limits *limits = sat->limits;
    sat->statistics.asked++;
    if (limits_over()) return 1;
    if (!limits) return 0;
    if (!limits->deadline || ++sat->polls < CLOCK_INTERVAL) return 0;
    sat->polls = 0;
    return clock_nanoseconds() >= limits->deadline;
}

struct sat *sat_new(void) {
    struct sat *sat = NEW(struct sat);
    sat->solver = ccadical_init();
    // Queries are many and small, so the work of CaDiCaL per call must be small: no lucky phases (they visit every
    // clause), no local search.
    ccadical_set_option(sat->solver, "quiet", 1);
    ccadical_set_option(sat->solver, "lucky", 0);
    ccadical_set_option(sat->solver, "walk", 0);
    ccadical_set_terminate(sat->solver, sat, should_stop);
    return sat;
}

void sat_free(struct sat *sat) {
    if (!sat) return;
    ccadical_release(sat->solver);
    DELETE(sat);
}

int sat_new_variable(struct sat *sat) {
    assert(sat->statistics.variables < INT_MAX / 2);
    return (int)++sat->statistics.variables;
}

static bool is_literal(const struct sat *sat, int literal) {
    return literal && literal != INT_MIN &&
           (uint64_t)(literal < 0 ? -literal : literal) <= sat->statistics.variables;
}

void sat_clause(struct sat *sat, const int *literals, unsigned count) {
    limits_poll(); // memory of the instance is not counted by base/alloc.h
    for (unsigned i = 0; i < count; i++) {
        assert(is_literal(sat, literals[i]));
        ccadical_add(sat->solver, literals[i]);
    }
    ccadical_add(sat->solver, 0);
    sat->answer = SAT_UNDECIDED;
    sat->statistics.clauses++;
    sat->statistics.literals += count;
}

void sat_assume(struct sat *sat, int literal) {
    assert(is_literal(sat, literal));
    ccadical_assume(sat->solver, literal);
    sat->answer = SAT_UNDECIDED;
}

enum sat_answer sat_solve(struct sat *sat, const struct sat_limits *limits) {
    if (limits && limits->conflicts)
        ccadical_limit(sat->solver, "conflicts", (int)MIN(limits->conflicts, (int64_t)INT_MAX));
    sat->limits = limits;
    sat->polls = 0;
    int status = ccadical_solve(sat->solver);
    sat->limits = NULL;
    assert(status == 0 || status == 10 || status == 20);
    sat->answer = status == 10 ? SAT_SATISFIED : status == 20 ? SAT_REFUTED : SAT_UNDECIDED;
    sat->statistics.solves++;
    sat->statistics.satisfied += sat->answer == SAT_SATISFIED;
    sat->statistics.refuted += sat->answer == SAT_REFUTED;
    sat->statistics.undecided += sat->answer == SAT_UNDECIDED;
    return sat->answer;
}

bool sat_value(struct sat *sat, int literal) {
    assert(sat->answer == SAT_SATISFIED);
    assert(is_literal(sat, literal));
    return ccadical_val(sat->solver, literal) > 0;
}

bool sat_failed(struct sat *sat, int literal) {
    assert(sat->answer == SAT_REFUTED);
    assert(is_literal(sat, literal));
    return ccadical_failed(sat->solver, literal) != 0;
}

const struct sat_statistics *sat_statistics(const struct sat *sat) { return &sat->statistics; }
