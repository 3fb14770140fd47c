// A model of Linux: files, descriptors, signals and time, all as plain
// data in the program's own memory, so that it forks with the state.
//
//   descriptor table --> open file (offset, flags, counted) --> inode (the file itself)
//                                                                ^ directory entries point here too
//
// Inodes are created on first use. A directory that exists on the host holds only the
// entries that were looked up or changed; the others are queried from the host by path,
// read-only. An entry without an inode hides a host file that was removed. A regular
// host file is read in place until the first write, which loads its content into memory.
//
// Invariants: a directory inode has one parent and knows its name (getcwd walks up). An inode is freed
// when it has no name (links == 0) and no open file. Results are 0 or more, or a negated error number.
#ifndef TAMAR_LINUX_H
#define TAMAR_LINUX_H

#include "runtime/intrinsics.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

struct inode;
struct interface;
struct peers;
struct pipe;
struct queue;
struct segment;
struct socket;
struct special;

enum device { // behaviour of a character device
    DEVICE_NONE,
    DEVICE_NULL,
    DEVICE_ZERO,
    DEVICE_FULL,
    DEVICE_RANDOM,
    DEVICE_TERMINAL,   // /dev/tty: opening it fails, there is no terminal
    DEVICE_DESCRIPTOR, // /dev/stdin, /dev/fd/N: opening it duplicates a descriptor
};

struct entry {
    struct entry *next;
    struct inode *inode; // NULL: hides the host's file of this name
    unsigned hash;       // hash of the name, if it is concrete
    bool symbolic;       // the name is symbolic
    char name[];
};

struct inode {
    unsigned long number, device_number, special_device;
    unsigned int mode, uid, gid, links;
    unsigned int open_count;
    struct timespec access_time, modify_time, change_time;
    char *host;          // absolute host path, while the content or some entries are read from there
    unsigned char *data; // regular: the content once in memory; link: the target
    size_t size, capacity;
    struct entry *entries; // directory, oldest first
    struct inode *parent;  // directory
    char *name;            // directory: its name in parent
    struct pipe *pipe;
    struct socket *socket;
    struct special *special; // event.c
    unsigned long activity;  // socket, pipe, event: incremented when data arrives
    enum device device;
    int stream; // 1 + number of the standard stream of the host; 0: none
    int is_terminal;
    struct inode *next_linked; // host files with several names
};

struct file { // an open file description
    struct inode *inode;
    unsigned long offset;
    int flags; // O_ACCMODE, O_APPEND, O_NONBLOCK, O_PATH, ...
    unsigned int references;
    unsigned long directory_position;
};

#define FIRST_OWN_INODE (1ul << 40) // far above the host's inode numbers
enum { MAX_DESCRIPTORS = 1024, MAX_FILE_SIZE = 1 << 28 };

struct descriptor {
    struct file *file;
    int close_on_exec;
};

struct timer { // a timer of alarm or setitimer, in nanoseconds of the model's clock; 0: off
    unsigned long deadline, interval;
};

struct signal_note { // content of a handler's siginfo
    int code, process, status;
    unsigned int user;
    void *value;
};

struct mapping;

enum { SIGNALS = 64 };

struct process {
    struct process *next, *parent;
    int id, group, session;
    bool ended;
    bool forgets_children; // ignores SIGCHLD: ended children are reaped at once
    int status;            // exit status in wait's encoding
    struct descriptor *descriptors;
    int descriptor_capacity;
    struct inode *root, *directory;
    unsigned int umask, uid, euid, suid, gid, egid, sgid;
    unsigned int *groups, group_count;
    uint64_t effective, permitted, inheritable; // capabilities
    bool keeps_capabilities;
    struct timer alarm;
    uint64_t pending; // pending signals for any of its threads
    struct signal_note notes[SIGNALS + 1];
    struct mapping *mappings;          // shared mappings
    struct abandoned_stack *abandoned; // stacks of ended threads
};

// A thread. A waiting thread continues when its event may have happened: `changes`
// has advanced, its futex was woken, the deadline has passed or a signal has arrived.
struct task {
    struct task *next;
    struct process *process;
    int number, id; // the VM's number, the kernel's
    bool waits, outside;
    unsigned long deadline; // 0: none
    unsigned long seen;     // value of KERNEL->changes at the last look
    const int *futex;       // NULL: waits for something else
    unsigned int futex_bits;
    bool woken;
    uint64_t mask, pending;
    uint64_t wanted; // signals that it waits for in sigtimedwait
    int *clear_id;   // set to 0 and woken when the thread ends
};

