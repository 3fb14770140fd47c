// Process identity and resource limits.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

enum { ARCH_SET_FS = 0x1002, ARCH_GET_FS = 0x1003 }; // <asm/prctl.h>

long __tamar_sys_getpid(void) { return PROCESS->id; }
long __tamar_sys_gettid(void) { return KERNEL->task->id; }
long __tamar_sys_getppid(void) {
    return PROCESS->parent ? PROCESS->parent->id : PROCESS->id == FIRST_PROCESS ? FIRST_PROCESS - 1 : 1;
}
long __tamar_sys_getpgrp(void) { return PROCESS->group; }
static bool is_self(long process) { return process == 0 || (int)process == PROCESS->id; }
static struct process *process_of(long process) {
    return process ? __tamar_process_of((int)process) : PROCESS;
}
long __tamar_sys_getpgid(long process) {
    struct process *found = process_of(process);
    return found ? found->group : -ESRCH;
}
long __tamar_sys_setpgid(long process, long group) {
    struct process *found = process_of(process);
    if ((int)group < 0) return -EINVAL;
    if (!found || (found != PROCESS && found->parent != PROCESS)) return -ESRCH;
    if (found->session == found->id || found->session != PROCESS->session) return -EPERM;
    found->group = group ? (int)group : found->id;
    return 0;
}
long __tamar_sys_getsid(long process) {
    struct process *found = process_of(process);
    return found ? found->session : -ESRCH;
}
long __tamar_sys_setsid(void) {
    if (PROCESS->group == PROCESS->id) return -EPERM; // it is already a group leader
    return PROCESS->group = PROCESS->session = PROCESS->id;
}
long __tamar_sys_set_tid_address(long address) {
    KERNEL->task->clear_id = POINTER(address);
    return KERNEL->task->id;
}
long __tamar_sys_set_robust_list(long head, long size) { return 0; }
long __tamar_sys_membarrier(long command, long flags) { return 0; }

long __tamar_sys_uname(long result) {
    struct utsname *out = POINTER(result);
    memset(out, 0, sizeof *out);
    strcpy(out->sysname, "Linux");
    strcpy(out->nodename, KERNEL->host_name);
    strcpy(out->release, "6.1.0");
    strcpy(out->version, "#1 SMP");
    strcpy(out->machine, "x86_64");
    strcpy(out->domainname, "(none)");
    return 0;
}

long __tamar_sys_sethostname(long name, long size) {
    if (!__tamar_capable(CAP_SYS_ADMIN)) return -EPERM;
    if (size < 0 || size >= (long)sizeof KERNEL->host_name) return -EINVAL;
    memcpy(KERNEL->host_name, POINTER(name), (size_t)size);
    KERNEL->host_name[size] = 0;
    return 0;
}

static struct rlimit limits[RLIM_NLIMITS];
static bool limits_known;

static struct rlimit *limit_of(long resource) {
    if (resource < 0 || resource >= RLIM_NLIMITS) return NULL;
    if (!limits_known) {
        for (int i = 0; i < RLIM_NLIMITS; i++) limits[i] = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
        limits[RLIMIT_NOFILE] = (struct rlimit){MAX_DESCRIPTORS, MAX_DESCRIPTORS};
        limits[RLIMIT_STACK].rlim_cur = (rlim_t)__tamar_host_value(__TAMAR_MAX_STACK);
        limits[RLIMIT_CORE].rlim_cur = 0;
        limits_known = true;
    }
    return &limits[resource];
}

_Static_assert(sizeof limits <= LIMITS_SIZE, "all limits fit");

void __tamar_limits_copy(void *to, bool restore) {
    (void)limit_of(0);
    if (restore)
        memcpy(limits, to, sizeof limits);
    else
        memcpy(to, limits, sizeof limits);
}

