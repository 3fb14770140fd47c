// The queries of a run as one SMT-LIB 2 script, for solvers and for `tamar solve`: a path condition is a stack of assertions,
// and going from one path to another pops down to what both have.
#ifndef TAMAR_QUERY_LOG_H
#define TAMAR_QUERY_LOG_H

#include "expr/expr.h"

#include <stdio.h>

struct query_log;

// Writes to `out`, which the caller closes, after query_log_free.
struct query_log *query_log_new(struct terms *terms, FILE *out);
void query_log_free(struct query_log *log);

// Path conditions are named by numbers, 0 is the empty one. The number of `path` with one more condition.
uint32_t query_log_add(struct query_log *log, uint32_t path, Term condition);
// Can the condition be true under that path condition? Written before it is answered: a query that is never answered
// is the last one of the file.
void query_log_ask(struct query_log *log, uint32_t path, Term condition);

#endif
