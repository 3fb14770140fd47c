// Data from outside, in builds for the host's C library (linked with --wrap, see src/run/replay_build.c).
//
// The bytes are in the test (objects socket1, socket2, ...), as in the kernel model (runtime/linux/socket.c). In the
// sandbox's own network every address is local: sockets of this process act as the remote side, with the model's
// addresses, so that the program's sockets are real. Data arrives when the program is about to wait for it. If it
// waits after all data has arrived, it is idle, and is ended as in the model: by SIGTERM, then by SIGKILL.
#include "runtime/intrinsics.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_SOCKETS = 256, FAR_SIDE = 600, QUIET = 300, MOST_QUIET = 900, FIRST_PORT = 40000 };

// Descriptors of the program that may receive data from outside.
static struct {
    int fd;
    int listens; // otherwise: datagrams
} waiting[MOST_SOCKETS];
static unsigned int waiting_count;
static unsigned int used; // number of arrivals so far
static int far_sides[MOST_SOCKETS];
static unsigned int far_count;
static int quiet, asked; // milliseconds without activity; SIGTERM was sent

int __real_listen(int fd, int backlog);
int __real_bind(int fd, const struct sockaddr *name, socklen_t size);
int __real_connect(int fd, const struct sockaddr *name, socklen_t size);
int __real_accept(int fd, struct sockaddr *name, socklen_t *size);
int __real_accept4(int fd, struct sockaddr *name, socklen_t *size, int flags);
int __real_poll(struct pollfd *at, nfds_t count, int timeout);
int __real_select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout);
int __real_epoll_wait(int fd, struct epoll_event *events, int most, int timeout);
ssize_t __real_recv(int fd, void *buffer, size_t size, int flags);
ssize_t __real_recvfrom(int fd, void *buffer, size_t size, int flags, struct sockaddr *name,
                        socklen_t *length);
ssize_t __real_recvmsg(int fd, struct msghdr *message, int flags);
ssize_t __real_read(int fd, void *buffer, size_t size);
ssize_t __real_sendto(int fd, const void *buffer, size_t size, int flags, const struct sockaddr *name,
                      socklen_t length);

// ---- arrivals

// Gets the least and the most bytes of an arrival from TAMAR_SOCKETS. Returns 0 if there is none of this number.
static int limits_of(unsigned int number, unsigned int *least, unsigned int *most) {
    const char *list = getenv("TAMAR_SOCKETS");
    char *end;
    for (unsigned int i = 1; list && *list; i++) {
        *least = (unsigned int)strtoul(list, &end, 10);
        *most = (unsigned int)strtoul(end, &end, 10);
        if (i == number) return 1;
        list = end;
    }
    return 0;
}

static int is_left(void) {
    unsigned int least, most;
    return limits_of(used + 1, &least, &most);
}

static unsigned char *next_arrival(size_t *size) {
    unsigned int least, most, length;
    char name[32];
    if (!limits_of(++used, &least, &most)) return NULL;
    length = most;
    if (least < most) {
        snprintf(name, sizeof name, "socket%u-length", used);
        __tamar_symbolic(&length, sizeof length, name);
        if (length > most) length = most;
    }
    unsigned char *bytes = malloc(most ? most : 1);
    snprintf(name, sizeof name, "socket%u", used);
    if (bytes) __tamar_symbolic(bytes, most, name);
    *size = length;
    return bytes;
}

// ---- the remote side

// Moves a descriptor to a number that the program does not use.
static int keep_aside(int fd) {
    int high = fcntl(fd, F_DUPFD_CLOEXEC, FAR_SIDE);
    if (high >= 0) close(fd);
    if (high < 0) high = fd;
    if (far_count < MOST_SOCKETS) far_sides[far_count++] = high;
    return high;
}

// Discards the bytes that the program has sent.
static void drain(void) {
    char nowhere[4096];
    int saved = errno;
    for (unsigned int i = 0; i < far_count; i++)
        while (__real_recv(far_sides[i], nowhere, sizeof nowhere, MSG_DONTWAIT) > 0) {}
    errno = saved;
}

