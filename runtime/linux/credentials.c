// Credentials of a process: users, groups, capabilities.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

bool __tamar_capable(enum capability capability) { return PROCESS->effective >> capability & 1; }

bool __tamar_in_group(unsigned int group) {
    if (group == PROCESS->egid) return true;
    for (unsigned int i = 0; i < PROCESS->group_count; i++)
        if (PROCESS->groups[i] == group) return true;
    return false;
}

void __tamar_credentials_start(void) {
    struct process *p = PROCESS;
    p->uid = p->euid = p->suid = (unsigned)__tamar_host_value(__TAMAR_UID);
    p->gid = p->egid = p->sgid = (unsigned)__tamar_host_value(__TAMAR_GID);
    p->groups = __tamar_new(sizeof *p->groups);
    if (p->groups) p->groups[p->group_count++] = p->gid;
    p->permitted = p->effective = p->euid ? 0 : (2ul << LAST_CAPABILITY) - 1;
}

long __tamar_sys_getuid(void) { return PROCESS->uid; }
long __tamar_sys_geteuid(void) { return PROCESS->euid; }
long __tamar_sys_getgid(void) { return PROCESS->gid; }
long __tamar_sys_getegid(void) { return PROCESS->egid; }

// ---- users

// Drops the capabilities of a process that gives up user 0, unless it asked to keep them; then they become ineffective.
static void change_powers(struct process *p, bool had_zero, bool was_zero) {
    bool has_zero = !p->uid || !p->euid || !p->suid;
    if (had_zero && !has_zero) {
        if (!p->keeps_capabilities) p->permitted = 0;
        p->effective = 0;
    }
    if (was_zero && p->euid) p->effective = 0;
    if (!was_zero && !p->euid) p->effective = p->permitted;
}

static long set_users(long real, long effective, long saved) {
    struct process *p = PROCESS;
    long wanted[] = {real, effective, saved};
    bool had_zero = !p->uid || !p->euid || !p->suid, was_zero = !p->euid;
    for (int i = 0; i < 3; i++) {
        unsigned int id = (unsigned)wanted[i];
        bool known = id == p->uid || id == p->euid || id == p->suid;
        if (id != -1u && !known && !__tamar_capable(CAP_SETUID)) return -EPERM;
    }
    if ((int)real != -1) p->uid = (unsigned)real;
    if ((int)effective != -1) p->euid = (unsigned)effective;
    if ((int)saved != -1) p->suid = (unsigned)saved;
    change_powers(p, had_zero, was_zero);
    return 0;
}

static long set_groups(long real, long effective, long saved) {
    struct process *p = PROCESS;
    long wanted[] = {real, effective, saved};
    for (int i = 0; i < 3; i++) {
        unsigned int id = (unsigned)wanted[i];
        bool known = id == p->gid || id == p->egid || id == p->sgid;
        if (id != -1u && !known && !__tamar_capable(CAP_SETGID)) return -EPERM;
    }
    if ((int)real != -1) p->gid = (unsigned)real;
    if ((int)effective != -1) p->egid = (unsigned)effective;
    if ((int)saved != -1) p->sgid = (unsigned)saved;
    return 0;
}

long __tamar_sys_setuid(long id) {
    if ((int)id == -1) return -EINVAL;
    if (__tamar_capable(CAP_SETUID)) return set_users(id, id, id);
    if ((unsigned)id != PROCESS->uid && (unsigned)id != PROCESS->suid) return -EPERM;
    return set_users(-1, id, -1);
}
long __tamar_sys_setgid(long id) {
    if ((int)id == -1) return -EINVAL;
    if (__tamar_capable(CAP_SETGID)) return set_groups(id, id, id);
    if ((unsigned)id != PROCESS->gid && (unsigned)id != PROCESS->sgid) return -EPERM;
    return set_groups(-1, id, -1);
}

// Whether the saved id follows the effective one: the real one is set, or the effective one changes.
static bool saves(long real, long effective, unsigned int was) {
    return (int)real != -1 || ((int)effective != -1 && (unsigned)effective != was);
}

