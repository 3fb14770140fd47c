// Filters of system calls. libseccomp makes each filter check the architecture: a call by another convention
// (`int $0x80`, x32) ends the process.
#include "native/sandbox_int.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#define NEW_NAMESPACES                                                                                       \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |            \
     CLONE_NEWNET)

// Refused calls. Ordinary programs do not need them; they reach kernel settings, other processes, or large and rarely
// used parts of the kernel.
static const int refused[] = {
    SCMP_SYS(acct),
    SCMP_SYS(add_key),
    SCMP_SYS(adjtimex),
    SCMP_SYS(bpf),
    SCMP_SYS(chroot),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(clock_settime),
    SCMP_SYS(create_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(fanotify_init),
    SCMP_SYS(finit_module),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fsopen),
    SCMP_SYS(fspick),
    SCMP_SYS(get_kernel_syms),
    SCMP_SYS(init_module),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(ioperm),
    SCMP_SYS(iopl),
    SCMP_SYS(kcmp),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(kexec_load),
    SCMP_SYS(keyctl),
    SCMP_SYS(lookup_dcookie),
    SCMP_SYS(memfd_secret),
    SCMP_SYS(modify_ldt),
    SCMP_SYS(mount),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(move_mount),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(nfsservctl),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(open_tree),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pivot_root),
    SCMP_SYS(process_madvise),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(query_module),
    SCMP_SYS(quotactl),
    SCMP_SYS(quotactl_fd),
    SCMP_SYS(reboot),
    SCMP_SYS(request_key),
    SCMP_SYS(setdomainname),
    SCMP_SYS(sethostname),
    SCMP_SYS(setns),
    SCMP_SYS(settimeofday),
    SCMP_SYS(swapoff),
    SCMP_SYS(swapon),
    SCMP_SYS(_sysctl),
    SCMP_SYS(sysfs),
    SCMP_SYS(syslog),
    SCMP_SYS(umount2),
    SCMP_SYS(unshare),
    SCMP_SYS(uselib),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(vhangup),
};

// Calls that runtime/native makes; the kernel model answers all others.
static const int model_calls[] = {
    SCMP_SYS(access),       SCMP_SYS(arch_prctl),  SCMP_SYS(brk),          SCMP_SYS(close),
    SCMP_SYS(execve),       SCMP_SYS(exit),        SCMP_SYS(exit_group),   SCMP_SYS(fcntl),
    SCMP_SYS(fstat),        SCMP_SYS(futex),       SCMP_SYS(getcwd),       SCMP_SYS(getdents64),
    SCMP_SYS(getgid),       SCMP_SYS(gettid),      SCMP_SYS(getuid),       SCMP_SYS(lseek),
    SCMP_SYS(madvise),      SCMP_SYS(mmap),        SCMP_SYS(mprotect),     SCMP_SYS(munmap),
    SCMP_SYS(newfstatat),   SCMP_SYS(prctl),       SCMP_SYS(pread64),      SCMP_SYS(prlimit64),
    SCMP_SYS(read),         SCMP_SYS(readlink),    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(tkill),        SCMP_SYS(umask),
    SCMP_SYS(wait4),        SCMP_SYS(write),
};

// Calls for memory, the clock, writing the answer, and exiting.
static const int computing_calls[] = {
    SCMP_SYS(write),     SCMP_SYS(exit),          SCMP_SYS(exit_group),   SCMP_SYS(brk),
    SCMP_SYS(mmap),      SCMP_SYS(munmap),        SCMP_SYS(mremap),       SCMP_SYS(mprotect),
    SCMP_SYS(madvise),   SCMP_SYS(futex),         SCMP_SYS(getpid),       SCMP_SYS(gettid),
    SCMP_SYS(getrandom), SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(rt_sigreturn),
};

static scmp_filter_ctx start(uint32_t otherwise) {
    scmp_filter_ctx filter = seccomp_init(otherwise);
    if (filter && seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) != 0) {
        seccomp_release(filter);
        return NULL;
    }
    return filter;
}

static bool load(scmp_filter_ctx filter, bool good) {
    good = good && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && seccomp_load(filter) == 0;
    if (filter) seccomp_release(filter);
    return good;
}

// A call that libseccomp does not know on this architecture cannot be made, and is skipped.
static bool add_all(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count) {
    bool good = filter != NULL;
    for (size_t i = 0; good && i < count; i++)
        good = calls[i] < 0 || seccomp_rule_add(filter, action, calls[i], 0) == 0;
    return good;
}

// Allows clone for threads and processes, not for namespaces. The flags of clone3 are in memory, which a filter
// cannot read: it is refused, and C libraries fall back to clone.
static bool restrict_clone(scmp_filter_ctx filter, uint32_t refuse) {
    bool good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    for (uint64_t flag = 1; good && flag <= CLONE_NEWNET; flag <<= 1)
        if (flag & NEW_NAMESPACES)
            good = seccomp_rule_add(filter, refuse, SCMP_SYS(clone), 1,
                                    SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)) == 0;
    return good;
}

// The kernel reads 32 bits of an int argument; the upper half of the register may have any value.
#define LOW 0xffffffffu

