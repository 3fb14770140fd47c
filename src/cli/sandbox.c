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
static void become(const struct sandbox *sandbox, int report) {
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
        redirect(sandbox->output, O_WRONLY | O_CREAT | O_TRUNC, 1) &&
        redirect(sandbox->errors, O_WRONLY | O_CREAT | O_TRUNC, 2))
        execve(sandbox->program, (char *const *)sandbox->words, (char *const *)sandbox->variables);
    message = errno;
    if (write(report, &message, sizeof message) < 0) _exit(126);
    _exit(127);
}

static void wait_for(pid_t child, double seconds, struct sandbox_end *end) {
    int handle = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd wait = {handle, POLLIN, 0};
    if (handle >= 0 && poll(&wait, 1, (int)(seconds * 1000)) == 0) end->timed_out = true;
    if (handle >= 0) close(handle);
    if (end->timed_out) kill(child, SIGKILL);
    while (waitpid(child, &end->status, 0) < 0 && errno == EINTR) {}
    kill(-child, SIGKILL); // what it left behind
}

void sandbox_run(const struct sandbox *sandbox, struct sandbox_end *end) {
    int pipes[2], message;
    *end = (struct sandbox_end){.started = true, .contained = true};
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        *end = (struct sandbox_end){.status = errno};
        return;
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(pipes[0]);
        become(sandbox, pipes[1]);
    }
    close(pipes[1]);
    if (child < 0) {
        *end = (struct sandbox_end){.status = errno};
    } else {
        setpgid(child, child);
        int failed = 0;
        while (read(pipes[0], &message, sizeof message) == sizeof message)
            message == -1 ? (void)(end->contained = false) : (void)(failed = message);
        wait_for(child, sandbox->seconds, end);
        if (failed) *end = (struct sandbox_end){.status = failed, .contained = end->contained};
    }
    close(pipes[0]);
}