long __tamar_sys_prlimit64(long process, long resource, long new, long old) {
    struct rlimit *limit = limit_of(resource);
    if (!limit) return -EINVAL;
    if (!is_self(process)) return -ESRCH;
    struct rlimit before = *limit;
    if (new) {
        const struct rlimit *wanted = POINTER(new);
        if (wanted->rlim_cur > wanted->rlim_max) return -EINVAL;
        if (wanted->rlim_max > limit->rlim_max && !__tamar_capable(CAP_SYS_RESOURCE)) return -EPERM;
        *limit = *wanted;
    }
    if (old) *(struct rlimit *)POINTER(old) = before;
    return 0;
}
long __tamar_sys_getrlimit(long resource, long result) {
    return __tamar_sys_prlimit64(0, resource, 0, result);
}
long __tamar_sys_setrlimit(long resource, long limit) { return __tamar_sys_prlimit64(0, resource, limit, 0); }

long __tamar_sys_getrusage(long who, long result) {
    if (who < -1 || who > 1) return -EINVAL;
    struct timespec now;
    __tamar_sys_clock_gettime(CLOCK_MONOTONIC, (long)&now);
    memset(POINTER(result), 0, 144); // the kernel's structure; musl's is larger
    struct rusage *usage = POINTER(result);
    if (who != RUSAGE_CHILDREN) usage->ru_utime = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

long __tamar_sys_sysinfo(long result) {
    struct sysinfo *info = POINTER(result);
    memset(info, 0, 112); // the kernel's size
    info->totalram = 4ul << 30;
    info->freeram = 2ul << 30;
    info->procs = 1;
    info->mem_unit = 1;
    return 0;
}

static bool is_flag(long value) { return value == 0 || value == 1; }

long __tamar_sys_prctl(long option, long b, long c, long d, long e) {
    static char name[16] = "program";
    static bool dumpable = true, no_new_privileges; // copied by a fork
    static int parent_signal;
    switch ((int)option) {
    case PR_SET_NAME: strncpy(name, POINTER(b), 15); return 0;
    case PR_GET_NAME: memcpy(POINTER(b), name, 16); return 0;
    case PR_SET_DUMPABLE: return is_flag(b) ? dumpable = b, 0 : -EINVAL;
    case PR_GET_DUMPABLE: return dumpable;
    case PR_SET_PDEATHSIG: return b >= 0 && b <= SIGNALS ? parent_signal = (int)b, 0 : -EINVAL;
    case PR_GET_PDEATHSIG: *(int *)POINTER(b) = parent_signal; return 0;
    case PR_SET_NO_NEW_PRIVS: return b == 1 && !c && !d && !e ? no_new_privileges = true, 0 : -EINVAL;
    case PR_GET_NO_NEW_PRIVS: return b || c || d || e ? -EINVAL : no_new_privileges;
    case PR_SET_KEEPCAPS: return is_flag(b) ? PROCESS->keeps_capabilities = b, 0 : -EINVAL;
    case PR_GET_KEEPCAPS: return PROCESS->keeps_capabilities;
    case PR_CAPBSET_READ: return b >= 0 && b <= LAST_CAPABILITY ? 1 : -EINVAL;
    default: __tamar_not_modelled("system call prctl"); return -EINVAL;
    }
}

long __tamar_sys_getpriority(long which, long who) { return 20; } // nice 0, as the kernel shifts it
long __tamar_sys_setpriority(long which, long who, long value) { return 0; }
long __tamar_sys_sched_getaffinity(long process, long size, long mask) {
    if (size < 8) return -EINVAL;
    *(unsigned long *)POINTER(mask) = 1; // one processor
    return 8;
}
long __tamar_sys_getcpu(long cpu, long node, long unused) {
    if (cpu) *(unsigned *)POINTER(cpu) = 0;
    if (node) *(unsigned *)POINTER(node) = 0;
    return 0;
}

long __tamar_sys_arch_prctl(long code, long value) {
    switch ((int)code) {
    case ARCH_SET_FS: __tamar_set_thread_pointer(POINTER(value)); return 0;
    case ARCH_GET_FS: *(void **)POINTER(value) = __tamar_thread_pointer(); return 0;
    default: return -EINVAL;
    }
}
