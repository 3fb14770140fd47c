// The two kinds of errors. The user's: said with place, cause and remedy, ending the command with a
// documented exit status. Ours: assertions, and `internal_error` where an assertion would be compiled out.
#ifndef TAMAR_ERROR_H
#define TAMAR_ERROR_H

#include "base/base.h"

// The exit statuses of INTERFACE: scripts rely on them.
enum exit_status {
    EXIT_OK = 0,
    EXIT_BUG_FOUND = 1,
    EXIT_USAGE = 2,
    EXIT_LIMIT = 3,
    EXIT_INTERNAL = 4,
};

// "tamar: PLACE: CAUSE" and, when not NULL, "  REMEDY" below it. PLACE may be NULL.
void user_error_at(const char *place, const char *remedy, const char *cause, ...) PRINTF(3, 4);
// The same, then exit with EXIT_USAGE.
NORETURN void user_fail_at(const char *place, const char *remedy, const char *cause, ...) PRINTF(3, 4);

void warning(const char *format, ...) PRINTF(1, 2);
// From here on warnings are not said: another process says them once for all.
void warnings_mute(void);

// A bug of Tamar: asks for a report, exits with EXIT_INTERNAL after the clean-up that `on_fatal` set.
NORETURN void internal_error(const char *format, ...) PRINTF(1, 2);

// Called once, before the process ends through internal_error or out of memory: flush what was found so far.
void on_fatal(void (*clean_up)(void *), void *argument);
void run_fatal_clean_up(void);

#endif
