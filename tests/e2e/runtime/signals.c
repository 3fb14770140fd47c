// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

static volatile int count;
static sigjmp_buf back;

static void handle(int signal) {
    count++;
    printf("   signal %d\n", signal);
}
static void nested(int signal) {
    printf("   in %d\n", signal);
    if (signal == SIGUSR1 && count++ == 0) {
        raise(SIGUSR2);
        raise(SIGUSR1); // blocked until we return
    }
    printf("   out %d\n", signal);
}
static void with_information(int signal, siginfo_t *info, void *context) {
    printf("   %d %d %d\n", signal, info->si_signo, context != NULL);
}
static void jump(int signal) { siglongjmp(back, signal); }

static void handlers(void) {
    struct sigaction action = {.sa_handler = handle}, old;
    T(sigaction(SIGUSR1, &action, &old));
    T(old.sa_handler == SIG_DFL);
    T(raise(SIGUSR1));
    T(kill(getpid(), SIGUSR1));
    T(sigaction(SIGKILL, &action, NULL));
    T(sigaction(99, &action, NULL));
    T(kill(getpid(), 0));
    T(kill(getpid(), 999));
    action.sa_flags = SA_RESETHAND;
    T(sigaction(SIGUSR1, &action, NULL));
    T(raise(SIGUSR1));
    T(sigaction(SIGUSR1, NULL, &old));
    T(old.sa_handler == SIG_DFL);
    action = (struct sigaction){.sa_sigaction = with_information, .sa_flags = SA_SIGINFO};
    T(sigaction(SIGUSR2, &action, NULL));
    T(raise(SIGUSR2));
    T(raise(SIGCHLD));
    signal(SIGUSR1, SIG_IGN);
    T(raise(SIGUSR1));
}

static void masks(void) {
    sigset_t set, old;
    signal(SIGUSR1, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    T(sigprocmask(SIG_BLOCK, &set, &old));
    T(sigismember(&old, SIGUSR1));
    T(raise(SIGUSR1));
    T(raise(SIGUSR1));
    T(sigpending(&old));
    T(sigismember(&old, SIGUSR1));
    T(sigprocmask(SIG_UNBLOCK, &set, NULL));
    T(count);
    T(sigprocmask(99, &set, NULL));
    T(sigprocmask(SIG_BLOCK, &set, NULL));
    T(raise(SIGUSR1));
    sigemptyset(&old);
    T(sigsuspend(&old));
    int got;
    T(raise(SIGUSR1));
    T(sigwait(&set, &got));
    T(got);
    T(sigtimedwait(&set, NULL, &(struct timespec){0, 1000}));
    T(sigprocmask(SIG_UNBLOCK, &set, NULL));
}

static void jumping(void) {
    sigset_t mask;
    count = 0;
    signal(SIGUSR1, nested);
    signal(SIGUSR2, nested);
    T(raise(SIGUSR1));
    signal(SIGUSR1, jump);
    int value = sigsetjmp(back, 1);
    printf("   jumped with %d\n", value);
    if (!value) raise(SIGUSR1);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    T(sigismember(&mask, SIGUSR1));
    value = sigsetjmp(back, 0);
    printf("   jumped with %d\n", value);
    if (!value) raise(SIGUSR1);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    T(sigismember(&mask, SIGUSR1));
}

static void alarms(void) {
    signal(SIGALRM, handle);
    T(alarm(1));
    T(alarm(1));
    T(pause());
    T(alarm(0));
    struct itimerval timer = {.it_value = {0, 20000}};
    T(setitimer(ITIMER_REAL, &timer, NULL));
    struct timespec rest;
    T(nanosleep(&(struct timespec){5, 0}, &rest));
    T(rest.tv_sec);
    T(nanosleep(&(struct timespec){0, 1000}, &rest));
    T(nanosleep(&(struct timespec){0, 2000000000}, &rest));
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    handlers();
    masks();
    jumping();
    alarms();
    signal(SIGTERM, SIG_DFL);
    fflush(stdout);
    raise(SIGTERM);
    puts("not reached");
    return 0;
}
