// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

static int variable = 5;

static void status_of(int status) {
    if (WIFEXITED(status)) printf("   exited %d\n", WEXITSTATUS(status));
    if (WIFSIGNALED(status)) printf("   signal %d\n", WTERMSIG(status));
}

// Output of the child before it waits and output of the parent could come in any order. So children print nothing
// themselves; they write to pipes.
static void answers(void) {
    int up[2], down[2], status;
    char buffer[32] = "";
    T(pipe(up));
    T(pipe(down));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        variable = 7;
        close(down[1]);
        close(up[0]);
        long n = read(down[0], buffer, sizeof buffer); // comes after the fork
        buffer[n] = (char)('0' + variable);
        write(up[1], buffer, (size_t)n + 1);
        _exit(3);
    }
    T(close(down[0]));
    T(close(up[1]));
    T(write(down[1], "question", 8));
    T(read(up[0], buffer, sizeof buffer));
    puts(buffer);
    T(read(up[0], buffer, sizeof buffer)); // its end
    T(waitpid(child, &status, 0) == child);
    status_of(status);
    T(waitpid(child, &status, 0));
    T(variable);
    T(close(up[0]));
    T(close(down[1]));
}

static void many(void) {
    int ends[2], sum = 0, status;
    unsigned char byte;
    T(pipe(ends));
    fflush(stdout);
    for (unsigned char i = 0; i < 10; i++)
        if (fork() == 0) {
            write(ends[1], &i, 1);
            _exit(i);
        }
    close(ends[1]);
    while (read(ends[0], &byte, 1) == 1) sum += byte;
    T(sum);
    sum = 0;
    for (int i = 0; i < 10; i++) {
        if (wait(&status) < 0) break;
        sum += WEXITSTATUS(status);
    }
    T(sum);
    T(wait(&status));
    close(ends[0]);
}

static void killed(void) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        for (;;) pause();
    T(waitpid(child, &status, WNOHANG));
    T(kill(child, SIGUSR1));
    T(waitpid(child, &status, 0) == child);
    status_of(status);
    T(kill(child, 0));
    child = fork();
    if (child == 0) {
        raise(SIGTERM);
        _exit(1);
    }
    T(waitpid(-1, &status, 0) == child);
    status_of(status);
}

static volatile int caught;
static void on_child(int signal) { caught++; }

static void noticed(void) {
    int status;
    siginfo_t info;
    struct sigaction action = {.sa_handler = on_child};
    sigset_t block, old;
    sigemptyset(&block);
    sigaddset(&block, SIGCHLD);
    T(sigprocmask(SIG_BLOCK, &block, &old));
    T(sigaction(SIGCHLD, &action, NULL));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(9);
    while (!caught) sigsuspend(&old);
    T(caught);
    T(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
    printf("   %d %d %d\n", info.si_pid == child, info.si_code == CLD_EXITED, info.si_status);
    T(waitpid(child, &status, 0) == child);
    T(sigprocmask(SIG_SETMASK, &old, NULL));
    signal(SIGCHLD, SIG_IGN);
    child = fork();
    if (child == 0) _exit(1);
    T(waitpid(child, &status, 0));
    signal(SIGCHLD, SIG_DFL);
}

static void shared(void) {
    int status;
    volatile int *common = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    volatile int *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    T(common != MAP_FAILED && own != MAP_FAILED);
    fflush(stdout);
    if (fork() == 0) {
        *common = 11;
        *own = 12;
        munmap((void *)common, 4096);
        _exit(0);
    }
    T(wait(&status) > 0);
    T(*common);
    T(*own);
    T(munmap((void *)common, 4096));
}

// Parent and child share the offset of an open file, but not the descriptor.
static void offsets(void) {
    int status, fd = open("common", O_RDWR | O_CREAT | O_TRUNC, 0600);
    char buffer[32] = "";
    T(fd >= 0);
    T(write(fd, "first ", 6));
    fflush(stdout);
    if (fork() == 0) {
        write(fd, "child ", 6);
        close(fd);
        int other = open("of-child", O_WRONLY | O_CREAT, 0600);
        _exit(other == fd ? 0 : 1);
    }
    T(wait(&status) > 0);
    status_of(status);
    T(lseek(fd, 0, SEEK_CUR));
    T(write(fd, "last", 4));
    T(pread(fd, buffer, 16, 0));
    puts(buffer);
    T(access("of-child", F_OK));
    T(unlink("common"));
    T(unlink("of-child"));
    close(fd);
}

static void groups(void) {
    int status;
    T(getpid() != getppid());
    fflush(stdout);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        int good = getppid() == parent && getpgrp() == getpgid(parent) && setsid() == getpid() &&
                   getsid(0) == getpid() && getpgrp() == getpid() && setsid() == -1;
        _exit(good ? 0 : 1);
    }
    T(waitpid(child, &status, 0) == child);
    status_of(status);
    T(wait4(12345678, &status, 0, NULL));
}

static void named(void) {
    int status;
    char buffer[8] = "";
    T(mkfifo("fifo", 0600));
    fflush(stdout);
    if (fork() == 0) {
        int fd = open("fifo", O_WRONLY); // until somebody reads
        write(fd, "named", 5);
        _exit(fd < 0);
    }
    int fd = open("fifo", O_RDONLY);
    T(fd >= 0);
    T(read(fd, buffer, 8));
    puts(buffer);
    T(read(fd, buffer, 8));
    T(wait(&status) > 0);
    T(close(fd));
    T(open("fifo", O_WRONLY | O_NONBLOCK));
    T(unlink("fifo"));
}

// Writes more than a pipe holds, while the reader waits in between.
static void large(void) {
    static char block[200000];
    int ends[2], status;
    long total = 0, n;
    T(pipe(ends));
    fflush(stdout);
    if (fork() == 0) {
        close(ends[0]);
        memset(block, 'x', sizeof block);
        _exit(write(ends[1], block, sizeof block) != sizeof block);
    }
    close(ends[1]);
    while ((n = read(ends[0], block, 5000)) > 0) total += n;
    T(total);
    T(wait(&status) > 0);
    status_of(status);
    close(ends[0]);
}

int main(void) {
    answers();
    many();
    killed();
    noticed();
    shared();
    offsets();
    groups();
    named();
    large();
    return 0;
}