static socklen_t far_name(int family, struct sockaddr_storage *name) {
    memset(name, 0, sizeof *name);
    struct sockaddr_in *in = (struct sockaddr_in *)name;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)name;
    name->ss_family = (sa_family_t)family;
    if (family == AF_INET) {
        in->sin_port = htons((in_port_t)(FIRST_PORT + used));
        in->sin_addr.s_addr = htonl(0xc0000201);
        return sizeof *in;
    }
    in6->sin6_port = htons((in_port_t)(FIRST_PORT + used));
    memcpy(&in6->sin6_addr, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1", 16);
    return sizeof *in6;
}

// Returns the address of the program's socket: a wildcard address becomes the loopback's.
static socklen_t near_name(int fd, struct sockaddr_storage *name) {
    socklen_t size = sizeof *name;
    struct sockaddr_in *in = (struct sockaddr_in *)name;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)name;
    if (getsockname(fd, (struct sockaddr *)name, &size) != 0) return 0;
    if (name->ss_family == AF_INET && in->sin_addr.s_addr == INADDR_ANY)
        in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (name->ss_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&in6->sin6_addr))
        in6->sin6_addr = in6addr_loopback;
    return name->ss_family == AF_INET || name->ss_family == AF_INET6 ? size : 0;
}

static void send_all(int fd, const unsigned char *bytes, size_t size) {
    while (size) {
        ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);
        if (n <= 0) return;
        bytes += n, size -= (size_t)n;
    }
}