// A further program that execve may start; the front end makes the table (src/front/programs.c), which ends with a row
// of zeros. Without further programs there is no table.
struct __tamar_program {
    const char *path;
    void *main;
    void *const *constructors, *const *destructors; // by rising priority, ended by NULL
};
extern const struct __tamar_program __tamar_programs[] __attribute__((weak));
struct execution;

// The data shared by all processes. It is in memory of the kind KERNEL, with everything it points to.
struct kernel {
    struct process *process, *processes; // the running process; all, the first one last
    struct task *task, *tasks;           // the running task; all, the oldest first
    unsigned long changes;               // incremented at each event that a task may wait for
    unsigned long now, start;            // nanoseconds since 1970
    unsigned long next_inode;
    int last_id;
    int idle;                    // how often the idle program was asked to end
    int quiet;                   // number of time jumps since the last change
    unsigned long quiet_changes; // value of `changes` at that time
    bool first_ended;
    int first_status;
    uint64_t random_state;
    size_t random_used;         // symbolic bytes returned so far
    long failures, short_reads; // number that may still happen
    struct area *areas;         // shared memory
    struct queue *queues;       // System V message queues, oldest first
    struct segment *segments;   // System V shared memory, oldest first
    int last_queue, last_segment;
    struct socket *sockets; // all of them
    struct peers *peers;    // NULL: there is no script (peer.h)
    struct interface *interfaces;
    long outside_used; // connections and datagrams that have arrived from outside
    in_port_t last_port;
    unsigned int last_abstract; // last automatic name of a Unix socket
    struct sent {               // data sent outside, by connection (0: datagrams)
        struct sent *next;
        int number;
        struct inode *content;
    } *sent;
    struct special *specials;    // epoll, eventfd, timerfd, signalfd
    struct inode *home;          // the directory in which the program starts
    struct inode *linked_inodes; // host files with several names
    struct inode *program_file;  // of the first program; only if there are further ones
    struct execution *execution; // the execve that the image carries out (process.c)
    int image;                   // task of the image; 0: there are no further programs
    char host_name[65];
};
extern struct kernel *__tamar_kernel;
#define KERNEL  (__tamar_kernel)
#define PROCESS (__tamar_kernel->process)

// credentials.c: capabilities, with the numbers of <linux/capability.h>
enum capability {
    CAP_CHOWN = 0,
    CAP_DAC_OVERRIDE = 1,
    CAP_FOWNER = 3,
    CAP_KILL = 5,
    CAP_SETGID = 6,
    CAP_SETUID = 7,
    CAP_SETPCAP = 8,
    CAP_NET_BIND_SERVICE = 10,
    CAP_NET_RAW = 13,
    CAP_SYS_CHROOT = 18,
    CAP_SYS_ADMIN = 21,
    CAP_SYS_RESOURCE = 24,
    LAST_CAPABILITY = 40,
};
bool __tamar_capable(enum capability capability);
bool __tamar_in_group(unsigned int group);
void __tamar_credentials_start(void);

// start.c
void __tamar_linux_start(const char *program);

struct inode *__tamar_make_directory(struct inode *parent, const char *name, unsigned mode);

// process.c: makes the image, from which execve starts programs. Returns again in each process that execve makes: the
// program to start, and *stack is its initial stack. NULL: the first program.
const struct __tamar_program *__tamar_image_start(long **stack);

// identity.c, signal.c: data of a process that an execve keeps
void __tamar_limits_copy(void *to, bool restore); // `to` has LIMITS_SIZE bytes
enum { LIMITS_SIZE = 512 };
uint64_t __tamar_signals_ignored(void);
void __tamar_signals_ignore(uint64_t signals);

// save.c: called before the program ends
void __tamar_linux_end(void);

// task.c: the scheduler
enum { FIRST_PROCESS = 1000 };
// How the running task waits. OUTSIDE: for events from outside the program, so that waiting
// forever is not a deadlock. RESTART: after a handler with SA_RESTART it continues to wait.
enum { WAIT_OUTSIDE = 1, WAIT_RESTART = 2 };
// Lets other tasks run, or time pass. Returns 0: check the condition again; -ETIMEDOUT: the deadline
// (0: none) has passed; -EINTR: a handler ran. If no event can happen any more: see docs/runtime.md.
long __tamar_wait(unsigned long deadline, int how, const char *what);
static inline void __tamar_changed(void) { KERNEL->changes++; }
struct process *__tamar_process_of(int id); // NULL: none
struct task *__tamar_task_of(int id);
// Ends the process, with a status in wait's encoding.
__TAMAR_NORETURN void __tamar_process_end(int status);
void __tamar_other_threads_end(void); // the threads of the running process but the running one
void __tamar_tasks_start(void);

