#include "base/run_limits.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_SECONDS      0.01       // shortest period of the watching thread
#define LONG_LOOK_SECONDS 0.05       // longest period: if no limit can be reached within it
#define GROWTH            4e9        // bytes a second by which memory grows at most
#define LOOK_BYTES        (1u << 20) // bytes allocated between two measurements by the allocator, near the limit

// Multiples of the allowance after which an unmet request becomes a longjmp (GRACE), or ends the process (FINAL).
#define GRACE 0.15
#define FINAL 20.0
#define SOON  0.5 // as FINAL, for a command that has nothing to save

#define END_SECONDS  0.25 // processor time in which most runs end and write their results
#define LOAD_SECONDS 0.5  // period over which the load of the machine is measured

// Minimum memory of a run, in addition to what Tamar and the loaded program use. It is a quarter of the limit if that
// is more; a lower limit is raised.
#define LEAST_MEMORY (16u << 20)
// Memory is near its limit when at most limit / NEAR is left.
#define NEAR 12u
// Minimum memory limit while loading: enough for a small program.
#define LOAD_MEMORY (256ull << 20)
// RLIMIT_DATA is set far above the memory limit, because it also counts reserved memory: growing arrays, thread stacks.
#define DATA_FACTOR 3u
#define DATA_BESIDE (1ull << 30)

atomic_int limits_flags;

static enum { CLOSED, LOADING, RUNNING, ENDING } phase;
static double started, seconds, run_end; // run_end: deadline set by limits_begin, 0: none
static double begun;                     // time of the first limits_begin
static volatile double requested;        // time of the first request; 0: none yet
static double early;                     // seconds by which it came before the time limit
static atomic_int reached;               // enum limit
static uint64_t memory, share;
static atomic_bool is_near; // resident memory is near the limit `memory`
static size_t next_look;
static const char *what_is_done, *last_words = "";
static volatile int child;
static const char *volatile temporary;
static pthread_t watcher;
static bool catches; // signal handlers are installed
static volatile bool kills;
static struct sigaction before_int, before_term;

static jmp_buf resume_point;
static bool armed;
static unsigned held;

// ---- the process, as the kernel sees it

struct sizes { // bytes
    uint64_t all, resident, shared, code, unused, data;
};

static struct sizes statm(const char *path) {
    char text[256];
    uint64_t fields[6] = {0}; // in the order of struct sizes
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[MAX(size, 0)] = 0;
    char *at = text;
    for (unsigned i = 0; i < COUNT(fields); i++)
        fields[i] = strtoull(at, &at, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
    return (struct sizes){fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]};
}

uint64_t limits_resident(void) { return statm("/proc/self/statm").resident; }
uint64_t limits_data(void) { return statm("/proc/self/statm").data; }

// The memory of the child that it does not share with other processes: its libraries are also Tamar's.
static uint64_t child_private(void) {
    char path[64];
    int pid = child;
    if (!pid) return 0;
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    struct sizes sizes = statm(path);
    return sizes.resident - MIN(sizes.resident, sizes.shared);
}

uint64_t limits_set_data(uint64_t bytes) {
    static uint64_t set;
    uint64_t before = set;
#if !defined(__SANITIZE_ADDRESS__) && !(defined(__has_feature) && __has_feature(address_sanitizer))
    static struct rlimit original;
    if (!set) getrlimit(RLIMIT_DATA, &original);
    struct rlimit limit = original;
    if (bytes) limit.rlim_cur = MIN(original.rlim_cur, (rlim_t)bytes);
    setrlimit(RLIMIT_DATA, &limit);
#endif // not under a sanitizer, which maps terabytes of shadow memory
    set = bytes;
    return before;
}

// The time in which the main thread advances by one second: more than 1 if it waits for a processor. It is measured now
// and then. 1: not known.
static double slowdown(double time) {
    static double last_time, last_run, last_wait, factor = 1;
    char text[100];
    if (time < last_time + LOAD_SECONDS) return factor;
    int fd = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[MAX(size, 0)] = 0;
    char *at = text;
    double run = strtod(at, &at) * 1e-9, wait = strtod(at, &at) * 1e-9;
    double ran = run - last_run, waited = wait - last_wait;
    factor = ran > 0.001 && waited > 0 ? (ran + waited) / ran : 1;
    last_time = time, last_run = run, last_wait = wait;
    return factor;
}

double limits_lead(double factor, double limit) {
    assert(factor >= 1 && limit >= 0);
    return fmin(fmax(factor * END_SECONDS - fmax(1.0, 0.05 * limit) / 2, 0), limit / 2);
}

// ---- requests