// Allows local and Internet sockets, which end in the sandbox's own network, and queries about that network.
static bool restrict_sockets(scmp_filter_ctx filter, uint32_t refuse) {
    bool good = true;
    for (unsigned family = 0; good && family < AF_MAX; family++)
        if (family != AF_UNIX && family != AF_INET && family != AF_INET6 && family != AF_NETLINK &&
            family != AF_PACKET)
            good = seccomp_rule_add(filter, refuse, SCMP_SYS(socket), 1,
                                    SCMP_A0(SCMP_CMP_MASKED_EQ, LOW, family)) == 0;
    for (unsigned protocol = NETLINK_ROUTE + 1; good && protocol < MAX_LINKS; protocol++)
        good = seccomp_rule_add(filter, refuse, SCMP_SYS(socket), 2,
                                SCMP_A0(SCMP_CMP_MASKED_EQ, LOW, AF_NETLINK),
                                SCMP_A2(SCMP_CMP_MASKED_EQ, LOW, protocol)) == 0;
    return good;
}

static bool add_ioctl(scmp_filter_ctx filter, uint32_t action, unsigned request) {
    return seccomp_rule_add(filter, action, SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, LOW, request)) ==
           0;
}

// Calls that change a process named by their first argument.
static const int of_process[] = {
    SCMP_SYS(prlimit64),      SCMP_SYS(sched_setaffinity),  SCMP_SYS(sched_setattr),
    SCMP_SYS(sched_setparam), SCMP_SYS(sched_setscheduler),
};

// Protects process 1, which enforces the limits and has the same user: its own limits, priority and processors stay as
// they are. setpriority and ioprio_set also take groups and users; those that may contain process 1 are refused.
static bool protect_init(scmp_filter_ctx filter, uint32_t refuse) {
    bool good = true;
    for (size_t i = 0; good && i < COUNT(of_process); i++)
        good = seccomp_rule_add(filter, refuse, of_process[i], 1, SCMP_A0(SCMP_CMP_MASKED_EQ, LOW, 1)) == 0;
    const struct {
        int call;
        unsigned user; // the value of the first argument that names a user
    } groups[] = {{SCMP_SYS(setpriority), PRIO_USER}, {SCMP_SYS(ioprio_set), IOPRIO_WHO_USER}};
    for (size_t i = 0; good && i < COUNT(groups); i++)
        good =
            seccomp_rule_add(filter, refuse, groups[i].call, 1, SCMP_A1(SCMP_CMP_MASKED_EQ, LOW, 1)) == 0 &&
            seccomp_rule_add(filter, refuse, groups[i].call, 1,
                             SCMP_A0(SCMP_CMP_MASKED_EQ, LOW, groups[i].user)) == 0;
    return good;
}

// Files in memory without a name, and larger buffers of sockets, are memory that no count includes. A program that asks
// for larger buffers is told that it has them; the kernel may limit them, too.
static bool restrict_kernel_memory(scmp_filter_ctx filter) {
    const unsigned buffers[] = {SO_SNDBUF, SO_RCVBUF};
    bool good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(memfd_create), 0) == 0;
    for (size_t i = 0; good && i < COUNT(buffers); i++)
        good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(0), SCMP_SYS(setsockopt), 2,
                                SCMP_A1(SCMP_CMP_MASKED_EQ, LOW, SOL_SOCKET),
                                SCMP_A2(SCMP_CMP_MASKED_EQ, LOW, buffers[i])) == 0;
    return good;
}

bool sandbox_filter_program(bool traces_itself, bool shares) {
    uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
    scmp_filter_ctx filter = start(SCMP_ACT_ALLOW);
    bool good = add_all(filter, refuse, refused, COUNT(refused));
    if (good && !traces_itself) good = seccomp_rule_add(filter, refuse, SCMP_SYS(ptrace), 0) == 0;
    good = good && restrict_clone(filter, refuse) && (shares || restrict_sockets(filter, refuse)) &&
           protect_init(filter, refuse);
    good = good && (shares || restrict_kernel_memory(filter));
    // These requests inject input into the user's terminal, or paste its selection.
    good = good && add_ioctl(filter, refuse, TIOCSTI) && add_ioctl(filter, refuse, TIOCLINUX);
    return load(filter, good);
}

bool sandbox_filter_model(bool writes_files) {
    scmp_filter_ctx filter = start(SCMP_ACT_ERRNO(EPERM));
    bool good = add_all(filter, SCMP_ACT_ALLOW, model_calls, COUNT(model_calls));
    if (good && writes_files)
        good = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 0) == 0 &&
               seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ftruncate), 0) == 0;
    else if (good)
        good = seccomp_rule_add(
                   filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
                   SCMP_A1(SCMP_CMP_MASKED_EQ, O_ACCMODE | O_CREAT | O_TRUNC | O_PATH, O_RDONLY)) == 0;
    good = good &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                            SCMP_A0(SCMP_CMP_MASKED_EQ, NEW_NAMESPACES, 0)) == 0 &&
           add_ioctl(filter, SCMP_ACT_ALLOW, TIOCGWINSZ);
    return load(filter, good);
}

bool sandbox_filter_computing(void) {
    scmp_filter_ctx filter = start(SCMP_ACT_KILL_PROCESS);
    return load(filter, add_all(filter, SCMP_ACT_ALLOW, computing_calls, COUNT(computing_calls)));
}
