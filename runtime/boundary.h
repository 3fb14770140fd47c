// Shared by the interpreted C of runtime/ and the engine (src/): the intrinsics, and the constants and structures
// that they exchange. Also included by runtime/native for native builds. intrinsics.h documents each intrinsic.
#ifndef TAMAR_BOUNDARY_H
#define TAMAR_BOUNDARY_H

// Every function `__tamar_NAME` without a body: INTRINSIC(name, arguments, symbolic arguments, flow).
//
//   TERMS    takes symbolic arguments as they are; VALUES: before the call, the path forks on each value of a
//            symbolic argument
//   flow     RETURNS; ENDS the path; SETJMP; LONGJMP; CALLS the function that is its first argument
//
// The VM has a function builtin_NAME for each (src/vm/builtins_*.c), runtime/native its own function.
// clang-format off
#define INTRINSIC_TABLE(INTRINSIC)                    \
    INTRINSIC(alloc,              3, TERMS,  RETURNS) \
    INTRINSIC(free,               1, TERMS,  RETURNS) \
    INTRINSIC(object_size,        1, TERMS,  RETURNS) \
    INTRINSIC(shrink,             2, TERMS,  RETURNS) \
    INTRINSIC(extent,             1, VALUES, RETURNS) \
    INTRINSIC(position,           2, VALUES, RETURNS) \
    INTRINSIC(may_overlap,        2, TERMS,  RETURNS) \
    INTRINSIC(check_apart,        5, TERMS,  RETURNS) \
    INTRINSIC(check_read,         2, TERMS,  RETURNS) \
    INTRINSIC(unmap,              2, TERMS,  RETURNS) \
    INTRINSIC(protect,            3, TERMS,  RETURNS) \
    INTRINSIC(map_fixed,          2, VALUES, RETURNS) \
    INTRINSIC(fixed_object,       2, VALUES, RETURNS) \
    INTRINSIC(exit,               1, TERMS,  ENDS)    \
    INTRINSIC(killed,             1, VALUES, ENDS)    \
    INTRINSIC(report,             2, VALUES, ENDS)    \
    INTRINSIC(not_modelled,       1, VALUES, RETURNS) \
    INTRINSIC(gave_up,            1, VALUES, RETURNS) \
    INTRINSIC(one_of_several,     1, VALUES, RETURNS) \
    INTRINSIC(stop,               0, VALUES, ENDS)    \
    INTRINSIC(symbolic,           3, VALUES, RETURNS) \
    INTRINSIC(arrival,            3, VALUES, RETURNS) \
    INTRINSIC(assume,             1, TERMS,  RETURNS) \
    INTRINSIC(is_symbolic,        1, TERMS,  RETURNS) \
    INTRINSIC(is_symbolic_bytes,  2, VALUES, RETURNS) \
    INTRINSIC(pin,                1, TERMS,  RETURNS) \
    INTRINSIC(example,            1, TERMS,  RETURNS) \
    INTRINSIC(may_be_true,        1, TERMS,  RETURNS) \
    INTRINSIC(prefer,             1, TERMS,  RETURNS) \
    INTRINSIC(set_forking,        1, VALUES, RETURNS) \
    INTRINSIC(print_value,        2, TERMS,  RETURNS) \
    INTRINSIC(note,               1, VALUES, RETURNS) \
    INTRINSIC(choose,             1, VALUES, RETURNS) \
    INTRINSIC(event,              1, VALUES, RETURNS) \
    INTRINSIC(host_read,          4, TERMS,  RETURNS) \
    INTRINSIC(host_write,         3, TERMS,  RETURNS) \
    INTRINSIC(host_stat,          3, VALUES, RETURNS) \
    INTRINSIC(host_read_file,     4, TERMS,  RETURNS) \
    INTRINSIC(host_read_link,     3, VALUES, RETURNS) \
    INTRINSIC(host_list,          4, VALUES, RETURNS) \
    INTRINSIC(host_candidate,     4, VALUES, RETURNS) \
    INTRINSIC(host_value,         1, VALUES, RETURNS) \
    INTRINSIC(host_directory,     2, VALUES, RETURNS) \
    INTRINSIC(wants_files,        0, VALUES, RETURNS) \
    INTRINSIC(save_file,          5, VALUES, RETURNS) \
    INTRINSIC(thread_pointer,     0, VALUES, RETURNS) \
    INTRINSIC(set_thread_pointer, 1, VALUES, RETURNS) \
    INTRINSIC(setjmp,             1, VALUES, SETJMP)  \
    INTRINSIC(longjmp,            2, TERMS,  LONGJMP) \
    INTRINSIC(call3,              4, VALUES, CALLS)   \
    INTRINSIC(use,                3, VALUES, RETURNS) \
    INTRINSIC(unset,              1, VALUES, RETURNS) \
    INTRINSIC(task_thread,        4, VALUES, CALLS)   \
    INTRINSIC(task_context,       4, VALUES, CALLS)   \
    INTRINSIC(task_fork,          1, VALUES, RETURNS) \
    INTRINSIC(task_switch,        2, VALUES, RETURNS) \
    INTRINSIC(task_end,           1, VALUES, RETURNS)
// clang-format on
#define INTRINSIC_PREFIX "__tamar_"

// The object in a test that has the value of an uninitialised local variable (--uninitialised symbolic).
#define __TAMAR_UNSET_LOCAL "uninitialised local"

