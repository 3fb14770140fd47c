// Single queries that are hard for a bit-level solver.
#ifndef TAMAR_BENCH_HARD_H
#define TAMAR_BENCH_HARD_H

#include "expr/expr.h"

#define HARD_LIMIT 10.0 // seconds; Z3 has the same

struct hard_query {
    const char *name;
    Term (*make)(struct terms *terms, unsigned size);
    unsigned size;
};
extern const struct hard_query hard_queries[];
extern const unsigned hard_count;

#endif
