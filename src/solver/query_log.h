// The queries of a run as one SMT-LIB 2 script, for solvers and for `tamar solve`. A path condition is a stack of
// assertions. To switch to another path, assertions are popped down to the common prefix.
#ifndef TAMAR_QUERY_LOG_H
#define TAMAR_QUERY_LOG_H

#include "expr/expr.h"

#include <stdio.h>

struct query_log;

// Writes to `out`. The caller closes it after query_log_free.
struct query_log *query_log_new(struct terms *terms, FILE *out);
void query_log_free(struct query_log *log);

// Path conditions are identified by numbers; 0 is the empty one. Returns the number of `path` with one more
// condition.
uint32_t query_log_add(struct query_log *log, uint32_t path, Term condition);
// Logs the query whether the condition is satisfiable under that path condition. It is written before it is answered,
// so a query that never returns is the last one of the file.
void query_log_ask(struct query_log *log, uint32_t path, Term condition);

#endif