static void request(int why) {
    int none = LIMIT_NONE;
    if (atomic_compare_exchange_strong(&reached, &none, why) && requested <= 0) requested = clock_seconds();
    atomic_fetch_or(&limits_flags, LIMITS_OVER);
}

void limits_request(enum limit why) { request((int)why); }

void limits_withdraw(void) {
    reached = LIMIT_NONE;
    requested = early = 0;
    atomic_fetch_and(&limits_flags, LIMITS_SHORT);
}

enum limit limits_reached(void) { return (enum limit)reached; }
double limits_allowance(void) { return fmax(1.0, 0.05 * seconds); }
double limits_elapsed(void) { return clock_seconds() - started; }
uint64_t limits_memory(void) { return memory; }
bool limits_is_near(void) { return is_near; }

double limits_left(void) {
    double end = requested > 0 ? requested + early : INFINITY;
    if (seconds > 0) end = fmin(end, started + seconds);
    return end + limits_allowance() - clock_seconds();
}

// ---- the watching thread

// Kills the child and, when it no longer writes, removes the temporary files.
static void end_child(void) {
    const char *folder = temporary;
    if (child && kill(child, SIGKILL) == 0) waitpid(child, NULL, 0);
    if (folder) file_remove_tree(folder);
}

NORETURN static void end_process(void) {
    static atomic_flag is_ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&is_ending)) pause(); // the other thread ends it
    char text[300];
    static const char *const names[] = {"", "--max-time", "--max-memory", "interrupted"};
    int length = snprintf(text, sizeof text, "tamar: %s%s while %s\n", names[reached],
                          reached == LIMIT_INTERRUPT ? "" : " is reached", what_is_done);
    ssize_t written = write(STDERR_FILENO, text, (size_t)length);
    if (kills) written = write(STDOUT_FILENO, last_words, strlen(last_words));
    (void)written;
    end_child();
    _exit(EXIT_LIMIT);
}

// The time after which the process is ended if a request is not met, as a multiple of the allowance.
static double patience(void) {
    if (reached == LIMIT_MEMORY) return kills ? 2 : INFINITY; // RLIMIT_DATA stops the growth
    return kills ? SOON : FINAL;
}

// Returns the seconds until the next look; `taken`: bytes in use at this look. The pause is as long as possible, since
// each worker of a run has a watching thread, and reading the memory in use takes some microseconds.
static double until_look(double time, uint64_t taken) {
    if (phase != RUNNING) return LOOK_SECONDS;
    double pause = LONG_LOOK_SECONDS;
    if (seconds > 0) pause = fmin(pause, started + seconds - time);
    if (run_end > 0) pause = fmin(pause, run_end - time);
    if (memory) pause = fmin(pause, (double)(memory - MIN(memory, taken)) / GROWTH);
    return fmax(pause, LOOK_SECONDS);
}

// Checks all limits. Returns the seconds until the next look.
static double look(void) {
    double time = clock_seconds();
    uint64_t taken = 0;
    if (phase != ENDING) {
        double lead = seconds > 0 && phase == RUNNING && !kills && time >= begun + seconds / 4
                          ? limits_lead(slowdown(time), seconds)
                          : 0;
        if (seconds > 0 && time >= started + seconds - lead && !reached) {
            early = fmax(started + seconds - time, 0);
            request(LIMIT_TIME);
        }
        if (run_end > 0 && time >= run_end) request(LIMIT_TIME);
        uint64_t most = phase == LOADING ? MAX(memory, LOAD_MEMORY) : memory;
        if (memory) taken = limits_resident() + child_private();
        is_near = memory && taken >= memory - memory / NEAR;
        if (memory && taken >= most) {
            request(LIMIT_MEMORY);
            atomic_fetch_or(&limits_flags, LIMITS_ABANDON);
        }
    }
    if (!reached) return until_look(time, taken);
    if (phase == LOADING) end_process();
    if (time >= requested + GRACE * limits_allowance()) atomic_fetch_or(&limits_flags, LIMITS_ABANDON);
    if (time >= requested + patience() * limits_allowance()) end_process();
    return LOOK_SECONDS;
}

static void *watch(void *unused) {
    for (double pause = LOOK_SECONDS;; pause = look()) {
        struct timespec time = {.tv_nsec = (long)(pause * 1e9)};
        nanosleep(&time, NULL);
    }
    return unused;
}

// A second interrupt does not end the process: results are being written, which takes about a second.
static void on_signal(int number) {
    (void)number;
    request(LIMIT_INTERRUPT);
}

