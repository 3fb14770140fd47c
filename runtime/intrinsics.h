// The boundary between the interpreted C of runtime/ and the VM that interprets it.
//
// A function whose name starts with `__tamar_` and that has no body is an intrinsic: the virtual machine
// (src/vm) implements it, and runtime/native implements it again for native builds. Nothing else of the
// host is reachable from here, so this file lists all that a program under test can request from Tamar.
// boundary.h has the table of these functions, and the data that they exchange with the engine.
//
// The program's state is in its own memory (files, descriptors, signals, time): an
// intrinsic keeps no state that would have to fork, except allocation, tasks and the thread
// pointer, which are part of the VM's state. Results below zero are negated Linux error
// numbers (x86-64), as returned by system calls. Where a comment below says "concretized",
// the VM may replace a symbolic argument by one of its values, and must report the loss.
//
// Obligations of the front end:
// - The entry is `__tamar_start(long *sp)`. sp points to the initial stack, as set up by the kernel:
//   argc, argv, NULL, envp, NULL, auxv pairs, 0 0; the strings are above. No auxv entry is needed;
//   AT_PAGESZ, AT_RANDOM (16 bytes), AT_EXECFN, AT_UID and so on are used when present.
// - `__tamar_constructors(int, char **, char **)` and `__tamar_destructors(void)` are generated
//   from llvm.global_ctors (by rising priority, ties in order) and llvm.global_dtors (falling).
//   They always exist, possibly empty. argc, argv and envp are passed to each constructor.
// - main is called with (argc, argv, envp), whatever its type. In a program without main (a
//   libFuzzer harness) it is a weak name that stays null.
// - thread_local variables are in a block of the running task, initialized from the program's image.
// - Calls of setjmp, _setjmp, __setjmp become __tamar_setjmp(buffer). A call of sigsetjmp or
//   __sigsetjmp(buffer, save) becomes __tamar_sigsetjmp_prepare(buffer, save), which has a body in
//   runtime/, followed by __tamar_setjmp(buffer). longjmp and siglongjmp have bodies in runtime/.
// - memcpy, memmove and memset are lowered to one operation each. memcmp, bcmp, memchr and strlen
//   are byte loops in runtime/string.
// - An undefined weak reference (`&symbol == NULL`) stays null.
#ifndef TAMAR_INTRINSICS_H
#define TAMAR_INTRINSICS_H

#include "runtime/boundary.h"

#include <stddef.h>

#define __TAMAR_NORETURN __attribute__((noreturn))

// ---- memory
//
// One object per allocation, separated by red zones; freed addresses are not reused soon.
// Allocates `size` bytes (0 is allowed: any access is out of bounds) at a multiple of `align` (a power of
// two). Returns NULL on failure. A symbolic size gives an object with a symbolic bound, or is concretized.
void *__tamar_alloc(size_t size, size_t align, int kind);
// Frees the object that starts at `p`, which is not NULL. Reports double-free, and bad-free
// if no heap or system object starts there (stack, global, inside of an object, MAPPED).
void __tamar_free(void *p);
// Returns the size with which the object starting at `p` was allocated. Reports
// use-after-free and bad-free as __tamar_free does: realloc and malloc_usable_size use it.
size_t __tamar_object_size(const void *p);
// Restricts accesses to the first `size` bytes of the object that starts at `p`. The size
// may be symbolic, and is at most the object's. Returns the pointer to use instead of `p`.
void *__tamar_shrink(void *p, size_t size);
// Returns the size of the live object of any kind that `p` points into. Without one, reports a bad access to `p`.
size_t __tamar_extent(const void *p);
// Returns the distance of `p` from the start of the live object of any kind that it points into or just past
// (__TAMAR_FROM_START), or to its end (__TAMAR_TO_END). __TAMAR_IN_HEAP: the former, but only for objects of malloc.
// __TAMAR_EVEN_FREED: the former, also for freed objects of malloc. Returns -1 if there is no such object.
long __tamar_position(const void *p, int what);
// Whether blocks that begin at these pointers may overlap: 0 if the pointers are known to be in different objects.
int __tamar_may_overlap(const void *a, const void *b);
// Reports `overlap` if the two blocks overlap and neither is empty. The message begins with `name`.
void __tamar_check_apart(const void *to, size_t to_size, const void *from, size_t from_size,
                         const char *name);
