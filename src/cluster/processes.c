#include "cluster/processes.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/run_limits.h"
#include "cluster/budget.h"
#include "cluster/worker.h"
#include "cluster/worker_process.h"
#include "solver/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LARGEST_FRAME ((uint64_t)1 << 31) // largest order or report, in bytes
#define LOOK_MS       10                  // longest time between two checks of the limits
#define WAIT_MS       500 // longest time that a worker waits before it looks for signals again
#define LAST_PART     0.4 // share of limits_allowance() for the last reports
#define READ_SIZE     (1u << 16)
#define SHARED_BYTES  ((size_t)16 << 20) // answers of the solver that workers share

// A process and the connection to it. A frame is a 64-bit length and that many bytes.
struct process_link {
    pid_t process;
    int fd;          // -1: closed
    uint32_t worker; // number of the worker in the coordinator
    struct text in, out;
    size_t sent;      // bytes of `out` that were sent
    double processor; // processor time of the process, as last read
};

struct processes {
    struct processes_options options;
    struct explore_options workers; // options.explore, with the answers that workers share
    struct explore *explore;
    const struct ir_program *program;
    struct coordinator *coordinator;
    vec(struct process_link) links;
    uint32_t deaths;
    bool ending;
    double until;     // while ending: no report is merged after this time
    double work_time; // the mean processor time of the workers that had states
    uint64_t base;    // memory of this process when it forked the first worker
};

struct processes *processes_new(struct explore *explore, const struct ir_program *program,
                                const struct processes_options *options) {
    struct processes *processes = NEW(struct processes);
    processes->options = *options;
    processes->workers = *options->explore;
    processes->workers.reports_news = true;
    if (options->jobs > 1) processes->workers.solver.shared = shared_new(SHARED_BYTES);
    processes->explore = explore;
    processes->program = program;
    explore_merge_begin(explore);
    processes->coordinator = coordinator_new(explore, options->explore->resume);
    return processes;
}

// ---- frames

static void add_frame(struct text *to, const struct text *body) {
    uint64_t size = body->count;
    text_add_bytes(to, &size, sizeof size);
    text_add_bytes(to, body->at, body->count);
}

// Returns the size of the first frame in the text, including its length field; 0: incomplete; UINT64_MAX: too large.
static uint64_t first_frame(const struct text *text) {
    uint64_t size;
    if (text->count < sizeof size) return 0;
    memcpy(&size, text->at, sizeof size);
    if (size > LARGEST_FRAME) return UINT64_MAX;
    return text->count - sizeof size >= size ? size + sizeof size : 0;
}

static void drop_front(struct text *text, size_t size) {
    assert(size <= text->count);
    text->count -= size;
    memmove(text->at, text->at + size, text->count);
}

// Returns false if the other end has closed the connection.
static bool read_some(int fd, struct text *to) {
    for (;;) {
        char *room = text_room(to, READ_SIZE);
        ssize_t size = read(fd, room, READ_SIZE);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return errno == EAGAIN;
        if (size == 0) return false;
        to->count += (size_t)size;
        to->at[to->count] = 0;
        if (size < READ_SIZE) return true;
    }
}

// ---- in a worker

struct end {
    int fd;
    struct text in;
};

static bool send_report(void *context, const struct text *report) {
    struct end *end = context;
    struct text frame = {0};
    add_frame(&frame, report);
    bool good = true;
    for (size_t at = 0; at < frame.count && good;) {
        ssize_t size = send(end->fd, frame.at + at, frame.count - at, MSG_NOSIGNAL);
        if (size > 0) at += (size_t)size;
        if (size < 0 && errno == EAGAIN) {
            struct pollfd wait = {end->fd, POLLOUT, 0};
            poll(&wait, 1, -1);
        } else if (size < 0 && errno != EINTR) {
            good = false;
        }
    }
    text_free(&frame);
    return good;
}

static bool receive_orders(void *context, struct worker *worker, bool wait) {
    struct end *end = context;
    struct pollfd look = {end->fd, POLLIN, 0};
    int ready = poll(&look, 1, wait && !limits_over() ? WAIT_MS : 0);
    if (ready <= 0) return true; // interrupted by a signal, or timed out
    bool there = read_some(end->fd, &end->in);
    for (uint64_t size; (size = first_frame(&end->in)) && !worker_has_ended(worker);) {
        struct text problem = {0};
        if (size == UINT64_MAX) return false;
        // Crashes, so that the coordinator counts a death: after a normal end it would start another worker, forever.
        if (!worker_receive(worker, end->in.at + sizeof size, size - sizeof size, &problem))
            error_internal("an order of the coordinator: %s", problem.at);
        text_free(&problem);
        drop_front(&end->in, size);
    }
    return there;
}

