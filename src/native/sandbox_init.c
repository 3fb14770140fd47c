// Process 1 of the sandbox: starts the program, enforces its limits, and ends the sandbox.
#include "native/sandbox_int.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/securebits.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_EVERY 10 // milliseconds between two checks of the limits
#define PERIOD     20 // checks per period; the processes run in its first part, according to their share

// Sends a report. Failure is ignored: it means that tamar has ended.
static void sandbox_report(int channel, enum report_kind kind, int value, const char *what) {
    struct report report = {.kind = kind, .value = value};
    if (what) strncpy(report.what, what, sizeof report.what - 1);
    ssize_t ignored = send(channel, &report, sizeof report, MSG_NOSIGNAL);
    (void)ignored;
}

// ---- the program, before execve

static void limit(int resource, uint64_t value) {
    struct rlimit limits, wanted = {value, value};
    if (getrlimit(resource, &limits) == 0 && limits.rlim_max < value)
        wanted = (struct rlimit){limits.rlim_max, limits.rlim_max};
    setrlimit(resource, &wanted);
}

static uint64_t most_processes(const struct sandbox *sandbox) {
    return sandbox->view == SANDBOX_SHARES ? MOST_SHARED : MOST_PROCESSES;
}

static void set_limits(const struct sandbox *sandbox) {
    if (!sandbox_is_off()) limit(RLIMIT_NPROC, most_processes(sandbox));
    if (sandbox->view == SANDBOX_SHARES) return; // keep the user's own limits
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, LARGEST_FILE);
    limit(RLIMIT_NOFILE, MOST_DESCRIPTORS);
    limit(RLIMIT_MSGQUEUE, MOST_QUEUED);
    if (sandbox->seconds > 0) limit(RLIMIT_CPU, (uint64_t)sandbox->seconds + 2);
    if (sandbox->stack) limit(RLIMIT_STACK, sandbox->stack);
}

// Sets session, umask and signals to the same values in every run.
static void set_process_state(void) {
    sigset_t none;
    sigemptyset(&none);
    setsid();
    umask(022);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

void sandbox_give_up_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    int bits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |
               SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) _exit(126);
    if (prctl(PR_SET_SECUREBITS, bits, 0, 0, 0) != 0 ||
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 ||
        syscall(SYS_capset, &header, none) != 0)
        _exit(126);
}

static bool contain(const struct sandbox *sandbox) {
    sandbox_give_up_capabilities();
    return sandbox->calls == SANDBOX_MODEL
               ? sandbox_filter_model(sandbox->writes_files)
               : sandbox_filter_program(sandbox->traces_itself, sandbox->view == SANDBOX_SHARES);
}

static bool place(int from, int to) { return from == to ? fcntl(to, F_SETFD, 0) == 0 : dup2(from, to) == to; }

// Sets descriptors 0 to 2, and 3 if `extra` is given; execve closes all others.
static int set_descriptors(const struct sandbox *sandbox, const int streams[3], int channel) {
    int high = fcntl(channel, F_DUPFD_CLOEXEC, 10), extra = -1, own[3];
    if (sandbox->extra >= 0) extra = fcntl(sandbox->extra, F_DUPFD_CLOEXEC, 10);
    for (int i = 0; i < 3; i++) own[i] = fcntl(streams[i], F_DUPFD_CLOEXEC, 10);
    for (int i = 0; i < 3; i++)
        if (!place(own[i], i)) return -1;
    if (extra >= 0 && !place(extra, 3)) return -1;
    if (close_range(extra >= 0 ? 4 : 3, ~0u, CLOSE_RANGE_CLOEXEC) != 0) return -1;
    return high;
}

NORETURN static void become_program(const struct sandbox *sandbox, const int streams[3], int channel) {
    char byte;
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);                     // so that `tamar record` may trace it
    if (sandbox_is_off()) prctl(PR_SET_PDEATHSIG, SIGKILL); // no namespace ends it with its parent
    if (sandbox->view != SANDBOX_SHARES) set_process_state();
    set_limits(sandbox);
    int high = set_descriptors(sandbox, streams, channel);
    if (high < 0) _exit(126);
    sandbox_report(high, REPORT_HELD, 0, NULL);
    if (read(high, &byte, 1) != 1) _exit(126);
    if (chdir(sandbox->directory) == 0) {
        if (!sandbox_is_off() && !contain(sandbox)) {
            sandbox_report(high, REPORT_REFUSED, errno, "a filter of system calls");
            _exit(126);
        }
        // Last, because loading the filter needs memory, and this process may already exceed the limit.
        if (sandbox->address_space && sandbox->view != SANDBOX_SHARES)
            limit(RLIMIT_AS, sandbox->address_space);
        execve(sandbox->program, (char *const *)sandbox->words, (char *const *)sandbox->variables);
    }
    sandbox_report(high, REPORT_NO_EXEC, errno, NULL);
    _exit(127);
}