// Reports a bad access if one of the `size` bytes at `p` must not be read.
void __tamar_check_read(const void *p, size_t size);
// Unmaps the pages [p, p+size) of mapped objects; other pages stay. Returns 0 or an error.
long __tamar_unmap(void *p, size_t size);
// Sets the protection of the pages of mapped objects in [p, p+size).
// prot: PROT_READ 1, PROT_WRITE 2, PROT_EXEC 4. Returns 0 or an error.
long __tamar_protect(void *p, size_t size, int prot);
// Maps an object at exactly this page-aligned address, replacing mapped pages there
// (MAP_FIXED). Returns 0, or -ENOMEM if anything but mapped pages is in the way.
long __tamar_map_fixed(void *p, size_t size);
// Makes an object of zero bytes at an address that nothing uses. Returns 0 or a negated error number.
long __tamar_fixed_object(void *p, size_t size);

// ---- the end of the path
//
// Ends the program with this exit status (0 to 255), after the leak check.
__TAMAR_NORETURN void __tamar_exit(int status);
// Ends the program by this signal. SIGABRT is a bug of kind `abort`; SIGSEGV, SIGFPE..
// are bugs, too; SIGTERM, SIGPIPE.. are an ordinary end with exit status 128 + signal.
__TAMAR_NORETURN void __tamar_killed(int signal);
// Reports a bug of this kind (a name of src/base/bug_kinds.h)
// at the innermost frame of user code. Ends the path.
__TAMAR_NORETURN void __tamar_report(const char *kind, const char *message);
// Reports a request that the runtime does not model; `what` names it ("system call
// 157 (prctl)"). By default the path ends with that message and the location;
// under the policy "error" it returns, and the caller fails with ENOSYS.
void __tamar_not_modelled(const char *what);
// Reports an incompleteness, once per location: a value was concretized, or a length was cut.
void __tamar_gave_up(const char *what);
// Reports that the system may choose among several behaviours of which the
// model has one. Makes the run incomplete; has no effect in a concrete run.
void __tamar_one_of_several(const char *what);
// Ends the path silently: an assumption does not hold, or the program requested it.
__TAMAR_NORETURN void __tamar_stop(void);

// ---- symbolic values (in native builds runtime/native/symbolic.c reads them from a test)
//
// Makes the `size` bytes at `p` a new symbolic object of this name; a name that is taken gets a number.
void __tamar_symbolic(void *p, size_t size, const char *name);
// As __tamar_symbolic, for inputs that the kernel model creates: the VM distinguishes them from objects that the
// program makes symbolic.
void __tamar_arrival(void *p, size_t size, const char *name);
// Restricts the path to condition != 0.
void __tamar_assume(int condition);
// Whether any bit of this value, or of these bytes, is symbolic. Never forks.
int __tamar_is_symbolic(unsigned long value);
int __tamar_is_symbolic_bytes(const void *p, size_t size);
// Returns the value of an uninitialised local variable of `size` bytes (1 to 8); called by code of the front end.
unsigned long __tamar_unset(unsigned long size);
// Concretizes: returns one value that the path allows, and makes it the only one (reported as incomplete).
unsigned long __tamar_pin(unsigned long value);
// Returns one value that the path allows, without adding a constraint (for messages).
unsigned long __tamar_example(unsigned long value);
// Returns 1 if value may be non-zero on this path.
int __tamar_may_be_true(unsigned long value);
// Prefers a test of this path in which the value is not zero. Earlier preferences come first.
void __tamar_prefer(unsigned long value);
// Switches forking of this path on or off. While it is off, each branch takes one feasible side, and the run is not
// complete.
void __tamar_set_forking(int enable);
// Prints "MESSAGE: VALUE" to Tamar's log; of a symbolic value one that the path allows, marked as an example.
void __tamar_print_value(const char *message, unsigned long value);
// Prints a message to Tamar's log.
void __tamar_note(const char *message);

// Forks into `count` paths that return 0 to count - 1; in a
// concrete run returns 0. The choices are part of the test.
unsigned int __tamar_choose(unsigned int count);
// Describes the effect of the last choice ("malloc returned NULL (ENOMEM)"), for reports.
void __tamar_event(const char *what);

// ---- the host, read-only
//
// Access the standard streams: fd is 0 for read, 1 or 2 for write. Return the number of bytes, 0 at the end. offset
// -1: the next bytes. A read with an offset is only used if __tamar_host_stat of "fd:0" reports a regular file.
long __tamar_host_read(int fd, void *buffer, size_t size, long offset);
long __tamar_host_write(int fd, const void *buffer, size_t size);

