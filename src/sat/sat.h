// An incremental SAT solver with assumptions: a small interface to CaDiCaL that enforces limits.
//
//   sat_new -> ADDING --sat_solve--> SATISFIED (sat_value) | REFUTED (sat_failed) | UNDECIDED
//                ^---------- sat_clause or sat_assume, from any of the three ----------------'
//
// sat_new_variable may be called in every state and changes none. Assumptions hold for the next sat_solve only. A solve
// ended by a limit (of struct sat_limits, or of base/run_limits.h) is undecided and leaves the instance usable. A
// literal is a variable number (from 1) or its negative.
#ifndef TAMAR_SAT_H
#define TAMAR_SAT_H

#include "base/base.h"

struct sat;

enum sat_answer { SAT_UNDECIDED, SAT_SATISFIED, SAT_REFUTED };

struct sat_limits {
    uint64_t deadline; // a time of clock_nanoseconds, 0: none
    int64_t conflicts; // 0: no limit
};

// Name, meaning.
#define SAT_STATISTICS(X)                                                                                    \
    X(variables, "variables of the instance")                                                                \
    X(clauses, "clauses given to the instance")                                                              \
    X(literals, "literals in these clauses")                                                                 \
    X(solves, "calls of the search")                                                                         \
    X(satisfied, "calls that found a model")                                                                 \
    X(refuted, "calls that proved unsatisfiability")                                                         \
    X(undecided, "calls ended by a limit")                                                                   \
    X(asked, "calls of the terminator: one every few decisions")

struct sat_statistics {
#define X(name, what) uint64_t name;
    SAT_STATISTICS(X)
#undef X
};

struct sat *sat_new(void);
void sat_free(struct sat *sat);

int sat_new_variable(struct sat *sat);
void sat_clause(struct sat *sat, const int *literals, unsigned count);
void sat_assume(struct sat *sat, int literal);
enum sat_answer sat_solve(struct sat *sat, const struct sat_limits *limits);

// After SAT_SATISFIED: the literal's value in the model.
bool sat_value(struct sat *sat, int literal);
// After SAT_REFUTED: whether this assumption is in the core.
bool sat_failed(struct sat *sat, int literal);

const struct sat_statistics *sat_statistics(const struct sat *sat);

#endif
