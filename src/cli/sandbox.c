#include "cli/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

#define LARGEST_FILE ((rlim_t)256 << 20)

static bool set_attributes(const char *path, unsigned flags, uint64_t set, uint64_t clear) {
    struct mount_attr attributes = {.attr_set = set, .attr_clr = clear};
    return syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attributes, sizeof attributes) == 0;
}

static bool write_map(const char *path, unsigned id) {
    char line[64];
    int fd = open(path, O_WRONLY | O_CLOEXEC), length = snprintf(line, sizeof line, "%u %u 1\n", id, id);
    bool good = fd >= 0 && write(fd, line, (size_t)length) == length;
    if (fd >= 0) close(fd);
    return good;
}

// Namespaces of its own: as root directly, else inside a user namespace in which it keeps its name.
static bool enter_namespaces(void) {
    int wanted = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC;
    if (unshare(wanted) == 0) return true;
    unsigned user = getuid(), group = getgid();
    if (unshare(wanted | CLONE_NEWUSER) != 0) return false;
    int fd = open("/proc/self/setgroups", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t done = write(fd, "deny", 4);
        (void)done; // older systems have no such file, and need none
        close(fd);
    }
    return write_map("/proc/self/uid_map", user) && write_map("/proc/self/gid_map", group);
}

// Everything is read-only but one folder.
static bool contain(const char *writable) {
    return enter_namespaces() && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount(writable, writable, NULL, MS_BIND, NULL) == 0 &&
           set_attributes("/", AT_RECURSIVE, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, 0) &&
           set_attributes(writable, 0, 0, MOUNT_ATTR_RDONLY);
}

static void limit(int resource, rlim_t value) {
    struct rlimit limits = {value, value};
    setrlimit(resource, &limits);
}

static bool redirect(const char *path, int flags, int to) {
    int fd = open(path ? path : "/dev/null", flags, 0600);
    if (fd < 0 || dup2(fd, to) < 0) return false;
    if (fd != to) close(fd);
    return true;
}

// In the child: never returns. What went wrong goes through the pipe; that it is not contained, as well.
static void become(const struct sandbox *sandbox, int report, int output) {
    bool contained = contain(sandbox->writable);
    int message = contained ? 0 : -1;
    if (!contained && write(report, &message, sizeof message) < 0) _exit(126);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    umask(022);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, LARGEST_FILE);
    limit(RLIMIT_CPU, (rlim_t)sandbox->seconds + 2);
    if (sandbox->memory) limit(RLIMIT_AS, sandbox->memory);
    if (sandbox->stack) limit(RLIMIT_STACK, sandbox->stack);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    if (chdir(sandbox->directory) == 0 && redirect(sandbox->input, O_RDONLY, 0) &&
        (sandbox->output ? redirect(sandbox->output, O_WRONLY | O_CREAT | O_TRUNC, 1)
                         : dup2(output, 1) == 1) &&
        redirect(sandbox->errors, O_WRONLY | O_CREAT | O_TRUNC, 2))
        execve(sandbox->program, (char *const *)sandbox->words, (char *const *)sandbox->variables);
    message = errno;
    if (write(report, &message, sizeof message) < 0) _exit(126);
    _exit(127);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// Waits for the end; what comes out of the pipe until then is thrown away.
static void wait_for(pid_t child, double seconds, int output, struct sandbox_end *end) {
    int handle = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd wait[] = {{handle, POLLIN, 0}, {output, POLLIN, 0}};
    double until = now() + seconds;
    char nowhere[65536];
    while (handle >= 0) {
        double left = until - now();
        end->timed_out = left <= 0 || poll(wait, 2, (int)(left * 1000) + 1) == 0;
        if (end->timed_out || wait[0].revents) break;
        if (wait[1].revents && read(output, nowhere, sizeof nowhere) <= 0) wait[1].fd = -1; // closed by all
    }
    if (handle >= 0) close(handle);
    if (end->timed_out) kill(child, SIGKILL);
    while (waitpid(child, &end->status, 0) < 0 && errno == EINTR) {}
    kill(-child, SIGKILL); // what it left behind
}

void sandbox_run(const struct sandbox *sandbox, struct sandbox_end *end) {
    int pipes[2], output[2] = {-1, -1}, message;
    *end = (struct sandbox_end){.started = true, .contained = true};
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        *end = (struct sandbox_end){.status = errno};
        return;
    }
    // Not /dev/null: programs look (grep stops at the first match there).
    if (!sandbox->output && pipe2(output, O_CLOEXEC) != 0) {
        *end = (struct sandbox_end){.status = errno};
        close(pipes[0]), close(pipes[1]);
        return;
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(pipes[0]);
        become(sandbox, pipes[1], output[1]);
    }
    close(pipes[1]);
    if (output[1] >= 0) close(output[1]);
    if (child < 0) {
        *end = (struct sandbox_end){.status = errno};
    } else {
        setpgid(child, child);
        int failed = 0;
        while (read(pipes[0], &message, sizeof message) == sizeof message)
            message == -1 ? (void)(end->contained = false) : (void)(failed = message);
        wait_for(child, sandbox->seconds, output[0], end);
        if (failed) *end = (struct sandbox_end){.status = failed, .contained = end->contained};
    }
    close(pipes[0]);
    if (output[0] >= 0) close(output[0]);
}