// Describes an absolute path, or a standard stream "fd:0", "fd:1",
// "fd:2". Returns -ENOENT for files that the user did not make visible.
long __tamar_host_stat(const char *path, int follow, struct __tamar_host_stat *result);
// Reads a host file from this offset; returns 0 at its end. During a run the same path gives the same bytes.
long __tamar_host_read_file(const char *path, void *buffer, size_t size, unsigned long offset);
long __tamar_host_read_link(const char *path, char *buffer, size_t size);
// Gets the name, with a NUL, of entry `index` of a directory: from 0, without "."
// and "..", sorted by name. Returns the length of the name, 0 after the last.
long __tamar_host_list(const char *path, unsigned long index, char *name, size_t size);
// As __tamar_host_list, but lists the names that a symbolic name in this directory can equal: the host's, then
// symbolic files.
long __tamar_host_candidate(const char *path, unsigned long index, char *name, size_t size);
// Returns the value `which` of enum __tamar_host_value.
long __tamar_host_value(int which);

// Gets the directory in which the program starts (absolute), like getcwd. Returns its length or an error.
long __tamar_host_directory(char *buffer, size_t size);
// __tamar_save_file saves a file that the program leaves behind; called once for each file at exit, if
// __tamar_wants_files (`tamar exec --save-files`). `kind`: enum __tamar_saved.
int __tamar_wants_files(void);
void __tamar_save_file(const char *path, int kind, unsigned int mode, const void *content, size_t size);

// ---- control
//
void *__tamar_thread_pointer(void);
void __tamar_set_thread_pointer(void *pointer);
// As in C; `buffer` has at least 64 bytes (musl's __jmp_buf) for use by the VM. A value
// 0 of longjmp becomes 1. A jump into a frame that has ended is reported as "bad-call".
int __tamar_setjmp(void *buffer) __attribute__((returns_twice));
__TAMAR_NORETURN void __tamar_longjmp(void *buffer, int value);
// Calls a function of any type with up to three arguments:
// for main and constructors, whose types vary.
int __tamar_call3(void *function, unsigned long a, unsigned long b, unsigned long c);

// Refers to functions that only the VM calls, so that they are not removed.
void __tamar_use(void *a, void *b, void *c);

// ---- tasks: threads and processes. One runs at a time; runtime/linux/task.c chooses it. The first has number 0.
// Creates a thread of the running process. When switched to, it runs function(argument), which must not return.
// `stack`: the end of its stack. Returns 0 on failure.
int __tamar_task_thread(void (*function)(void *), void *argument, void *stack, void *thread_pointer);
// Creates another stack of the running thread (a context), from `low` to `high`. When
// switched to, it runs function(argument), which must not return. Returns 0 on failure.
int __tamar_task_context(void (*function)(void *), void *argument, void *low, void *high);
// Copies the running process; the copy waits to be switched to. Returns the copy's
// number, and 0 in the copy. Memory of the kinds KERNEL and SHARED is shared by both.
// `is_image`: the copy is the start of a program for execve, not a process of the program.
int __tamar_task_fork(int is_image);
// Switches to a waiting task; this one waits or ends (`ends`: enum __tamar_task_end; then it does not return).
void __tamar_task_switch(int task, int ends);
// Ends a waiting task of the running process.
void __tamar_task_end(int task);

// Checks that the table of intrinsics (boundary.h) has the numbers of arguments that are declared here.
#define __TAMAR_ARGUMENTS_0
#define __TAMAR_ARGUMENTS_1 0
#define __TAMAR_ARGUMENTS_2 0, 0
#define __TAMAR_ARGUMENTS_3 0, 0, 0
#define __TAMAR_ARGUMENTS_4 0, 0, 0, 0
#define __TAMAR_ARGUMENTS_5 0, 0, 0, 0, 0
#define __TAMAR_DECLARED(name, count, symbolic, flow)                                                        \
    typedef __typeof__(__tamar_##name(__TAMAR_ARGUMENTS_##count)) __tamar_result_of_##name;
INTRINSIC_TABLE(__TAMAR_DECLARED)

// ---- with bodies, in runtime/
//
__TAMAR_NORETURN void __tamar_start(long *sp);
void __tamar_sigsetjmp_prepare(void *buffer, int save);
// Replace a function without a body, under the policy "error": errno becomes ENOSYS,
// the result is -1, or zero for types without an error value (pointers, floats).
long __tamar_undefined_long(void);
int __tamar_undefined_int(void);
void *__tamar_undefined_zero(void);
long __tamar_syscall(long n, long a, long b, long c, long d, long e, long f);

void __tamar_constructors(int argc, char **argv, char **envp); // generated by the front end
void __tamar_destructors(void);                                // generated by the front end

#endif