// alloc.c: memory of the model
void *__tamar_new(size_t size);
void __tamar_delete(void *p);
char *__tamar_copy_text(const char *text);

// inode.c
struct inode *__tamar_inode_new(unsigned int mode, unsigned long device_number);
struct inode *__tamar_inode_from_host(const char *host_path, const struct __tamar_host_stat *host);
void __tamar_inode_drop(struct inode *inode); // frees it if no name and no open file is left
long __tamar_inode_load(struct inode *inode); // loads the content into memory
long __tamar_inode_read(struct inode *inode, void *buffer, size_t size, unsigned long offset);
long __tamar_inode_write(struct inode *inode, const void *buffer, size_t size, unsigned long offset);
long __tamar_inode_resize(struct inode *inode, unsigned long size);
bool __tamar_may(const struct inode *inode, int wanted); // checks R_OK, W_OK, X_OK for the effective user
bool __tamar_owns(const struct inode *inode);
void __tamar_touch(struct inode *inode, bool access, bool modify, bool change);

// directory.c
struct entry *__tamar_entry_find(struct inode *directory, const char *name);
long __tamar_entry_add(struct inode *directory, const char *name, struct inode *inode);
void __tamar_entry_remove(struct inode *directory, const char *name);
bool __tamar_directory_is_empty(struct inode *directory);
// Returns the host's entries and the model's in a stable order: the name's length, or 0 at the end. Advances *position.
long __tamar_directory_next(struct inode *directory, unsigned long *position, char *name,
                            struct inode **inode);
// Gets the path "/a/b" of a directory; -ERANGE if it does not fit, -ENOENT if the directory was removed.
long __tamar_directory_path(struct inode *directory, char *buffer, size_t size);

// path.c
struct lookup {
    struct inode *parent, *inode; // inode NULL: nothing of this name
    char name[NAME_MAX + 1];
    bool wants_directory; // a slash follows the name
};
enum { FOLLOW = 1, EMPTY_PATH = 2 };
long __tamar_lookup(int directory, const char *path, int flags, struct lookup *result);
// Finds an inode that must exist.
long __tamar_find(int directory, const char *path, int flags, struct inode **result);

// descriptor.c
struct file *__tamar_file(int descriptor); // NULL: EBADF
struct file *__tamar_file_new(struct inode *inode, int flags);
long __tamar_descriptor_new(struct file *file, int lowest, int close_on_exec);
long __tamar_close(int descriptor);

void __tamar_file_release(struct file *file); // drops one reference

// socket.c
long __tamar_socket_read(struct file *file, void *buffer, size_t size);
long __tamar_socket_write(struct file *file, const void *buffer, size_t size);
int __tamar_socket_events(const struct inode *inode);
unsigned long __tamar_socket_available(const struct inode *inode);
void __tamar_socket_closed(struct inode *inode);
long __tamar_socket_vector(struct file *file, const struct iovec *parts, size_t count, bool writes);

// event.c
long __tamar_special_read(struct file *file, void *buffer, size_t size);
long __tamar_special_write(struct file *file, const void *buffer, size_t size);
int __tamar_special_events(const struct inode *inode);
void __tamar_special_closed(struct inode *inode);
void __tamar_special_forget(struct file *file); // removes a closed file from all epolls
unsigned long __tamar_special_next(void);       // __tamar_next_timer for timerfds
void __tamar_special_timers(void);

// pipe.c
struct pipe *__tamar_pipe_new(void);
long __tamar_pipe_wait_open(struct file *file);
long __tamar_pipe_read(struct file *file, void *buffer, size_t size);
long __tamar_pipe_write(struct file *file, const void *buffer, size_t size);
void __tamar_pipe_opened(struct inode *inode, int flags);
void __tamar_pipe_closed(struct inode *inode, int flags);
unsigned long __tamar_pipe_available(const struct inode *inode);
// Wait for data or for free space. Return the number of bytes; 0: no writer is left; or an error, -EAGAIN if the call
// may not wait.
long __tamar_pipe_wait_data(struct file *file, bool may_wait);
long __tamar_pipe_wait_room(struct file *file, bool may_wait);
// Copies bytes from `offset` on, which stay in the pipe. Returns their number.
size_t __tamar_pipe_peek(const struct inode *inode, size_t offset, void *buffer, size_t size);
int __tamar_pipe_events(const struct inode *inode, int flags);

