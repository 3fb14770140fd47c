// LLVM's bitcode reader does not check all of its input: damaged bitcode can make it crash. While an external file is
// being read, a crash is therefore reported as a damaged file. The process then ends, since the command has only begun
// to load.
#include "base/error.h"
#include "base/run_limits.h"
#include "front/input.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#include <llvm-c/ErrorHandling.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGPROF};
static struct sigaction before[COUNT(signals)];
static stack_t stack_before;
static char message[4500];
static size_t message_length;
static uint8_t own_stack[64 * 1024];

// If LLVM's reader takes a hundred times the usual time or memory, it is in an endless loop, or uses a damaged count.
// The limits are added to the current use of the process: a program may be read again after a long run.
#define SECONDS_PER_MEGABYTE 7
#define MEMORY_PER_BYTE      400
#define MEMORY_AT_LEAST      (2ull << 30)
static uint64_t data_before;

static void limit_time(unsigned seconds) {
    struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void crashed(int signal) {
    (void)signal;
    ssize_t written = write(STDERR_FILENO, message, message_length);
    (void)written;
    _exit(EXIT_USAGE);
}

static void fatal(const char *reason) {
    (void)reason;
    crashed(0);
}

void guard_on(const char *file, size_t size) {
    int length = snprintf(message, sizeof message,
                          "tamar: %.4000s: damaged: LLVM's reader breaks on it\n"
                          "  Build the file again with clang 19 or \"tamar cc\".\n",
                          file);
    message_length = (size_t)length;
    stack_t stack = {.ss_sp = own_stack, .ss_size = sizeof own_stack};
    sigaltstack(&stack, &stack_before);
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
    for (size_t i = 0; i < COUNT(signals); i++) sigaction(signals[i], &action, &before[i]);
    LLVMInstallFatalErrorHandler(fatal);
    data_before = limits_set_data(limits_data() + MEMORY_AT_LEAST + size * MEMORY_PER_BYTE);
    limit_time(SECONDS_PER_MEGABYTE * (unsigned)(1 + (size >> 20)));
}

void guard_off(void) {
    limit_time(0);
    limits_set_data(data_before);
    LLVMResetFatalErrorHandler();
    for (size_t i = 0; i < COUNT(signals); i++) sigaction(signals[i], &before[i], NULL);
    if (!(stack_before.ss_flags & SS_DISABLE)) sigaltstack(&stack_before, NULL);
}
