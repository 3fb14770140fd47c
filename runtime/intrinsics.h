// The boundary between the interpreted C of runtime/ and the machine that interprets it.
//
// A function whose name starts with `__tamar_` and that has no body is an intrinsic: the virtual machine
// (src/vm) implements it, and runtime/native implements it once more for native builds. Nothing else of the
// host is reachable from here, so this page is the whole list of what a program under test can ask of Tamar.
// boundary.h has the table of these functions, and what they exchange with the engine.
//
// The program's state is all in its own memory (files, descriptors, signals, time): an intrinsic keeps no
// state that would have to fork, except allocation, tasks and the thread pointer, which are part of the
// machine's state. Results below zero are negated Linux error numbers (x86-64), as system calls return them. Where an
// argument is symbolic and the meaning below says "pinned", the machine may pick a value and must note that
// it did.
//
// What the front end owes to the runtime:
// - The entry is `__tamar_start(long *sp)`. sp points to what the kernel leaves on a new stack:
//   argc, argv, NULL, envp, NULL, auxv pairs, 0 0; the strings lie above. No auxv entry is needed;
//   AT_PAGESZ, AT_RANDOM (16 bytes), AT_EXECFN, AT_UID and so on are used when present.
// - `__tamar_constructors(int, char **, char **)` and `__tamar_destructors(void)` are generated
//   from llvm.global_ctors (by rising priority, ties in order) and llvm.global_dtors (falling).
//   They always exist, possibly empty. argc, argv and envp are passed to each constructor.
// - main is called with (argc, argv, envp) whatever its type says. In a program without main (a
//   libFuzzer harness) it is a weak name that stays null.
// - thread_local variables lie in a block of the running task, as the program's image of them says.
// - Calls of setjmp, _setjmp, __setjmp become __tamar_setjmp(buffer). A call of sigsetjmp or
//   __sigsetjmp(buffer, save) becomes __tamar_sigsetjmp_prepare(buffer, save), which has a body in
//   runtime/, followed by __tamar_setjmp(buffer). longjmp and siglongjmp have bodies in runtime/.
// - memcpy, memmove, memset, memcmp, bcmp, memchr, strlen have plain bodies in runtime/; the
//   machine may take over such a call as a whole when the arguments are concrete.
// - An undefined weak reference (`&symbol == NULL`) stays null.
#ifndef TAMAR_INTRINSICS_H
#define TAMAR_INTRINSICS_H

#include "runtime/boundary.h"

#include <stddef.h>

#define __TAMAR_NORETURN __attribute__((noreturn))

// ---- memory
// ------------------------------------------------------------------------------------------------- One
// object per allocation, separated by red zones; freed addresses are not reused soon.
// An object of `size` bytes (0 is allowed: any access is out of bounds) at a multiple of `align` (a power of
// two). NULL when it cannot be had. A symbolic size gives an object with a symbolic bound, or is pinned.
void *__tamar_alloc(size_t size, size_t align, int kind);
// Ends the object that starts at `p`. `p` not NULL. Reports double-free, bad-free (no start of a heap or
// system object: stack, global, inside of an object, MAPPED).
void __tamar_free(void *p);
// The size that the object starting at `p` was allocated with. Reports use-after-free and bad-free as
// __tamar_free does: realloc and malloc_usable_size rest on it.
size_t __tamar_object_size(const void *p);
// The object that starts at `p`, of which only the first `size` bytes may be used from here on; the size may be symbolic, and is not
// above the object's. The result takes the place of `p`.
void *__tamar_shrink(void *p, size_t size);
// The size of the live object, of whatever kind, that `p` points into. Reports an access to `p` where there is none.
size_t __tamar_extent(const void *p);
// Pages [p, p+size) of mapped objects are gone; other pages in the range are left alone. 0 or an error.
long __tamar_unmap(void *p, size_t size);
// prot: PROT_READ 1, PROT_WRITE 2, PROT_EXEC 4, for the pages of mapped objects in [p, p+size). 0 or an
// error.
long __tamar_protect(void *p, size_t size, int prot);
// A mapped object at exactly this page-aligned address, replacing what mapped pages were there (MAP_FIXED).
// 0, or -ENOMEM where anything but mapped pages is in the way.
long __tamar_map_fixed(void *p, size_t size);

// ---- the end of the path
// ------------------------------------------------------------------------------------ The program ends with
// this exit status (0 to 255). Leak checks run here.
__TAMAR_NORETURN void __tamar_exit(int status);
// The program is ended by this signal (SIGABRT: bug kind `abort`; SIGSEGV, SIGFPE.. likewise; SIGTERM,
// SIGPIPE.. are an ordinary end: the exit status is 128 + signal).
__TAMAR_NORETURN void __tamar_killed(int signal);
// A bug of this kind (a name of src/base/bug_kinds.h) at the innermost frame that is not
// the runtime's. Ends the path.
__TAMAR_NORETURN void __tamar_report(const char *kind, const char *message);
// Something that the runtime does not model is wanted; `what` names it ("system call 157 (prctl)"). By
// default the path ends with that message and the place; under the policy "error" it returns, and the caller
// fails with ENOSYS.
void __tamar_not_modelled(const char *what);
// Worth telling the user, once per place: something was given up (a value pinned, a length cut).
void __tamar_gave_up(const char *what);
// The system may choose among several behaviours, of which the model has one. Makes a run incomplete; says nothing in a concrete
// run.
void __tamar_one_of_several(const char *what);
// The path ends here silently: an assumption does not hold, or the program asked for it.
__TAMAR_NORETURN void __tamar_stop(void);

