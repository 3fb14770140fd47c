// System V message queues and shared memory. Semaphores are not modelled.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/shm.h>

enum {
    MOST_MESSAGE = 8192,
    MOST_QUEUED = 16384,
    COPY = 040000
}; // COPY: a flag of msgrcv that musl does not define

struct message {
    struct message *next;
    long type;
    size_t size;
    unsigned char bytes[];
};

struct queue {
    struct queue *next;
    int id;
    struct msqid_ds status;
    struct message *messages; // oldest first
};

struct segment {
    struct segment *next;
    int id;
    struct shmid_ds status;
    struct area *area;
    bool removed; // kept until the last process detaches it
};

// Whether the running process has these permissions (of S_IRUSR, S_IWUSR) for an object.
static bool may_use(const struct ipc_perm *object, unsigned int wanted) {
    unsigned int mode = object->mode;
    if (PROCESS->euid == 0) return true;
    if (PROCESS->euid != object->uid && PROCESS->euid != object->cuid) {
        mode <<= 3;
        if (!__tamar_in_group(object->gid) && !__tamar_in_group(object->cgid)) mode <<= 3;
    }
    return (mode & wanted) == wanted;
}

static bool may_change(const struct ipc_perm *object) {
    return PROCESS->euid == 0 || PROCESS->euid == object->uid || PROCESS->euid == object->cuid;
}

static struct ipc_perm new_object(int key, int flags) {
    struct ipc_perm object = {.uid = PROCESS->euid, .cuid = PROCESS->euid, .gid = PROCESS->egid};
    object.cgid = PROCESS->egid;
    object.mode = (unsigned int)flags & 0777;
    object.__ipc_perm_key = key;
    return object;
}

// Returns the result of msgget and shmget for an existing object.
static long found(const struct ipc_perm *object, int id, int flags) {
    if ((flags & IPC_CREAT) && (flags & IPC_EXCL)) return -EEXIST;
    unsigned int wanted = (unsigned int)(flags | flags << 3 | flags << 6) & 0700;
    return may_use(object, wanted) ? id : -EACCES;
}

static void change_owner(struct ipc_perm *object, const struct ipc_perm *new) {
    object->uid = new->uid;
    object->gid = new->gid;
    object->mode = (object->mode & ~0777u) | (new->mode & 0777);
}

static time_t seconds(void) { return (time_t)(__tamar_time() / 1000000000ul); }

// ---- message queues

static struct queue *queue_of(int id) {
    for (struct queue *queue = KERNEL->queues; queue; queue = queue->next)
        if (queue->id == id) return queue;
    return NULL;
}

long __tamar_sys_msgget(long key, long flags) {
    struct queue **last = &KERNEL->queues;
    for (; *last; last = &(*last)->next)
        if ((int)key != IPC_PRIVATE && (*last)->status.msg_perm.__ipc_perm_key == (int)key)
            return found(&(*last)->status.msg_perm, (*last)->id, (int)flags);
    if ((int)key != IPC_PRIVATE && !(flags & IPC_CREAT)) return -ENOENT;
    struct queue *queue = __tamar_new(sizeof *queue);
    if (!queue) return -ENOMEM;
    queue->id = KERNEL->last_queue++;
    queue->status.msg_perm = new_object((int)key, (int)flags);
    queue->status.msg_ctime = seconds();
    queue->status.msg_qbytes = MOST_QUEUED;
    *last = queue;
    return queue->id;
}

// Waits for a change of the queue. Returns 0, or an error: the queue is gone.
static long wait_for_queue(int id, const char *what) {
    long error = __tamar_wait(0, 0, what);
    if (error) return error;
    return queue_of(id) ? 0 : -EIDRM;
}