// The distances of __tamar_position.
enum { __TAMAR_FROM_START, __TAMAR_TO_END, __TAMAR_IN_HEAP, __TAMAR_EVEN_FREED };

// The kind of an object, for __tamar_alloc.
enum __tamar_object_kind {
    __TAMAR_HEAP = 0,   // malloc: uninitialised, subject to leak and free checks
    __TAMAR_MAPPED = 1, // mmap: zeroed, page-aligned, may be unmapped in parts
    __TAMAR_SYSTEM = 2, // the C library's own data: zeroed, not subject to the leak check
    __TAMAR_KERNEL = 3, // the kernel's data (inodes, descriptors), the same for all processes: zeroed
    __TAMAR_SHARED = 4, // as MAPPED, but shared with processes that are forked later
    __TAMAR_ZEROED = 5, // calloc: as HEAP, but zeroed
};

// The fate of the running task, for __tamar_task_switch. CONTEXT: the next task continues the running thread, with its
// thread pointer and thread-local variables.
enum __tamar_task_end {
    __TAMAR_TASK_WAITS = 0,
    __TAMAR_TASK_ENDS = 1,
    __TAMAR_PROCESS_ENDS = 2,
    __TAMAR_CONTEXT_WAITS = 3,
    __TAMAR_CONTEXT_ENDS = 4,
};

// Filled in by __tamar_host_stat.
struct __tamar_host_stat {
    unsigned long device, inode, links;
    unsigned int mode, uid, gid, is_terminal;
    unsigned long special_device, size, block_size, blocks;
    long access_time[2], modify_time[2], change_time[2]; // seconds, nanoseconds
};
_Static_assert(sizeof(struct __tamar_host_stat) == 120, "the same for interpreted and native code");

// Returns the inode number of a file or folder that exists only in a test: a hash of its absolute path, also natively.
static inline unsigned long __tamar_path_number(const char *path) {
    unsigned long hash = 14695981039346656037ul; // FNV-1a
    while (*path) hash = (hash ^ (unsigned char)*path++) * 1099511628211ul;
    return (hash >> 16) + 2;
}

// Properties of the simulated process, for __tamar_host_value.
enum __tamar_host_value {
    __TAMAR_UID = 0,
    __TAMAR_GID = 1,
    __TAMAR_UMASK = 2,
    __TAMAR_START_TIME = 3,        // seconds since 1970: the real time in `tamar exec`, else fixed
    __TAMAR_MAX_STACK = 4,         // bytes, for getrlimit
    __TAMAR_HOST_FILES = 5,        // 0: only files given by options or created by the program are visible
    __TAMAR_UNMODELLED_ERRORS = 6, // 1: unmodelled calls fail with ENOSYS instead of ending the path
    __TAMAR_INPUT_SIZE = 7,        // bytes of a libFuzzer harness's input
    __TAMAR_SOCKETS = 8,           // number of connections and datagrams from outside
    __TAMAR_FAILURES = 9,          // number of system calls that may fail
    __TAMAR_SHORT_READS = 10,      // number of reads that may return less than is available
    __TAMAR_SYMBOLIC_RANDOM = 11,  // getrandom returns symbolic bytes up to this many, then fixed ones
    __TAMAR_PEERS = 12,            // size of the peers' script in bytes
    __TAMAR_SOCKET_SIZES = 1000,   // connection i (from 0): 1000 + 2 i the least, 1001 + 2 i the most bytes
};

// The path with which __tamar_host_read_file returns the peers' script.
#define __TAMAR_PEERS_FILE "peers:"
// The peers' script (made by src/run/peers.c): a sequence of steps, each a header and
// `size` bytes. An address is four bytes and a port of two, in network byte order.
struct __tamar_peer_step {
    unsigned int kind, peer, line, size;
};
_Static_assert(sizeof(struct __tamar_peer_step) == 16, "the same for interpreted and native code");
enum __tamar_peer_kind {
    __TAMAR_PEER_NAME = 0,      // name of the peer with this number
    __TAMAR_PEER_INTERFACE = 1, // address, mask (four bytes each), hardware address (six), name
    __TAMAR_PEER_CONNECT = 2,   // the peer's address, the program's
    __TAMAR_PEER_LISTEN = 3,    // the peer's address
    __TAMAR_PEER_UDP = 4,       // the peer's address, the program's
    __TAMAR_PEER_ACCEPT = 5,
    __TAMAR_PEER_SEND = 6,     // bytes
    __TAMAR_PEER_SYMBOLIC = 7, // number of bytes, as four bytes
    __TAMAR_PEER_EXPECT = 8,   // bytes
    __TAMAR_PEER_SHUTDOWN = 9,
    __TAMAR_PEER_CLOSE = 10,
    __TAMAR_PEER_ENDS = 11,
    __TAMAR_PEER_WAIT = 12, // nanoseconds, as eight bytes
};

// The kind of a file that the program leaves behind, for __tamar_save_file.
enum __tamar_saved {
    __TAMAR_SAVED_FILE = 'f', // regular; the content follows
    __TAMAR_SAVED_TIME = 't', // follows a file: time of the last change, as two numbers: seconds, nanoseconds
    __TAMAR_SAVED_DIRECTORY = 'd',
    __TAMAR_SAVED_LINK = 'l', // symbolic link; its target is the content
    __TAMAR_SAVED_PIPE = 'p',
    __TAMAR_SAVED_REMOVED = 'x', // a file of the host that was removed
};

#endif