// ---- limits of all processes together

static enum sandbox_limit look(const struct sandbox *sandbox, DIR *proc) {
    struct sandbox_usage usage;
    if (!sandbox_measure(sandbox, proc, &usage)) return SANDBOX_LIMIT_MEMORY; // not known, so not allowed
    if (usage.threads > most_processes(sandbox)) return SANDBOX_LIMIT_PROCESSES;
    return sandbox->memory && usage.bytes > sandbox->memory ? SANDBOX_LIMIT_MEMORY : SANDBOX_LIMIT_NONE;
}

// Stops and continues the processes, so that they run for their share of the time. Without a sandbox, these are the
// processes of the program's group.
static void keep_share(const struct sandbox *sandbox, pid_t program, unsigned look, bool *stopped) {
    if (!sandbox->share) return;
    int share = atomic_load_explicit(sandbox->share, memory_order_relaxed);
    bool stop = (int)(look % PERIOD) * 100 >= share * PERIOD;
    if (stop == *stopped) return;
    kill(sandbox_is_off() ? -program : -1, stop ? SIGSTOP : SIGCONT);
    *stopped = stop;
}

// Waits for the program's end and enforces limits; also reaps orphans of the namespace.
static enum sandbox_limit watch(const struct sandbox *sandbox, pid_t program, int *status) {
    DIR *proc = sandbox_is_off() ? NULL : opendir("/proc");
    int handle = (int)syscall(SYS_pidfd_open, program, 0);
    struct pollfd ended = {handle, POLLIN, 0};
    enum sandbox_limit limit = SANDBOX_LIMIT_NONE;
    bool stopped = false;
    for (unsigned looks = 0; limit == SANDBOX_LIMIT_NONE; looks++) {
        keep_share(sandbox, program, looks, &stopped);
        int ready = poll(&ended, 1, proc || sandbox->share ? LOOK_EVERY : -1);
        pid_t child;
        while ((child = waitpid(-1, status, WNOHANG)) > 0)
            if (child == program) return limit;
        if (ready == 0 && proc) limit = look(sandbox, proc);
    }
    return limit;
}

// ---- process 1

// Makes every address local: "ip route add local default dev lo", for one address family.
static void route_to_itself(int family) {
    struct {
        struct nlmsghdr header;
        struct rtmsg route;
        struct rtattr attribute;
        int interface;
    } request = {
        .header = {.nlmsg_len = sizeof request,
                   .nlmsg_type = RTM_NEWROUTE,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_EXCL},
        .route = {.rtm_family = (unsigned char)family,
                  .rtm_table = RT_TABLE_LOCAL,
                  .rtm_protocol = RTPROT_STATIC,
                  .rtm_scope = RT_SCOPE_HOST,
                  .rtm_type = RTN_LOCAL},
        .attribute = {.rta_len = RTA_LENGTH(sizeof(int)), .rta_type = RTA_OIF},
        .interface = (int)if_nametoindex("lo"),
    };
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (fd < 0) return;
    ssize_t ignored = send(fd, &request, sizeof request, 0);
    (void)ignored;
    close(fd);
}

// Sets up the sandbox's network: the loopback interface. Over it programs talk to themselves, and to the remote peers
// that libtamar simulates (runtime/native/libtamar/sockets.c).
static void make_network(void) {
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    ioctl(fd, SIOCSIFFLAGS, &request);
    close(fd);
    route_to_itself(AF_INET);
    route_to_itself(AF_INET6);
}

void sandbox_be_init(const struct sandbox *sandbox, const int streams[3], int channel) {
    char byte;
    int status = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (sandbox->view != SANDBOX_SHARES)
        for (int number = 1; number < 32; number++) signal(number, SIG_DFL); // the handlers are tamar's
    if (read(channel, &byte, 1) != 1) _exit(126);                            // after the user map is written
    const char *failed = sandbox_is_off() ? NULL : sandbox_enter_root(sandbox);
    if (failed) {
        sandbox_report(channel, REPORT_REFUSED, errno, failed);
        _exit(126);
    }
    if (!sandbox_is_off() && sandbox->view != SANDBOX_SHARES) make_network();
    // The program must not trace or read process 1, which still has capabilities.
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (sandbox_is_off()) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    pid_t program = fork();
    if (program == 0) become_program(sandbox, streams, channel);
    if (program < 0) {
        sandbox_report(channel, REPORT_REFUSED, errno, "another process");
        _exit(126);
    }
    for (int i = 0; i < 3; i++)
        if (streams[i] > 2) close(streams[i]); // a pipe reaches its end when all writers have closed it
    enum sandbox_limit limit = watch(sandbox, program, &status);
    if (limit != SANDBOX_LIMIT_NONE)
        sandbox_report(channel, REPORT_LIMIT, (int)limit, NULL);
    else
        sandbox_report(channel, REPORT_ENDED, status, NULL);
    _exit(0);
}
