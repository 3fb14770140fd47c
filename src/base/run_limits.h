// The limits of a command: time, memory, interrupts. All of them are here, and nowhere else.
//
// A limit is met in three ways, each for what the one before it does not reach:
//
// 1. A request. limits_over() is true once the time has passed, a signal has come or the memory is used up; limits_flags
//    has LIMITS_SHORT once states and terms have taken their share. Loops look at them and end at a place that suits them.
// 2. A jump. What runs below limits_run can be abandoned: where a request was not met within a short grace, the next
//    limits_poll() returns to limits_run. Memory is polled where it is made (base/memory.c), so everything that builds terms,
//    pages or tables polls; loops that allocate nothing poll themselves. What was abandoned is not used again, but for
//    values that are never changed in place (decisions, messages).
// 3. The end of the process, by the watching thread, where not even that helps, or while there is nothing to save yet.
//    The kernel's limit on data (RLIMIT_DATA) is above the limit of memory: then allocation fails.
//
//   limits_open -> (loading) -> limits_begin -> { limits_run } -> limits_end -> (writing the results) -> limits_close
//
// Without limits_open there are no limits, and polls cost a load.
#ifndef TAMAR_LIMITS_H
#define TAMAR_LIMITS_H

#include "base/base.h"

#include <stdatomic.h>

enum limit { LIMIT_NONE, LIMIT_TIME, LIMIT_MEMORY, LIMIT_INTERRUPT };

enum {
    LIMITS_OVER = 1,    // the run is to end
    LIMITS_SHORT = 2,   // more is allocated than limits_set_share allows: the step is to end
    LIMITS_ABANDON = 4, // what is armed is to be left at the next poll
};
extern atomic_int limits_flags; // also set by the watching thread and the signal handler
static inline int limits_look(void) { return atomic_load_explicit(&limits_flags, memory_order_relaxed); }

// Starts the clock and the watching thread. 0: no such limit. `what` is what a message at the end of the process says was
// going on, such as "the program was being loaded".
void limits_open(double seconds, uint64_t bytes, const char *what);
// From here on reaching a limit is a request; before, it ends the process. `seconds`: the time from now on, where that is less than
// what is left of limits_open's; 0: as that. May be called again: a request because of an earlier `seconds` is then withdrawn.
// Opens without limits where limits_open was not called.
void limits_begin(double seconds);
// There is nothing to save: where a request is not met at once, the process ends. `what` as for limits_open; `last` goes to
// standard output then.
void limits_allow_kill(const char *what, const char *last);
// SIGINT and SIGTERM are requests, too, until limits_close.
void limits_catch_signals(void);
// The results are being written: nothing is abandoned any more.
void limits_end(void);
void limits_close(void);
// In a process that was forked from one with limits: these are its own from now on. No limit of time; SIGTERM is a request, and SIGINT stays
// as it is.
void limits_forked(uint64_t bytes);

// The limit that was reached first.
enum limit limits_reached(void);
static inline bool limits_over(void) { return (limits_look() & LIMITS_OVER) != 0; }
// For tests, and for what wants queries to end now.
void limits_request(enum limit why);
void limits_withdraw(void);

// Seconds since limits_open.
double limits_elapsed(void);
// Seconds until the process has to be over, with the allowance for its end; infinite without a request or a limit of time.
double limits_left(void);
// The allowance: a second, or 5 % of the time.
double limits_allowance(void);
// The limit of memory that is kept, in bytes; 0: none.
uint64_t limits_memory(void);
// Whether the process has come near that limit, as it was a moment ago.
bool limits_is_near(void);

// Calls run. False: it was abandoned.
bool limits_run(void (*run)(void *context), void *context);
// Between these, which nest, nothing is abandoned.
void limits_hold(void);
void limits_release(void);

void limits_leave(void);
static inline void limits_poll(void) {
    if (UNLIKELY(limits_look() & LIMITS_ABANDON)) limits_leave();
}

// From base/memory.c: so many bytes are in use, and the process has grown.
void limits_grown(size_t in_use);
// LIMITS_SHORT is set when more than this is in use, and cleared now; 0: never.
void limits_set_share(uint64_t in_use);

// A process that ends with this one; 0: it has ended.
void limits_set_child(int pid);

// Of this process, in bytes: what is resident; private data, which RLIMIT_DATA counts.
uint64_t limits_resident(void);
uint64_t limits_data(void);
// Allocation fails beyond this much data; 0: as the process was started. Returns what was set before.
uint64_t limits_set_data(uint64_t bytes);

#endif
