// Every function of src/cover/failing_calls.h fails on some path of --fail 1, so that the advice of the summary helps.
// RUN: rm -rf %t.out && status 3 %tamar run --fail 1 --emit all --out %t.out %s >%t.log
// RUN: cat %t.out/tests/*/stderr | sort -u >%t.failed
// RUN: sed -n 's/^    CALL(\([a-z0-9_]*\), .*/\1/p' %S/../../../src/cover/failing_calls.h | sort >%t.listed
// RUN: test -s %t.listed && diff %t.listed %t.failed
// REQUIRES: run
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAILED(name)                                                                                         \
    do {                                                                                                     \
        write(2, #name "\n", sizeof #name);                                                                  \
        exit(0);                                                                                             \
    } while (0)
#define POINTER(name, ...)                                                                                   \
    if (!(name(__VA_ARGS__))) FAILED(name)
#define NUMBER(name, ...)                                                                                    \
    if ((long)name(__VA_ARGS__) == -1) FAILED(name)
#define KEEP(where, name, ...)                                                                               \
    if ((where = name(__VA_ARGS__)) == -1) FAILED(name)

static int print(char **to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int result = vasprintf(to, format, list);
    va_end(list);
    return result;
}

static void memory(void) {
    char *text;
    void *block;
    POINTER(malloc, 3);
    POINTER(calloc, 1, 3);
    POINTER(realloc, NULL, 3);
    POINTER(reallocarray, NULL, 1, 3);
    POINTER(aligned_alloc, 16, 16);
    if (posix_memalign(&block, 16, 16)) FAILED(posix_memalign);
    POINTER(strdup, "a");
    POINTER(strndup, "a", 1);
    NUMBER(asprintf, &text, "a");
    if (print(&text, "a") == -1) FAILED(vasprintf);
    if ((block = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) == MAP_FAILED) FAILED(mmap);
    NUMBER(mremap, block, 4096, 8192, MREMAP_MAYMOVE);
}

static void data(struct iovec *part) {
    int f;
    char byte;
    KEEP(f, creat, "f", 0600);
    KEEP(f, open, "f", O_RDWR);
    NUMBER(openat, AT_FDCWD, "f", O_RDWR);
    NUMBER(write, f, "abc", 3);
    NUMBER(pwrite, f, "abc", 3, 0);
    NUMBER(pread, f, &byte, 1, 0);
    NUMBER(read, f, &byte, 1);
    NUMBER(readv, f, part, 1);
    NUMBER(writev, f, part, 1);
    NUMBER(ftruncate, f, 1);
    NUMBER(truncate, "f", 2);
    NUMBER(fsync, f);
    NUMBER(fdatasync, f);
    NUMBER(close, f);
}

static void streams(void) {
    FILE *stream;
    if (!(stream = fopen("f", "r+"))) FAILED(fopen);
    fputs("x", stream);
    NUMBER(fflush, stream);
    NUMBER(fclose, stream);
    if (!(stream = fdopen(1, "w"))) FAILED(fdopen);
    POINTER(freopen, "f", "r", stream);
    POINTER(tmpfile);
    char name[] = "xxXXXXXX", folder[] = "yyXXXXXX";
    NUMBER(mkstemp, name);
    POINTER(mkdtemp, folder);
}

static void descriptors(void) {
    int ends[2], events;
    struct epoll_event event = {EPOLLIN};
    NUMBER(pipe, ends);
    NUMBER(pipe2, ends, 0);
    NUMBER(dup, 0);
    NUMBER(dup2, 0, 20);
    NUMBER(dup3, 0, 21, 0);
    NUMBER(epoll_create, 1);
    KEEP(events, epoll_create1, 0);
    NUMBER(epoll_ctl, events, EPOLL_CTL_ADD, ends[0], &event);
    NUMBER(eventfd, 0, 0);
    NUMBER(timerfd_create, CLOCK_MONOTONIC, 0);
    NUMBER(poll, &(struct pollfd){0, POLLIN}, 1, 0);
    NUMBER(select, 0, NULL, NULL, NULL, &(struct timeval){0});
    NUMBER(nanosleep, &(struct timespec){0, 1}, NULL);
    NUMBER(usleep, 1);
}

static void names(void) {
    struct stat found;
    struct statx more;
    DIR *folder;
    NUMBER(stat, "f", &found);
    NUMBER(lstat, "f", &found);
    NUMBER(fstatat, AT_FDCWD, "f", &found, 0);
    NUMBER(statx, AT_FDCWD, "f", 0, STATX_SIZE, &more);
    NUMBER(mkdir, "d", 0700);
    NUMBER(mkdirat, AT_FDCWD, "e", 0700);
    NUMBER(rmdir, "d");
    NUMBER(link, "f", "l");
    NUMBER(linkat, AT_FDCWD, "f", AT_FDCWD, "m", 0);
    NUMBER(symlink, "f", "s");
    NUMBER(symlinkat, "f", AT_FDCWD, "t");
    NUMBER(rename, "l", "k");
    NUMBER(renameat, AT_FDCWD, "k", AT_FDCWD, "l");
    NUMBER(renameat2, AT_FDCWD, "l", AT_FDCWD, "k", 0);
    NUMBER(unlink, "k");
    NUMBER(unlinkat, AT_FDCWD, "m", 0);
    NUMBER(remove, "s");
    if (!(folder = opendir("."))) FAILED(opendir);
    POINTER(readdir, folder);
    NUMBER(closedir, folder);
    NUMBER(chdir, "e");
}

static void sockets(struct iovec *part) {
    int listener, client, ends[2];
    char byte;
    struct sockaddr_un at = {AF_UNIX, "at"};
    struct msghdr message = {.msg_iov = part, .msg_iovlen = 1};
    KEEP(listener, socket, AF_UNIX, SOCK_STREAM, 0);
    NUMBER(bind, listener, (void *)&at, sizeof at);
    NUMBER(listen, listener, 5);
    NUMBER(socketpair, AF_UNIX, SOCK_STREAM, 0, ends);
    NUMBER(send, ends[0], "abcd", 4, 0);
    NUMBER(sendto, ends[0], "abcd", 4, 0, NULL, 0);
    NUMBER(sendmsg, ends[0], &message, 0);
    NUMBER(recv, ends[1], &byte, 1, 0);
    NUMBER(recvfrom, ends[1], &byte, 1, 0, NULL, NULL);
    NUMBER(recvmsg, ends[1], &message, 0);
    KEEP(client, socket, AF_UNIX, SOCK_STREAM, 0);
    NUMBER(connect, client, (void *)&at, sizeof at);
    NUMBER(accept, listener, NULL, NULL);
    client = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(client, (void *)&at, sizeof at);
    NUMBER(accept4, listener, NULL, NULL, 0);
}

static void handle(int signal) {}

int main(void) {
    char byte = 'a';
    struct iovec part = {&byte, 1};
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = handle}, NULL); // EINTR is possible
    memory();
    data(&part);
    streams();
    descriptors();
    names();
    sockets(&part);
    NUMBER(setuid, getuid());
    NUMBER(setgid, getgid());
    int child;
    KEEP(child, vfork);
    if (!child) _exit(0);
    KEEP(child, fork);
    if (!child) _exit(0);
    return 0;
}