long __tamar_sys_msgsnd(long id, long from, long size, long flags) {
    struct queue *queue = queue_of((int)id);
    const long *type = POINTER(from);
    if (size < 0 || size > MOST_MESSAGE || (int)id < 0 || *type < 1 || !queue) return -EINVAL;
    if (!may_use(&queue->status.msg_perm, S_IWUSR)) return -EACCES;
    struct msqid_ds *status = &queue->status;
    while (status->msg_cbytes + (size_t)size > status->msg_qbytes || status->msg_qnum >= status->msg_qbytes) {
        if (flags & IPC_NOWAIT) return -EAGAIN;
        long error = wait_for_queue((int)id, "sending to a full message queue that is never emptied");
        if (error) return error;
    }
    struct message *message = __tamar_new(sizeof *message + (size_t)size), **last = &queue->messages;
    if (!message) return -ENOMEM;
    message->type = *type;
    message->size = (size_t)size;
    memcpy(message->bytes, type + 1, (size_t)size);
    while (*last) last = &(*last)->next;
    *last = message;
    status->msg_cbytes += (size_t)size;
    status->msg_qnum++;
    status->msg_lspid = PROCESS->id;
    status->msg_stime = seconds();
    __tamar_changed();
    return 0;
}

// Returns the link in the list to the message that msgrcv would take; the link is NULL if there is none.
static struct message **choose_message(struct queue *queue, long type, long flags) {
    struct message **at = &queue->messages, **best = NULL;
    for (; *at; at = &(*at)->next) {
        long own = (*at)->type;
        if (type == 0 || (type > 0 && (own == type) == !(flags & MSG_EXCEPT))) return at;
        if (type < 0 && (type == LONG_MIN || own <= -type) && (!best || own < (*best)->type)) best = at;
    }
    return best ? best : at;
}

long __tamar_sys_msgrcv(long id, long to, long size, long type, long flags) {
    struct queue *queue = queue_of((int)id);
    if (size < 0 || (int)id < 0 || !queue) return -EINVAL;
    if (flags & COPY) return flags & IPC_NOWAIT ? -ENOSYS : -EINVAL;
    if (!may_use(&queue->status.msg_perm, S_IRUSR)) return -EACCES;
    struct message **at;
    while (!*(at = choose_message(queue, type, flags))) {
        if (flags & IPC_NOWAIT) return -ENOMSG;
        long error = wait_for_queue((int)id, "receiving from a message queue that is never filled");
        if (error) return error;
    }
    struct message *message = *at;
    if (message->size > (size_t)size && !(flags & MSG_NOERROR)) return -E2BIG;
    size_t given = message->size < (size_t)size ? message->size : (size_t)size;
    long *out = POINTER(to);
    *out = message->type;
    memcpy(out + 1, message->bytes, given);
    *at = message->next;
    queue->status.msg_cbytes -= message->size;
    queue->status.msg_qnum--;
    queue->status.msg_lrpid = PROCESS->id;
    queue->status.msg_rtime = seconds();
    __tamar_delete(message);
    __tamar_changed();
    return (long)given;
}

static void remove_queue(struct queue *queue) {
    struct queue **at = &KERNEL->queues;
    while (*at != queue) at = &(*at)->next;
    *at = queue->next;
    for (struct message *message = queue->messages, *next; message; message = next) {
        next = message->next;
        __tamar_delete(message);
    }
    __tamar_delete(queue);
    __tamar_changed();
}

long __tamar_sys_msgctl(long id, long command, long buffer) {
    struct queue *queue = queue_of((int)id);
    struct msqid_ds *data = POINTER(buffer);
    if (command != IPC_STAT && command != IPC_SET && command != IPC_RMID) {
        __tamar_not_modelled("msgctl with another command than IPC_STAT, IPC_SET and IPC_RMID");
        return -EINVAL;
    }
    if ((int)id < 0 || !queue) return -EINVAL;
    if (command != IPC_RMID && __tamar_is_bad(buffer)) return -EFAULT;
    struct ipc_perm *object = &queue->status.msg_perm;
    if (command == IPC_STAT) {
        if (!may_use(object, S_IRUSR)) return -EACCES;
        *data = queue->status;
        return 0;
    }
    if (!may_change(object)) return -EPERM;
    if (command == IPC_RMID) {
        remove_queue(queue);
        return 0;
    }
    if (data->msg_qbytes > MOST_QUEUED && !__tamar_capable(CAP_SYS_RESOURCE)) return -EPERM;
    change_owner(object, &data->msg_perm);
    queue->status.msg_qbytes = data->msg_qbytes;
    queue->status.msg_ctime = seconds();
    __tamar_changed();
    return 0;
}

