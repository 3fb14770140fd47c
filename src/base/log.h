// What Tamar says while it works: always on standard error, for standard output belongs to results and to the
// program under test. Errors and warnings are in error.h; they are said at every level.
#ifndef TAMAR_LOG_H
#define TAMAR_LOG_H

#include "base/base.h"

#include <stdio.h>

enum log_level { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE };

void log_set_level(enum log_level level);
enum log_level log_level(void);

// Said unless -q was given.
void say_line(const char *format, ...) PRINTF(1, 2);
// Said with -v only.
void say_detail(const char *format, ...) PRINTF(1, 2);

// Called before anything is said: whoever keeps a status block on the terminal takes it away. NULL: nobody.
void log_set_clear(void (*clear)(void));
void log_clear(void);

// From here on everything that is said, at any level, errors and warnings included, also goes to this file,
// with the time. NULL: no more. The file stays the caller's.
void log_copy_to(FILE *file);
// One line into that file alone.
void log_copy(const char *line);

#endif
