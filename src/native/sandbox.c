// Starts a sandbox and waits for it. This part runs in the tamar process itself.
#include "native/sandbox_int.h"

#include "base/clock.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const sandbox_limit_texts[SANDBOX_LIMIT_COUNT] = {
#define LIMIT(name, text) text,
    SANDBOX_LIMITS(LIMIT)
#undef LIMIT
};

static bool off;

void sandbox_switch_off(void) { off = true; }
bool sandbox_is_off(void) { return off; }

// ---- namespaces

static bool write_file(pid_t process, const char *name, const char *content, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, content, size) == (ssize_t)size;
    if (fd >= 0) close(fd);
    return good;
}

// For root: maps every user of its namespace to itself, so that files have the same owners as outside.
static bool map_all(pid_t process, const char *name) {
    char path[64], map[4096];
    size_t size = 0;
    unsigned long first, outside, count;
    snprintf(path, sizeof path, "/proc/self/%s", name);
    FILE *own = fopen(path, "re");
    while (own && size + 64 < sizeof map && fscanf(own, "%lu %lu %lu", &first, &outside, &count) == 3)
        size += (size_t)snprintf(map + size, sizeof map - size, "%lu %lu %lu\n", first, first, count);
    if (own) fclose(own);
    return size && write_file(process, name, map, size);
}

static bool map_one(pid_t process, const char *name, unsigned id) {
    char map[64];
    int size = snprintf(map, sizeof map, "%u %u 1\n", id, id);
    return write_file(process, name, map, (size_t)size);
}

static bool map_users(pid_t process) {
    if (geteuid() == 0 && map_all(process, "gid_map") && map_all(process, "uid_map")) return true;
    write_file(process, "setgroups", "deny", 4);
    return map_one(process, "gid_map", getgid()) && map_one(process, "uid_map", getuid());
}

static unsigned long namespaces(const struct sandbox *sandbox) {
    if (off) return 0;
    unsigned long shared = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC;
    return sandbox->view == SANDBOX_SHARES ? shared : shared | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWCGROUP;
}

static pid_t clone_into(unsigned long flags) {
    fflush(NULL);
    return (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
}

// ---- messages

static void refuse(const char *what, int error) {
    user_error_at(
        "sandbox",
        "Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces; in a "
        "container: its security options), or use --no-sandbox to run the program with all rights of its "
        "user.",
        "no native code is run: this system does not allow %s: %s", what, strerror(error));
}

// Waits for a report. Returns 1 if it has one, 0 after a timeout, -1 if the other side has closed. *sender: process id
// of the sender.
static int receive(int channel, int milliseconds, struct report *report, pid_t *sender) {
    struct pollfd wait = {channel, POLLIN, 0};
    int ready;
    while ((ready = poll(&wait, 1, milliseconds)) < 0 && errno == EINTR) {}
    if (ready == 0) return 0;
    char control[CMSG_SPACE(sizeof(struct ucred))];
    struct iovec part = {report, sizeof *report};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    if (ready < 0 || recvmsg(channel, &message, MSG_CMSG_CLOEXEC) != sizeof *report) return -1;
    for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at))
        if (at->cmsg_level == SOL_SOCKET && at->cmsg_type == SCM_CREDENTIALS && sender) {
            struct ucred sent;
            memcpy(&sent, CMSG_DATA(at), sizeof sent);
            *sender = sent.pid;
        }
    report->what[sizeof report->what - 1] = 0;
    return 1;
}

static bool give_go(int channel) { return send(channel, "x", 1, MSG_NOSIGNAL) == 1; }

// ---- streams

struct streams {
    int at[3];
    int nothing, drain, sink; // opened here; -1: not opened
};