long __tamar_sys_setreuid(long real, long effective) {
    const struct process *p = PROCESS;
    bool free = __tamar_capable(CAP_SETUID);
    if ((int)real != -1 && !free && (unsigned)real != p->uid && (unsigned)real != p->euid) return -EPERM;
    long next = (int)effective != -1 ? effective : (long)p->euid;
    return set_users(real, effective, saves(real, effective, p->uid) ? next : -1);
}
long __tamar_sys_setregid(long real, long effective) {
    const struct process *p = PROCESS;
    bool free = __tamar_capable(CAP_SETGID);
    if ((int)real != -1 && !free && (unsigned)real != p->gid && (unsigned)real != p->egid) return -EPERM;
    long next = (int)effective != -1 ? effective : (long)p->egid;
    return set_groups(real, effective, saves(real, effective, p->gid) ? next : -1);
}
long __tamar_sys_setresuid(long real, long effective, long saved) {
    return set_users(real, effective, saved);
}
long __tamar_sys_setresgid(long real, long effective, long saved) {
    return set_groups(real, effective, saved);
}
long __tamar_sys_getresuid(long real, long effective, long saved) {
    *(unsigned *)POINTER(real) = PROCESS->uid;
    *(unsigned *)POINTER(effective) = PROCESS->euid;
    *(unsigned *)POINTER(saved) = PROCESS->suid;
    return 0;
}
long __tamar_sys_getresgid(long real, long effective, long saved) {
    *(unsigned *)POINTER(real) = PROCESS->gid;
    *(unsigned *)POINTER(effective) = PROCESS->egid;
    *(unsigned *)POINTER(saved) = PROCESS->sgid;
    return 0;
}
long __tamar_sys_setfsuid(long id) { return PROCESS->euid; }
long __tamar_sys_setfsgid(long id) { return PROCESS->egid; }

// ---- groups

long __tamar_sys_getgroups(long size, long list) {
    const struct process *p = PROCESS;
    if ((int)size < 0 || (size && (unsigned)size < p->group_count)) return -EINVAL;
    if (size && __tamar_is_bad(list)) return -EFAULT;
    if (size) memcpy(POINTER(list), p->groups, p->group_count * sizeof *p->groups);
    return p->group_count;
}

long __tamar_sys_setgroups(long size, long list) {
    enum { MOST_GROUPS = 65536 };
    if (!__tamar_capable(CAP_SETGID)) return -EPERM;
    if ((unsigned)size > MOST_GROUPS) return -EINVAL;
    if (size && __tamar_is_bad(list)) return -EFAULT;
    unsigned int *groups = __tamar_new((size_t)size * sizeof *groups + 1);
    if (!groups) return -ENOMEM;
    memcpy(groups, POINTER(list), (size_t)size * sizeof *groups);
    PROCESS->groups = groups; // the old list may be shared with another process
    PROCESS->group_count = (unsigned)size;
    return 0;
}

// ---- capabilities

enum { VERSION_1 = 0x19980330, VERSION_2 = 0x20071026, VERSION_3 = 0x20080522 };

struct capability_header {
    unsigned int version;
    int process;
};
struct capability_data {
    unsigned int effective, permitted, inheritable;
};

// Returns the number of structures above; 0: unknown version, and the header gets a valid one.
static unsigned int halves(struct capability_header *header) {
    if (header->version == VERSION_1) return 1;
    if (header->version == VERSION_2 || header->version == VERSION_3) return 2;
    header->version = VERSION_3;
    return 0;
}

long __tamar_sys_capget(long header, long data) {
    struct capability_header *head = POINTER(header);
    if (!head) return -EFAULT;
    unsigned int count = halves(head);
    if (!count) return data ? -EINVAL : 0;
    if (head->process < 0) return -EINVAL;
    const struct process *p = head->process ? __tamar_process_of(head->process) : PROCESS;
    if (!p) return -ESRCH;
    struct capability_data *out = POINTER(data);
    for (unsigned int i = 0; out && i < count; i++)
        out[i] =
            (struct capability_data){(unsigned)(p->effective >> 32 * i), (unsigned)(p->permitted >> 32 * i),
                                     (unsigned)(p->inheritable >> 32 * i)};
    return 0;
}

long __tamar_sys_capset(long header, long data) {
    struct capability_header *head = POINTER(header);
    const struct capability_data *in = POINTER(data);
    struct process *p = PROCESS;
    if (!head) return -EFAULT;
    unsigned int count = halves(head);
    if (!count) return -EINVAL;
    if (head->process && head->process != p->id) return -EPERM;
    if (!in) return -EFAULT;
    uint64_t effective = in[0].effective, permitted = in[0].permitted, inheritable = in[0].inheritable;
    if (count > 1) {
        effective |= (uint64_t)in[1].effective << 32;
        permitted |= (uint64_t)in[1].permitted << 32;
        inheritable |= (uint64_t)in[1].inheritable << 32;
    }
    uint64_t all = (2ul << LAST_CAPABILITY) - 1;
    effective &= all, permitted &= all, inheritable &= all;
    if (permitted & ~p->permitted || effective & ~permitted) return -EPERM;
    if (inheritable & ~(p->inheritable | p->permitted) && !__tamar_capable(CAP_SETPCAP)) return -EPERM;
    p->effective = effective, p->permitted = permitted, p->inheritable = inheritable;
    return 0;
}
