// --log-statements FILE: one line for each line of user code that is executed, each fork and each end of a path:
//
//     [path,conditions] file:line : source line
//
// `path` is the number of the state, `conditions` the length of its path condition. At a fork and at an end a text
// stands in place of the source line. All lines of user code get a mark (vm.h) for this, so that a run with a log
// cannot have targets.
#ifndef TAMAR_RUN_STATEMENT_LOG_H
#define TAMAR_RUN_STATEMENT_LOG_H

#include "explore/explore.h"
#include "front/front.h"

struct statement_log;

// Returns NULL if the file cannot be written; an error has been reported.
struct statement_log *statement_log_open(const char *path);
// Closes the log, and warns if it is not complete. `log` may be NULL.
void statement_log_close(struct statement_log *log, const char *path);
void statement_log_set_front(struct statement_log *log, struct front_options *front);
void statement_log_set_explore(struct statement_log *log, struct explore_options *explore);

#endif
