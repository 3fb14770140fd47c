// The two kinds of errors. The user's errors are reported with location, cause and remedy, and end the command with a
// documented exit status. Tamar's own errors are assertions, or calls of `error_internal` where the check must also be
// in a release build.
#ifndef TAMAR_ERROR_H
#define TAMAR_ERROR_H

#include "base/base.h"

// Documented in docs/reference/exit-status.md: scripts rely on these values.
enum exit_status {
    EXIT_OK = 0,
    EXIT_BUG_FOUND = 1,
    EXIT_USAGE = 2,
    EXIT_LIMIT = 3,
    EXIT_INTERNAL = 4,
};

// Prints "tamar: LOCATION: CAUSE" and, on the next line, "  REMEDY". LOCATION and REMEDY may be NULL.
void user_error_at(const char *location, const char *remedy, const char *cause, ...) PRINTF(3, 4);
// Calls user_error_at, then exits with EXIT_USAGE.
NORETURN void user_fail_at(const char *location, const char *remedy, const char *cause, ...) PRINTF(3, 4);

void user_warning(const char *format, ...) PRINTF(1, 2);
unsigned user_warning_count(void); // number of warnings, including suppressed ones
// Suppresses all further warnings: another process prints them for all processes.
void user_warnings_mute(void);

// For tests: appends a message, or its format, as one line to the file that TAMAR_MESSAGE_LOG names, so that
// scripts/check-messages can tell which messages of the docs a test run printed. Does nothing in a release build.
void error_log_message(const char *format);

// Reports a bug of Tamar and asks for a bug report, runs the clean-up of `error_on_fatal`, exits with EXIT_INTERNAL.
NORETURN void error_internal(const char *format, ...) PRINTF(1, 2);

// Sets a function that saves the results: called once, before error_internal or out of memory ends the process.
void error_on_fatal(void (*clean_up)(void *), void *argument);
void error_clean_up(void);

#endif
