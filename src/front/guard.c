// LLVM's reader believes its input in places: damaged bitcode can make it crash instead of fail. While a file
// from outside is being read, a crash means that the file is damaged, and is said so; there is nothing to
// return to, since loading is all that the command has done so far.
#include "base/error.h"
#include "front/input.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <llvm-c/ErrorHandling.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGXCPU, SIGALRM};
static struct sigaction before[COUNT(signals)];
static stack_t stack_before;
static char message[4500];
static size_t message_length;
static uint8_t own_stack[64 * 1024];

#define LONGEST_READ 120 // seconds: a reader that takes longer runs in circles

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

void guard_on(const char *file) {
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
    alarm(LONGEST_READ);
}

void guard_off(void) {
    alarm(0);
    LLVMResetFatalErrorHandler();
    for (size_t i = 0; i < COUNT(signals); i++) sigaction(signals[i], &before[i], NULL);
    if (!(stack_before.ss_flags & SS_DISABLE)) sigaltstack(&stack_before, NULL);
}