static bool open_streams(const struct sandbox *sandbox, struct streams *streams) {
    int pipes[2] = {-1, -1};
    *streams = (struct streams){{sandbox->input, sandbox->output, sandbox->errors}, -1, -1, -1};
    if (sandbox->input < 0) streams->at[0] = streams->nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    // Not /dev/null: some programs detect it (grep then stops at the first match).
    bool drains = sandbox->output < 0 || sandbox->errors < 0;
    if (drains && pipe2(pipes, O_CLOEXEC) != 0) return false;
    streams->drain = pipes[0];
    streams->sink = pipes[1];
    if (sandbox->output < 0) streams->at[1] = pipes[1];
    if (sandbox->errors < 0) streams->at[2] = pipes[1];
    return streams->at[0] >= 0;
}

static void close_descriptor(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

// ---- the steps

static bool begin(const struct sandbox *sandbox, const struct streams *streams,
                  struct sandbox_process *process) {
    int pair[2], on = 1;
    struct report report;
    *process = (struct sandbox_process){-1, -1, -1};
    if (access(sandbox->directory, X_OK) != 0) {
        user_error_at(sandbox->directory, NULL, "the program cannot start in this folder: %s",
                      strerror(errno));
        return false;
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0 ||
        setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) {
        user_error_at("sandbox", NULL, "cannot create a socket: %s", strerror(errno));
        return false;
    }
    process->init = clone_into(namespaces(sandbox));
    if (process->init == 0) {
        close(pair[0]);
        sandbox_be_init(sandbox, streams->at, pair[1]);
    }
    int error = errno;
    close(pair[1]);
    process->channel = pair[0];
    if (process->init < 0) {
        refuse("namespaces", error);
    } else if (!off && !map_users(process->init)) {
        refuse("a user namespace", errno);
    } else if (!give_go(process->channel) || receive(process->channel, -1, &report, &process->program) < 1) {
        refuse("process 1 of the sandbox", ECHILD);
    } else if (report.kind != REPORT_HELD) {
        refuse(report.what, report.value);
    } else {
        return true;
    }
    sandbox_finish(process);
    return false;
}

bool sandbox_begin(const struct sandbox *sandbox, struct sandbox_process *process) {
    const struct streams streams = {{sandbox->input, sandbox->output, sandbox->errors}, -1, -1, -1};
    assert(sandbox->input >= 0 && sandbox->output >= 0 && sandbox->errors >= 0);
    return begin(sandbox, &streams, process);
}

static void say_failed(const struct sandbox *sandbox, const struct report *report) {
    if (report->kind == REPORT_REFUSED)
        refuse(report->what, report->value);
    else
        user_error_at(sandbox->program, NULL, "cannot be run: %s", strerror(report->value));
}

void sandbox_go(const struct sandbox_process *process) { give_go(process->channel); }

void sandbox_finish(struct sandbox_process *process) {
    if (process->init > 0) {
        if (process->program > 0) kill(-process->program, SIGKILL); // without sandbox: its other processes
        kill(process->init, SIGKILL);
        while (waitpid(process->init, NULL, 0) < 0 && errno == EINTR) {}
    }
    close_descriptor(&process->channel);
    process->init = process->program = -1;
}

// Fills in `end` from the last report.
static void note_end(const struct sandbox *sandbox, const struct report *report, struct sandbox_end *end) {
    end->started = report->kind == REPORT_ENDED || report->kind == REPORT_LIMIT;
    if (!end->started) say_failed(sandbox, report);
    if (report->kind == REPORT_ENDED) end->status = report->value;
    if (report->kind == REPORT_LIMIT) end->limit = (enum sandbox_limit)report->value;
}

bool sandbox_has_ended(const struct sandbox *sandbox, const struct sandbox_process *process,
                       struct sandbox_end *end) {
    struct report report;
    int got = receive(process->channel, 0, &report, NULL);
    if (!got) return false;
    if (got < 0) report = (struct report){REPORT_REFUSED, ECHILD, "process 1"};
    *end = (struct sandbox_end){.started = false};
    note_end(sandbox, &report, end);
    return true;
}

// Waits for the last report; output that arrives in the pipe until then is discarded.
static void await(const struct sandbox *sandbox, const struct sandbox_process *process, int drain,
                  struct sandbox_end *end) {
    struct pollfd wait[] = {{process->channel, POLLIN, 0}, {drain, POLLIN, 0}};
    double until = clock_seconds() + sandbox->seconds;
    char nowhere[65536];
    for (;;) {
        double left = sandbox->seconds > 0 ? until - clock_seconds() : 3600;
        int ready = left <= 0 ? 0 : poll(wait, 2, (int)(left * 1000) + 1);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0 && sandbox->seconds > 0) break;
        if (wait[0].revents) {
            struct report report;
            if (receive(process->channel, 0, &report, NULL) < 1)
                report = (struct report){REPORT_REFUSED, ECHILD, "process 1"};
            note_end(sandbox, &report, end);
            return;
        }
        if (wait[1].revents && read(drain, nowhere, sizeof nowhere) <= 0) wait[1].fd = -1; // end of file
    }
    *end = (struct sandbox_end){.started = true, .limit = SANDBOX_LIMIT_TIME};
}