NORETURN static void be_worker(struct processes *processes, int fd, uint64_t memory) {
    worker_process_begin();
    vec_each (struct process_link, link, &processes->links)
        if (link->fd >= 0) close(link->fd);
    if (processes->options.forked) processes->options.forked(processes->options.context);
    limits_forked(memory);
    struct end end = {.fd = fd};
    struct worker_options options = {
        .explore = &processes->workers, .context = &end, .send = send_report, .poll = receive_orders};
    struct worker *worker = worker_new(processes->program, &options);
    if (worker) worker_serve(worker);
    fflush(NULL);
    _exit(worker ? 0 : EXIT_INTERNAL);
}

// ---- the coordinator's side

static struct budget budget_of(const struct processes *processes) {
    return (struct budget){processes->options.max_memory, processes->base, processes->options.jobs};
}

// Returns false if no process can be started.
static bool start_worker(struct processes *processes) {
    int pair[2];
    struct budget budget = budget_of(processes);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) return false;
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        close(pair[0]);
        be_worker(processes, pair[1], budget_share(&budget));
    }
    close(pair[1]);
    if (process < 0) {
        close(pair[0]);
        return false;
    }
    struct process_link link = {.process = process, .fd = pair[0]};
    link.worker = coordinator_join(processes->coordinator);
    vec_push(&processes->links, link);
    return true;
}

static void close_link(struct processes *processes, struct process_link *link) {
    int status = 0;
    close(link->fd);
    link->fd = -1;
    text_free(&link->in);
    text_free(&link->out);
    bool left = !coordinator_has(processes->coordinator, link->worker); // true after its last report
    if (!left) kill(link->process, SIGKILL);
    while (waitpid(link->process, &status, 0) < 0 && errno == EINTR) {}
    if (left) return;
    coordinator_lost(processes->coordinator, link->worker);
    processes->deaths++;
    if (processes->ending) return;
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        user_warning("worker %u ended by signal %d; its states go to another worker", link->worker + 1,
                     WTERMSIG(status));
    else
        user_warning("worker %u was killed; its states go to another worker", link->worker + 1);
}

// Many tests may wait in the connections if they are found faster than this process writes them.
static bool is_too_late(const struct processes *processes) {
    if (limits_left() < (1 - LAST_PART) * limits_allowance()) return true;
    return processes->ending && clock_seconds() >= processes->until;
}

static void receive_reports(struct processes *processes, struct process_link *link) {
    bool there = read_some(link->fd, &link->in);
    for (uint64_t size; (size = first_frame(&link->in));) {
        if (is_too_late(processes)) break; // what is not merged does not count: --resume explores it again
        struct text problem = {0};
        bool expected = size != UINT64_MAX && coordinator_has(processes->coordinator, link->worker);
        bool good = expected && coordinator_receive(processes->coordinator, link->worker,
                                                    link->in.at + sizeof size, size - sizeof size, &problem);
        if (expected && !good) { // the coordinator has dropped the worker: close_link does not count it
            user_warning("a report of worker %u: %s", link->worker + 1, problem.at);
            processes->deaths++;
        }
        text_free(&problem);
        if (!good) {
            there = false;
            break;
        }
        drop_front(&link->in, size);
    }
    if (!there) close_link(processes, link);
}

static void send_orders(struct processes *processes, struct process_link *link) {
    struct text order;
    while (coordinator_next(processes->coordinator, link->worker, &order)) {
        add_frame(&link->out, &order);
        text_free(&order);
    }
    while (link->sent < link->out.count) {
        ssize_t size = send(link->fd, link->out.at + link->sent, link->out.count - link->sent, MSG_NOSIGNAL);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) break; // the buffer is full, or the other end has closed, which read_some detects
        link->sent += (size_t)size;
    }
    if (link->sent == link->out.count) link->sent = link->out.count = 0;
}

static bool any_link(const struct processes *processes) {
    vec_each (struct process_link, link, &processes->links)
        if (link->fd >= 0) return true;
    return false;
}

// Waits for reports for at most `milliseconds`, and processes them.
static void wait_for_reports(struct processes *processes, int milliseconds) {
    vec(struct pollfd) wait = {0};
    vec_each (struct process_link, link, &processes->links)
        vec_push(&wait, ((struct pollfd){link->fd, (short)(POLLIN | (link->out.count ? POLLOUT : 0)), 0}));
    if (poll(wait.at, wait.count, milliseconds) > 0)
        for (uint32_t i = 0; i < wait.count; i++)
            if (wait.at[i].revents & (POLLIN | POLLHUP | POLLERR) && !is_too_late(processes))
                receive_reports(processes, &processes->links.at[i]);
    vec_free(&wait);
    vec_each (struct process_link, link, &processes->links)
        if (link->fd >= 0) send_orders(processes, link);
}

static uint32_t present(const struct processes *processes) {
    uint32_t count = 0;
    vec_each (struct process_link, link, &processes->links) count += link->fd >= 0;
    return count;
}