// ---- symbolic values (natively: runtime/native/symbolic.c reads them from a test)
// ------------------------------ The `size` bytes at `p` become a new input object of this name (made unique
// when it is taken).
void __tamar_symbolic(void *p, size_t size, const char *name);
// The same for what the kernel itself makes symbolic, so that a program that calls the first is known by it.
void __tamar_arrival(void *p, size_t size, const char *name);
// The path goes on only where condition != 0.
void __tamar_assume(int condition);
// Is any bit of this value, or of these bytes, symbolic? Never forks.
int __tamar_is_symbolic(unsigned long value);
int __tamar_is_symbolic_bytes(const void *p, size_t size);
// The value of a local variable of so many bytes (1 to 8) before the program has given it one: the front end calls it.
unsigned long __tamar_unset(unsigned long size);
// A value that the path allows, and from here on the only one (counted as given up).
unsigned long __tamar_pin(unsigned long value);
// A value that the path allows, without restricting it (for messages).
unsigned long __tamar_example(unsigned long value);
// 1 if value may be non-zero on this path.
int __tamar_may_be_true(unsigned long value);
// Prints "MESSAGE: the value or expression" to Tamar's log.
void __tamar_print_value(const char *message, unsigned long value);
// A comment in the test case / a named mark in the log.
void __tamar_note(const char *message);

// One of `count` possibilities, 0 to count - 1, each as a path of its own; in a concrete run 0. The choices are
// part of the test.
unsigned int __tamar_choose(unsigned int count);
// What came of such a choice ("malloc returned NULL (ENOMEM)"), for reports.
void __tamar_event(const char *what);

// ---- the host, read-only
// ------------------------------------------------------------------------------------- Standard streams: fd
// is 0 for read, 1 or 2 for write. offset -1: the next bytes. A read with an offset is only used when
// __tamar_host_stat of "fd:0" says that it is a regular file. Bytes done, 0 at the end.
long __tamar_host_read(int fd, void *buffer, size_t size, long offset);
long __tamar_host_write(int fd, const void *buffer, size_t size);

// Of an absolute path, or of the standard streams "fd:0", "fd:1", "fd:2". Fails with -ENOENT for what the
// user did not make visible.
long __tamar_host_stat(const char *path, int follow, struct __tamar_host_stat *result);
// Bytes of a host file from this offset; 0 at its end. The same path gives the same bytes for a whole run.
long __tamar_host_read_file(const char *path, void *buffer, size_t size, unsigned long offset);
long __tamar_host_read_link(const char *path, char *buffer, size_t size);
// Entry number `index` (from 0, without "." and "..", sorted by name) of a directory: its name with NUL. The
// result is the length of the name, 0 after the last.
long __tamar_host_list(const char *path, unsigned long index, char *name, size_t size);
// The same of the names that a symbolic name in this directory can be: what the host has, then symbolic files.
long __tamar_host_candidate(const char *path, unsigned long index, char *name, size_t size);
// `which`: enum __tamar_host_value.
long __tamar_host_value(int which);

// The directory in which the program starts (absolute), as for getcwd: length, or an error.
long __tamar_host_directory(char *buffer, size_t size);
// A file that the program leaves behind (`tamar exec --save-files`), told once for each file at exit.
// `kind`: enum __tamar_saved.
int __tamar_wants_files(void);
void __tamar_save_file(const char *path, int kind, unsigned int mode, const void *content, size_t size);

// ---- control
// -------------------------------------------------------------------------------------------------
void *__tamar_thread_pointer(void);
void __tamar_set_thread_pointer(void *pointer);
// buffer: at least 64 bytes (musl's __jmp_buf), of which the machine uses what it likes. As C says; longjmp's
// value 0 becomes 1. Returning into a frame that has ended is reported as "bad-call".
int __tamar_setjmp(void *buffer) __attribute__((returns_twice));
__TAMAR_NORETURN void __tamar_longjmp(void *buffer, int value);
// Calls the function (a pointer of any type) with up to three arguments: for main and constructors, whose
// types vary.
int __tamar_call3(void *function, unsigned long a, unsigned long b, unsigned long c);

// Names functions that only the machine calls.
void __tamar_use(void *a, void *b, void *c);

// ---- tasks: threads and processes. One runs at a time; runtime/linux/task.c says which. The first has number 0.
// A thread of the running process, which waits to be switched to; then function(argument) runs, which must not
// return. `stack`: the end of its stack. 0 when it cannot be had.
int __tamar_task_thread(void (*function)(void *), void *argument, void *stack, void *thread_pointer);
// A copy of the running process, which waits to be switched to: its number, and 0 in the copy. Memory of the
// kinds KERNEL and SHARED stays common to both.
int __tamar_task_fork(void);
// The waiting task goes on; this one waits, or ends (`ends`: enum __tamar_task_end; the call does not return).
void __tamar_task_switch(int task, int ends);
// A waiting task of the running process will never go on.
void __tamar_task_end(int task);

// The table of the intrinsics (boundary.h) has as many arguments for each as are declared here.
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
// ---------------------------------------------------------------------------------
__TAMAR_NORETURN void __tamar_start(long *sp);
void __tamar_sigsetjmp_prepare(void *buffer, int save);
// In the place of a function without a body, under the policy "error": errno is ENOSYS, the result -1, or zero
// where that is no result for an error (pointers, floats).
long __tamar_undefined_long(void);
int __tamar_undefined_int(void);
void *__tamar_undefined_zero(void);
long __tamar_syscall(long n, long a, long b, long c, long d, long e, long f);

void __tamar_constructors(int argc, char **argv, char **envp); // generated by the front end
void __tamar_destructors(void);                                // generated by the front end

#endif