// Connects to a listening socket and sends all data of the connection.
static void arrive_connection(int fd) {
    struct sockaddr_storage near, far;
    size_t size = 0;
    socklen_t near_size = near_name(fd, &near);
    if (!near_size) return;
    unsigned char *bytes = next_arrival(&size);
    int client = keep_aside(socket(near.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0)), on = 1;
    setsockopt(client, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    socklen_t far_size = far_name(near.ss_family, &far);
    __real_bind(client, (struct sockaddr *)&far, far_size);
    if (bytes && __real_connect(client, (struct sockaddr *)&near, near_size) == 0)
        send_all(client, bytes, size);
    shutdown(client, SHUT_WR);
    free(bytes);
}

// Sends a datagram to a bound socket; from its peer if it has one.
static void arrive_datagram(int fd) {
    struct sockaddr_storage near, far;
    socklen_t near_size = near_name(fd, &near), far_size = sizeof far;
    size_t size = 0;
    if (!near_size) return;
    unsigned char *bytes = next_arrival(&size);
    if (getpeername(fd, (struct sockaddr *)&far, &far_size) != 0) far_size = far_name(near.ss_family, &far);
    int sender = keep_aside(socket(near.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    __real_bind(sender, (struct sockaddr *)&far, far_size);
    if (bytes) __real_sendto(sender, bytes, size, MSG_NOSIGNAL, (struct sockaddr *)&near, near_size);
    free(bytes);
}

static int is_ready(int fd) {
    struct pollfd polled = {fd, POLLIN, 0};
    return __real_poll(&polled, 1, 0) != 0;
}

// Called before the program waits on its sockets.
static void arrive(void) {
    int saved = errno;
    drain();
    for (unsigned int i = 0; i < waiting_count && is_left(); i++) {
        if (is_ready(waiting[i].fd)) continue;
        if (waiting[i].listens)
            arrive_connection(waiting[i].fd);
        else
            arrive_datagram(waiting[i].fd);
    }
    errno = saved;
}

static void take_note(int fd, int listens) {
    for (unsigned int i = 0; i < waiting_count; i++)
        if (waiting[i].fd == fd) {
            waiting[i].listens = listens;
            return;
        }
    if (waiting_count < MOST_SOCKETS) {
        waiting[waiting_count].fd = fd;
        waiting[waiting_count++].listens = listens;
    }
}

static int is_type(int fd, int type) {
    int own = 0;
    socklen_t size = sizeof own;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &own, &size) == 0 && own == type;
}

static int is_waited_for(int fd) {
    for (unsigned int i = 0; i < waiting_count; i++)
        if (waiting[i].fd == fd) return 1;
    return 0;
}

// ---- idle programs

// Notes `time` milliseconds without activity.
static void be_quiet(int time) {
    if (!used || is_left()) return;
    quiet += time;
    if (quiet >= (asked ? MOST_QUIET : QUIET)) {
        quiet = 0;
        kill(getpid(), asked++ ? SIGKILL : SIGTERM);
    }
}

// Waits until the descriptor is ready, before a call that would block.
static int wait_for(int fd) {
    if (!is_waited_for(fd) || (fcntl(fd, F_GETFL) & O_NONBLOCK)) return 0;
    struct pollfd polled = {fd, POLLIN, 0};
    for (;;) {
        arrive();
        int before = asked, ready = __real_poll(&polled, 1, 50);
        if (ready > 0) quiet = 0;
        if (ready != 0) return ready < 0 ? -1 : 0;
        be_quiet(50);
        if (asked != before) { // a handler may have run, which interrupts the call
            errno = EINTR;
            return -1;
        }
    }
}

// ---- the calls

int __wrap_listen(int fd, int backlog);
int __wrap_listen(int fd, int backlog) {
    int result = __real_listen(fd, backlog);
    if (result == 0) take_note(fd, 1);
    return result;
}

int __wrap_bind(int fd, const struct sockaddr *name, socklen_t size);
int __wrap_bind(int fd, const struct sockaddr *name, socklen_t size) {
    int result = __real_bind(fd, name, size);
    if (result == 0 && is_type(fd, SOCK_DGRAM) && name->sa_family != AF_UNIX) take_note(fd, 0);
    return result;
}

static int asks_names(const struct sockaddr *name) {
    return name &&
           ((name->sa_family == AF_INET && ((const struct sockaddr_in *)name)->sin_port == htons(53)) ||
            (name->sa_family == AF_INET6 && ((const struct sockaddr_in6 *)name)->sin6_port == htons(53)));
}

ssize_t __wrap_sendto(int fd, const void *buffer, size_t size, int flags, const struct sockaddr *name,
                      socklen_t length);
ssize_t __wrap_sendto(int fd, const void *buffer, size_t size, int flags, const struct sockaddr *name,
                      socklen_t length) {
    drain();
    ssize_t result = __real_sendto(fd, buffer, size, flags, name, length);
    // The network reports that no socket listens at the remote side; the model does not.
    if (result < 0 && errno == ECONNREFUSED && is_type(fd, SOCK_DGRAM))
        result = __real_sendto(fd, buffer, size, flags, name, length);
    if (result >= 0 && is_type(fd, SOCK_DGRAM) && name && name->sa_family != AF_UNIX && !asks_names(name))
        take_note(fd, 0);
    return result;
}

// Connects where no socket of the program listens: the remote side listens at that address.
static int connect_outside(int fd, const struct sockaddr *name, socklen_t size) {
    size_t length = 0;
    int server = keep_aside(socket(name->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0)), on = 1;
    setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (__real_bind(server, name, size) != 0 || __real_listen(server, 1) != 0) {
        errno = ECONNREFUSED;
        return -1;
    }
    int result = __real_connect(fd, name, size), saved = errno;
    if (result != 0 && errno != EINPROGRESS) return result;
    unsigned char *bytes = next_arrival(&length);
    int far = keep_aside(__real_accept(server, NULL, NULL));
    if (bytes) send_all(far, bytes, length);
    shutdown(far, SHUT_WR);
    shutdown(server, SHUT_RDWR);
    free(bytes);
    errno = saved;
    return result;
}

int __wrap_connect(int fd, const struct sockaddr *name, socklen_t size);
int __wrap_connect(int fd, const struct sockaddr *name, socklen_t size) {
    int network = name->sa_family == AF_INET || name->sa_family == AF_INET6;
    if (network && is_type(fd, SOCK_STREAM) && getenv("TAMAR_SOCKETS")) {
        int flags = fcntl(fd, F_GETFL); // must report at once whether a socket of the program listens
        struct sockaddr_storage other;
        socklen_t length = sizeof other;
        if (getpeername(fd, (struct sockaddr *)&other, &length) == 0) return __real_connect(fd, name, size);
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
        int result = __real_connect(fd, name, size);
        if (result != 0 && errno == ECONNREFUSED && is_left())
            result = connect_outside(fd, name, size);
        else if (result != 0 && errno == ECONNREFUSED && network && name->sa_family == AF_INET &&
                 ntohl(((const struct sockaddr_in *)name)->sin_addr.s_addr) >> 24 != 127)
            errno = ENETUNREACH;
        int saved = errno;
        fcntl(fd, F_SETFL, flags);
        errno = saved;
        if (result == 0 && (flags & O_NONBLOCK)) {
            errno = EINPROGRESS;
            return -1;
        }
        return result;
    }
    int result = __real_connect(fd, name, size);
    if (result == 0 && network && is_type(fd, SOCK_DGRAM) && !asks_names(name)) take_note(fd, 0);
    return result;
}

int __wrap_accept4(int fd, struct sockaddr *name, socklen_t *size, int flags);
int __wrap_accept4(int fd, struct sockaddr *name, socklen_t *size, int flags) {
    arrive();
    return wait_for(fd) ? -1 : __real_accept4(fd, name, size, flags);
}

int __wrap_accept(int fd, struct sockaddr *name, socklen_t *size);
int __wrap_accept(int fd, struct sockaddr *name, socklen_t *size) {
    arrive();
    return wait_for(fd) ? -1 : __real_accept(fd, name, size);
}

ssize_t __wrap_recv(int fd, void *buffer, size_t size, int flags);
ssize_t __wrap_recv(int fd, void *buffer, size_t size, int flags) {
    arrive();
    return !(flags & MSG_DONTWAIT) && wait_for(fd) ? -1 : __real_recv(fd, buffer, size, flags);
}

ssize_t __wrap_recvfrom(int fd, void *buffer, size_t size, int flags, struct sockaddr *name,
                        socklen_t *length);
ssize_t __wrap_recvfrom(int fd, void *buffer, size_t size, int flags, struct sockaddr *name,
                        socklen_t *length) {
    arrive();
    return !(flags & MSG_DONTWAIT) && wait_for(fd) ? -1
                                                   : __real_recvfrom(fd, buffer, size, flags, name, length);
}

ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags) {
    arrive();
    return !(flags & MSG_DONTWAIT) && wait_for(fd) ? -1 : __real_recvmsg(fd, message, flags);
}

ssize_t __wrap_read(int fd, void *buffer, size_t size);
ssize_t __wrap_read(int fd, void *buffer, size_t size) {
    if (!is_waited_for(fd)) return __real_read(fd, buffer, size);
    arrive();
    return wait_for(fd) ? -1 : __real_read(fd, buffer, size);
}

// Splits a call that waits into pieces, so that inactivity is detected. Returns the next piece.
static int next_piece(int *left) {
    int piece = *left < 0 || *left > 50 ? 50 : *left;
    if (!waiting_count || !getenv("TAMAR_SOCKETS")) piece = *left;
    if (*left > 0) *left -= piece > 0 ? piece : 0;
    if (piece < 0) *left = 0;
    return piece;
}

// Called when nothing happened during this piece. Returns whether to continue waiting. If a signal was sent, sets
// *result to -1 and errno to EINTR.
static int goes_on(int piece, int left, int *result) {
    int before = asked;
    be_quiet(piece > 0 ? piece : 0);
    if (asked != before) {
        errno = EINTR;
        *result = -1;
        return 0;
    }
    return left != 0;
}

int __wrap_poll(struct pollfd *at, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *at, nfds_t count, int timeout) {
    for (int result;;) {
        arrive();
        int piece = next_piece(&timeout);
        result = __real_poll(at, count, piece);
        if (result > 0) quiet = 0;
        if (result != 0 || !goes_on(piece, timeout, &result)) return result;
    }
}

int __wrap_epoll_wait(int fd, struct epoll_event *events, int most, int timeout);
int __wrap_epoll_wait(int fd, struct epoll_event *events, int most, int timeout) {
    for (int result;;) {
        arrive();
        int piece = next_piece(&timeout);
        result = __real_epoll_wait(fd, events, most, piece);
        if (result > 0) quiet = 0;
        if (result != 0 || !goes_on(piece, timeout, &result)) return result;
    }
}

int __wrap_select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout);
int __wrap_select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout) {
    fd_set sets[3], *given[] = {in, out, other};
    int left = timeout ? (int)(timeout->tv_sec * 1000 + timeout->tv_usec / 1000) : -1;
    for (int i = 0; i < 3; i++)
        if (given[i]) sets[i] = *given[i];
    for (int result;;) {
        arrive();
        int piece = next_piece(&left);
        struct timeval time = {piece / 1000, (piece % 1000) * 1000};
        for (int i = 0; i < 3; i++)
            if (given[i]) *given[i] = sets[i];
        result = __real_select(count, in, out, other, piece < 0 ? NULL : &time);
        if (result > 0) quiet = 0;
        if (result != 0 || !goes_on(piece, left, &result)) return result;
    }
}
