// The limits of a command: time, memory, interrupts. All of them are enforced here.
//
// A limit is enforced in three steps:
//
// 1. A request. limits_over() is true once the time has passed, a signal has arrived or the memory is used up.
//    limits_flags has LIMITS_SHORT once more bytes are allocated than limits_set_share allows. Loops test both and end
//    cleanly.
// 2. A longjmp. If a request is not met within a short grace period, the next limits_poll() returns to limits_run. The
//    allocator polls (base/alloc.c), and so does all code that builds terms, pages or tables; loops that allocate
//    nothing must poll themselves. Data of the abandoned code is not used again, except immutable values (decisions,
//    messages).
// 3. The watching thread ends the process if the code does not poll either, or if there is nothing to save yet.
//    RLIMIT_DATA is set above the memory limit; beyond it allocation fails.
//
//   limits_open -> (loading) -> limits_begin -> { limits_run } -> limits_end -> (writing the results) -> limits_close
//
// Without limits_open there are no limits; a poll costs one load.
#ifndef TAMAR_BASE_RUN_LIMITS_H
#define TAMAR_BASE_RUN_LIMITS_H

#include "base/base.h"

#include <stdatomic.h>

enum limit { LIMIT_NONE, LIMIT_TIME, LIMIT_MEMORY, LIMIT_INTERRUPT };

enum {
    LIMITS_OVER = 1,    // the run must end
    LIMITS_SHORT = 2,   // more is allocated than limits_set_share allows: the current step must end
    LIMITS_ABANDON = 4, // the next poll returns to limits_run
};
extern atomic_int limits_flags; // also set by the watching thread and the signal handler
static inline int limits_look(void) { return atomic_load_explicit(&limits_flags, memory_order_relaxed); }

// Starts the clock and the watching thread. 0: no such limit. `what` describes the current activity for the message
// printed if the process is ended, such as "the program was being loaded".
void limits_open(double seconds, uint64_t bytes, const char *what);
// Begins the run. Before this call, reaching a limit ends the process; afterwards it makes a request. `seconds`: a
// further time limit, counted from this call; 0: none. May be called again, which withdraws a request caused by an
// earlier `seconds`. Calls limits_open without limits if the caller did not.
void limits_begin(double seconds);
// Declares that there is nothing to save: if a request is not met at once, the process ends. `what` as for
// limits_open; `last` is then written to standard output.
void limits_allow_kill(const char *what, const char *last);
// Makes SIGINT and SIGTERM requests until limits_close. While loading, they end the process, as other limits do.
void limits_catch_signals(void);
// Ends the run: the results are written next, and no code is abandoned any more.
void limits_end(void);
void limits_close(void);
// Called in a forked child process: replaces the inherited limits. There is no time limit; SIGTERM is a request; SIGINT
// is unchanged.
void limits_forked(uint64_t bytes);

// The limit that was reached first.
enum limit limits_reached(void);
static inline bool limits_over(void) { return (limits_look() & LIMITS_OVER) != 0; }
// Makes a request: for tests, and for callers that want queries to end now.
void limits_request(enum limit why);
void limits_withdraw(void);

// Seconds since limits_open.
double limits_elapsed(void);
// Seconds until the process must have ended, including the allowance. Infinite without a request or a time limit.
double limits_left(void);
// The time allowed for ending the run after a limit: one second, or 5 % of the time limit if that is more.
double limits_allowance(void);
// How many seconds before its limit a run begins to end: on a machine on which everything takes `factor` times as long,
// so does writing the results. At most half of the limit.
double limits_lead(double factor, double limit);
// The memory limit in force, in bytes. 0: none.
uint64_t limits_memory(void);
// Whether memory was near its limit when the watching thread last measured it.
bool limits_is_near(void);

// Calls run. Returns false if it was abandoned.
bool limits_run(void (*run)(void *context), void *context);
// Code between these calls, which nest, is not abandoned.
void limits_hold(void);
void limits_release(void);

void limits_leave(void);
static inline void limits_poll(void) {
    if (UNLIKELY(limits_look() & LIMITS_ABANDON)) limits_leave();
}

// Called by base/alloc.c when the process has grown. `in_use`: bytes allocated.
void limits_grown(size_t in_use);
// Sets the number of allocated bytes above which LIMITS_SHORT is set, and clears it. 0: never.
void limits_set_share(uint64_t in_use);
uint64_t limits_share(void);

// Sets a child process that is killed when this process is ended, and whose memory counts for the limit. 0: none.
void limits_set_child(int pid);
// Sets a folder of temporary files that is removed when this process is ended. NULL: none. The name is not copied.
void limits_set_temporary(const char *folder);
// Ends the process if a limit was reached while loading.
void limits_end_loading(void);

// Sizes of this process, in bytes: resident memory; private data, which RLIMIT_DATA limits.
uint64_t limits_resident(void);
uint64_t limits_data(void);
// Sets RLIMIT_DATA and returns the value set before. 0: the limit with which the process was started.
uint64_t limits_set_data(uint64_t bytes);

#endif