// Starts workers while there is work for them, and replaces ended ones. Returns false if workers end repeatedly: one
// of their states probably kills them.
static bool keep_workers(struct processes *processes) {
    if (processes->deaths > 8 + 2 * processes->options.jobs) {
        user_error_at("--jobs", "Find the cause: the system's memory, a limit, a crash of Tamar.",
                      "%u workers have ended unexpectedly: the run ends", processes->deaths);
        return false;
    }
    uint32_t more = coordinator_useful_workers(processes->coordinator, processes->options.jobs);
    for (uint32_t i = 0; i < more; i++)
        if (!start_worker(processes)) {
            if (present(processes)) return true;
            user_error_at("--jobs", NULL, "cannot start a process: %s", strerror(errno));
            return false;
        }
    return true;
}

// Asks every worker for its last report and waits for its end. A worker in a long step is interrupted.
static void end_workers(struct processes *processes, bool hurry) {
    processes->ending = true;
    processes->until = clock_seconds() + LAST_PART * limits_allowance();
    coordinator_end(processes->coordinator);
    vec_each (struct process_link, link, &processes->links) {
        if (link->fd < 0) continue;
        send_orders(processes, link);
        if (hurry) kill(link->process, SIGTERM);
    }
    while (any_link(processes) && !is_too_late(processes)) wait_for_reports(processes, LOOK_MS);
    vec_each (struct process_link, link, &processes->links)
        if (link->fd >= 0) close_link(processes, link);
}

// Returns 0 if the process has ended.
static double processor_seconds_of(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// Not the time of the clock: workers that share a processor do little in it, and would be asked for states too often.
static void advance_work_time(struct processes *processes) {
    double work = 0;
    vec_each (struct process_link, link, &processes->links) {
        if (link->fd < 0) continue;
        double processor = processor_seconds_of(link->process);
        if (processor <= link->processor) continue;
        work += processor - link->processor;
        link->processor = processor;
    }
    processes->work_time += work / MAX(1, coordinator_busy_workers(processes->coordinator));
}

static void processes_run(struct processes *processes) {
    processes->base = limits_resident();
    struct budget budget = budget_of(processes);
    uint32_t jobs = budget_jobs(&budget);
    if (jobs < processes->options.jobs)
        user_warning("--max-memory is too little for %u workers: using %u", processes->options.jobs, jobs);
    processes->options.jobs = jobs;
    enum explore_end why = END_COMPLETE;
    bool over = false;
    while (!coordinator_is_done(processes->coordinator) && !over) {
        if (!keep_workers(processes)) {
            why = END_WORKERS;
            break;
        }
        wait_for_reports(processes, LOOK_MS);
        advance_work_time(processes);
        coordinator_balance(processes->coordinator, clock_seconds(), processes->work_time);
        vec_each (struct process_link, link, &processes->links)
            if (link->fd >= 0) send_orders(processes, link);
        if (coordinator_is_short(processes->coordinator)) limits_request(LIMIT_MEMORY);
        over = explore_merge_at_limit(processes->explore);
    }
    end_workers(processes, over || why != END_COMPLETE);
    coordinator_close(processes->coordinator, why);
}

static void processes_free(struct processes *processes) {
    vec_each (struct process_link, link, &processes->links) {
        text_free(&link->in);
        text_free(&link->out);
    }
    vec_free(&processes->links);
    shared_free(processes->workers.solver.shared);
    coordinator_free(processes->coordinator);
    DELETE(processes);
}

// ---- the interface

static struct coordinator *coordinator_of(const void *self) {
    return ((const struct processes *)self)->coordinator;
}

static void run(void *self) { processes_run(self); }
static void free_processes(void *self) { processes_free(self); }
static uint32_t job_count(const void *self) { return coordinator_job_count(coordinator_of(self)); }

static struct coordinator_job job(const void *self, uint32_t worker) {
    return coordinator_job(coordinator_of(self), worker);
}

static uint64_t messages(const void *self, uint64_t *bytes) {
    return coordinator_messages(coordinator_of(self), bytes);
}

static bool can_checkpoint(void *self) { return coordinator_can_checkpoint(coordinator_of(self)); }
static bool checkpoint(void *self, struct text *to) {
    return coordinator_checkpoint(coordinator_of(self), to);
}
static bool has_all(const void *self) { return true; }

struct sharing processes_sharing(struct processes *processes) {
    static const struct sharing_methods methods = {.run = run,
                                                   .free = free_processes,
                                                   .job_count = job_count,
                                                   .job = job,
                                                   .messages = messages,
                                                   .can_checkpoint = can_checkpoint,
                                                   .checkpoint = checkpoint,
                                                   .has_all = has_all};
    return (struct sharing){&methods, processes};
}