void limits_open(double time, uint64_t bytes, const char *what) {
    assert(phase == CLOSED);
    started = clock_seconds();
    seconds = time;
    memory = bytes;
    what_is_done = what;
    phase = LOADING;
    limits_withdraw();
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old); // only the main thread handles signals
    if (pthread_create(&watcher, NULL, watch, NULL) != 0) error_internal("a thread cannot be started");
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void limits_catch_signals(void) {
    assert(phase != CLOSED && !catches);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, &before_int);
    sigaction(SIGTERM, &action, &before_term);
    catches = true;
}

void limits_begin(double time) {
    if (phase == CLOSED) limits_open(0, 0, "");
    if (phase == LOADING) {
        uint64_t base = limits_resident();
        if (memory && memory < base + MAX(memory / 4, LEAST_MEMORY)) {
            uint64_t least = base + MAX(memory / 4, LEAST_MEMORY);
            user_warning("--max-memory %llu: Tamar and the program take %llu MB; the limit is %llu MB",
                         (unsigned long long)(memory >> 20), (unsigned long long)(base >> 20),
                         (unsigned long long)(least >> 20));
            memory = least;
        }
        begun = clock_seconds();
        if (memory) limits_set_data(limits_data() + DATA_FACTOR * memory + DATA_BESIDE);
    }
    run_end = time > 0 ? clock_seconds() + time : 0;
    if (reached == LIMIT_TIME && (seconds <= 0 || limits_elapsed() < seconds)) limits_withdraw();
    what_is_done = "results were being written: tests are there, summaries and the checkpoint may not be";
    phase = RUNNING;
}

void limits_allow_kill(const char *what, const char *last) {
    what_is_done = what;
    last_words = last;
    kills = true;
}

void limits_end(void) {
    assert(phase != CLOSED && !armed);
    phase = ENDING;
    share = 0;
    atomic_fetch_and(&limits_flags, ~LIMITS_SHORT);
}

static bool was_reached; // a run that ends early, or abandons code, does not free all its data

void limits_close(void) {
    if (phase == CLOSED) return;
    was_reached |= reached != LIMIT_NONE;
    pthread_cancel(watcher);
    pthread_join(watcher, NULL);
    // After an interrupt the handler stays installed: a second interrupt must not change the exit status.
    if (catches && reached != LIMIT_INTERRUPT) {
        sigaction(SIGINT, &before_int, NULL);
        sigaction(SIGTERM, &before_term, NULL);
    }
    catches = kills = false;
    limits_set_data(0);
    phase = CLOSED;
    seconds = run_end = 0;
    memory = share = 0;
    limits_withdraw();
    atomic_store(&limits_flags, 0);
}

void limits_forked(uint64_t bytes) {
    sigset_t term, old;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &term, &old);
    bool interrupted = reached == LIMIT_INTERRUPT; // by a signal since the fork, or the parent's
    phase = CLOSED;                                // a forked child process has no watching thread
    catches = kills = armed = false;
    held = 0;
    child = 0;
    share = next_look = 0;
    run_end = 0;
    is_near = false;
    limits_set_data(0);
    limits_open(0, bytes, "a worker was being set up");
    limits_begin(0);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGTERM, &action, NULL);
    if (interrupted) request(LIMIT_INTERRUPT);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void limits_set_child(int pid) { child = pid; }
void limits_set_temporary(const char *folder) { temporary = folder; }

void limits_end_loading(void) {
    if (phase == LOADING && reached) end_process();
}

// ---- abandoning

bool limits_run(void (*run)(void *context), void *context) {
    assert(!armed && !held);
    bool finished = false;
    if (!setjmp(resume_point)) {
        armed = true;
        run(context);
        finished = true;
    }
    armed = false;
    held = 0;
    return finished;
}

void limits_hold(void) { held++; }
void limits_release(void) {
    assert(held || !armed);
    if (held) held--;
}

void limits_leave(void) {
    if (armed && !held) longjmp(resume_point, 1);
}

#if __has_feature(address_sanitizer)
int __lsan_is_turned_off(void); // called by LeakSanitizer at exit
int __lsan_is_turned_off(void) { return was_reached; }
#endif

// ---- memory

void limits_set_share(uint64_t in_use) {
    share = in_use;
    atomic_fetch_and(&limits_flags, ~LIMITS_SHORT);
}

uint64_t limits_share(void) { return share; }

void limits_grown(size_t in_use) {
    if (share && in_use > share) atomic_fetch_or(&limits_flags, LIMITS_SHORT);
    if (memory && phase == RUNNING && in_use >= next_look) {
        uint64_t taken = limits_resident();
        next_look = in_use + (size_t)MAX((memory - MIN(memory, taken)) / 4, LOOK_BYTES);
        if (taken >= memory) {
            request(LIMIT_MEMORY);
            atomic_fetch_or(&limits_flags, LIMITS_ABANDON);
        }
    }
    limits_poll();
}