// ---- shared memory

static struct segment *segment_of(int id) {
    for (struct segment *segment = KERNEL->segments; segment; segment = segment->next)
        if (segment->id == id) return segment;
    return NULL;
}

long __tamar_sys_shmget(long key, long size, long flags) {
    struct segment **last = &KERNEL->segments;
    for (; *last; last = &(*last)->next)
        if ((int)key != IPC_PRIVATE && (*last)->status.shm_perm.__ipc_perm_key == (int)key) {
            long id = found(&(*last)->status.shm_perm, (*last)->id, (int)flags);
            return id >= 0 && (size_t)size > (*last)->status.shm_segsz ? -EINVAL : id;
        }
    if ((int)key != IPC_PRIVATE && !(flags & IPC_CREAT)) return -ENOENT;
    if (size < 1 || size > MAX_FILE_SIZE) return size > 0 ? -ENOMEM : -EINVAL;
    struct segment *segment = __tamar_new(sizeof *segment);
    if (!segment || !(segment->area = __tamar_area_new(segment, (size_t)size))) return -ENOMEM;
    segment->id = KERNEL->last_segment++;
    segment->status.shm_perm = new_object((int)key, (int)flags);
    segment->status.shm_segsz = (size_t)size;
    segment->status.shm_ctime = seconds();
    segment->status.shm_cpid = PROCESS->id;
    *last = segment;
    return segment->id;
}

// A segment has one address: attaching it twice in a process returns the same address.
long __tamar_sys_shmat(long id, long address, long flags) {
    struct segment *segment = segment_of((int)id);
    if ((int)id < 0 || !segment) return -EINVAL;
    if (!may_use(&segment->status.shm_perm, flags & SHM_RDONLY ? S_IRUSR : S_IRUSR | S_IWUSR)) return -EACCES;
    if (address && POINTER(address) != segment->area->at) {
        __tamar_not_modelled("shmat at an address that the program chooses");
        return -EINVAL;
    }
    if (!__tamar_area_attach(segment->area)) return -ENOMEM;
    segment->status.shm_lpid = PROCESS->id;
    segment->status.shm_atime = seconds();
    return (long)segment->area->at;
}

long __tamar_sys_shmdt(long address) { return __tamar_area_detach(POINTER(address)) ? 0 : -EINVAL; }

static void drop_segment(struct segment *segment) {
    struct segment **at = &KERNEL->segments;
    while (*at != segment) at = &(*at)->next;
    *at = segment->next;
    __tamar_area_release(segment->area);
    __tamar_delete(segment);
}

void __tamar_segment_detached(struct segment *segment) {
    segment->status.shm_lpid = PROCESS->id;
    segment->status.shm_dtime = seconds();
    if (segment->removed && segment->area->users == 1) drop_segment(segment);
}

static void remove_segment(struct segment *segment) {
    segment->removed = true;
    segment->status.shm_perm.__ipc_perm_key = IPC_PRIVATE;
    segment->status.shm_perm.mode |= SHM_DEST;
    if (segment->area->users == 1) drop_segment(segment);
}

long __tamar_sys_shmctl(long id, long command, long buffer) {
    struct segment *segment = segment_of((int)id);
    struct shmid_ds *data = POINTER(buffer);
    if (command != IPC_STAT && command != IPC_SET && command != IPC_RMID) {
        __tamar_not_modelled("shmctl with another command than IPC_STAT, IPC_SET and IPC_RMID");
        return -EINVAL;
    }
    if ((int)id < 0 || !segment) return -EINVAL;
    if (command != IPC_RMID && __tamar_is_bad(buffer)) return -EFAULT;
    struct ipc_perm *object = &segment->status.shm_perm;
    if (command == IPC_STAT) {
        if (!may_use(object, S_IRUSR)) return -EACCES;
        segment->status.shm_nattch = segment->area->users - 1;
        *data = segment->status;
        return 0;
    }
    if (!may_change(object)) return -EPERM;
    if (command == IPC_RMID) {
        remove_segment(segment);
        return 0;
    }
    change_owner(object, &data->shm_perm);
    segment->status.shm_ctime = seconds();
    return 0;
}