void sandbox_await(const struct sandbox *sandbox, const struct sandbox_process *process,
                   struct sandbox_end *end) {
    *end = (struct sandbox_end){.started = false};
    await(sandbox, process, -1, end);
}

void sandbox_run(const struct sandbox *sandbox, struct sandbox_end *end) {
    struct sandbox_process process;
    struct streams streams;
    *end = (struct sandbox_end){.started = false};
    bool good = open_streams(sandbox, &streams);
    if (!good) user_error_at("sandbox", NULL, "cannot create a pipe: %s", strerror(errno));
    if (good && begin(sandbox, &streams, &process)) {
        close_descriptor(&streams.sink);
        sandbox_go(&process);
        await(sandbox, &process, streams.drain, end);
        sandbox_finish(&process);
    }
    if (end->limit != SANDBOX_LIMIT_NONE) end->status = SIGKILL;
    close_descriptor(&streams.nothing);
    close_descriptor(&streams.drain);
    close_descriptor(&streams.sink);
}

// ---- computing

// Called in the forked copy: enters the sandbox, or exits.
static void be_computing(int go, int answer, bool (*prepare)(void *), void *context, double seconds) {
    char byte;
    struct rlimit most = {(rlim_t)seconds + 1, (rlim_t)seconds + 1}, none = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (read(go, &byte, 1) != 1) _exit(126);
    if (!off && sandbox_enter_empty_root() != NULL) _exit(126);
    if (dup2(answer, 3) < 0 || close_range(4, ~0u, 0) != 0) _exit(126);
    for (int fd = 0; fd < 3; fd++) close(fd);
    setrlimit(RLIMIT_CPU, &most);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    if (prepare && !prepare(context)) _exit(125);
    if (!off) sandbox_give_up_capabilities();
    if (!off && !sandbox_filter_computing()) _exit(126);
}

pid_t sandbox_fork_computing(int answer, bool (*prepare)(void *), void *context, double seconds) {
    int go[2];
    const struct sandbox all = {.view = SANDBOX_READS};
    if (pipe2(go, O_CLOEXEC) != 0) return -1;
    pid_t copy = clone_into(namespaces(&all));
    if (copy == 0) {
        close(go[1]);
        be_computing(go[0], answer, prepare, context, seconds);
        return 0;
    }
    int error = errno;
    close(go[0]);
    bool mapped = copy > 0 && (off || map_users(copy));
    if (copy < 0) refuse("namespaces", error);
    if (copy > 0 && !mapped) refuse("a user namespace", errno);
    if (mapped && write(go[1], "x", 1) != 1) mapped = false;
    close(go[1]);
    if (copy > 0 && !mapped) {
        kill(copy, SIGKILL);
        while (waitpid(copy, NULL, 0) < 0 && errno == EINTR) {}
        copy = -1;
    }
    return copy;
}
