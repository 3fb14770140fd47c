// Progress messages. They go to standard error: standard output is for results and for the program under test. Errors
// and warnings are in error.h and are printed at every level.
#ifndef TAMAR_LOG_H
#define TAMAR_LOG_H

#include "base/base.h"

#include <stdio.h>

enum log_level { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE };

void log_set_level(enum log_level level);
enum log_level log_level(void);

// Prints a line unless -q was given.
void log_line(const char *format, ...) PRINTF(1, 2);
// Prints a line only with -v.
void log_detail(const char *format, ...) PRINTF(1, 2);

// Sets a function that is called before each message, to erase a status block on the terminal. NULL: none.
void log_set_clear(void (*clear)(void));
void log_clear(void);

// Copies all further messages of every level, with errors, warnings and the time, to this file. NULL: stops that. The
// caller keeps ownership of the file.
void log_copy_to(FILE *file);
// Writes one line to that file only.
void log_copy(const char *line);

#endif