// device.c
long __tamar_device_read(struct file *file, void *buffer, size_t size);
long __tamar_device_write(struct file *file, const void *buffer, size_t size);
long __tamar_stream_read(struct file *file, void *buffer, size_t size);
long __tamar_stream_write(struct file *file, const void *buffer, size_t size);
void __tamar_random_bytes(void *buffer, size_t size);
void __tamar_devices_make(struct inode *root);

// proc.c
enum { PROC_DEVICE = 21 };
void __tamar_proc_make(struct inode *root, const char *program);

// sysv.c
void __tamar_segment_detached(struct segment *segment); // called when the running process detaches it or ends

// io.c
// Whether a part has a length that the kernel refuses: more than a signed number holds.
bool __tamar_has_bad_part(const struct iovec *parts, size_t count);
bool __tamar_may_read(const struct file *file);
bool __tamar_may_write(const struct file *file);
bool __tamar_is_seekable(const struct inode *inode);
// Whether a pointer leads to the first page, which is never mapped. Other invalid pointers are bugs of the program.
static inline bool __tamar_is_bad(long pointer) { return (unsigned long)pointer < 4096; }
long __tamar_file_read(struct file *file, void *buffer, size_t size);
long __tamar_file_write(struct file *file, const void *buffer, size_t size);
// Returns the events of poll that hold now.
int __tamar_file_events(struct file *file);

// descriptor.c, mapping.c: copied by fork, released at the end of a process
bool __tamar_descriptors_copy(struct process *to);
void __tamar_descriptors_close(void);
bool __tamar_mappings_copy(struct process *to);
void __tamar_mappings_drop(void);
bool __tamar_is_shared(const void *address);

// mapping.c: shared memory, of a file or anonymous (inode NULL). It has the same address in every process that maps it.
struct area {
    struct area *next;
    struct inode *inode;
    unsigned char *at;
    size_t size;
    unsigned long offset;
    bool writable;
    unsigned int users;      // number of processes that map it, plus 1 if there is a segment
    struct segment *segment; // the System V segment; NULL: none
};
// For sysv.c: memory that is kept until it is released; attach maps it in the running process.
struct area *__tamar_area_new(struct segment *segment, size_t size); // NULL: no memory
void __tamar_area_release(struct area *area);
bool __tamar_area_attach(struct area *area);
bool __tamar_area_detach(const void *at); // false: no segment is attached there

// mapping.c: synchronizes shared mappings with their file
void __tamar_mappings_to_file(struct inode *inode);
void __tamar_file_to_mappings(struct inode *inode);

// time.c
unsigned long __tamar_time(void);       // returns the time; every call advances it by a microsecond
unsigned long __tamar_next_timer(void); // expiry of the next timer, 0: none
void __tamar_timers_run(void);          // handles the expired timers
static inline unsigned long __tamar_span(const struct timespec *time) {
    return (unsigned long)time->tv_sec * 1000000000ul + (unsigned long)time->tv_nsec;
}

// signal.c
void __tamar_signal_send(int signal); // sends to the running process
void __tamar_signal_to(struct process *process, struct task *task, int signal, struct signal_note note);
// Runs the handlers of pending signals that are not blocked.
enum delivered { DELIVERED_NONE, DELIVERED_RESTART, DELIVERED_INTERRUPT };
enum delivered __tamar_signal_deliver(void);
static inline uint64_t __tamar_signals_for(const struct task *task) {
    return (task->pending | task->process->pending) & ~task->mask;
}
long __tamar_signal_wait(unsigned long deadline, const char *what); // -EINTR or -ETIMEDOUT
long __tamar_signal_take(uint64_t wanted, siginfo_t *info);         // takes a pending signal; 0: none

// futex.c
long __tamar_futex_wake(const int *address, int most, unsigned int bits);

// task.c, for the C library
long __tamar_clone(int (*function)(void *), void *stack, int flags, void *argument, int *parent_id,
                   void *pointer, int *child_id);
int __tamar_task_number(void);                       // the VM's number of the running task
void __tamar_context_switch(int number, bool ends);  // switches to another stack of the running thread
void __tamar_abandon_stack(void *base, size_t size); // unmaps the running thread's stack after its end

// failure.c
long __tamar_failure(long call, long first_argument); // error number; 0: the call does not fail
bool __tamar_allocation_fails(const char *function);
// Returns how many of these bytes a read delivers, at least 1.
size_t __tamar_short_read(size_t size);
bool __tamar_may_interrupt(void); // signal.c: whether the process has a handler

// A pointer argument of a system call.
#define POINTER(argument) ((void *)(argument))

#endif
