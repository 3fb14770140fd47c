// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>

static void pairs(void) {
    int ends[2], available;
    char buffer[32] = "";
    T(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    T(send(ends[0], "one", 3, 0));
    T(write(ends[0], "two", 3));
    T(ioctl(ends[1], FIONREAD, &available));
    T(available);
    T(recv(ends[1], buffer, 4, MSG_PEEK));
    T(read(ends[1], buffer, 32));
    puts(buffer);
    T(recv(ends[1], buffer, 1, MSG_DONTWAIT));
    T(lseek(ends[0], 0, SEEK_SET));
    T(shutdown(ends[0], SHUT_WR));
    T(read(ends[1], buffer, 1));
    T(send(ends[0], "x", 1, MSG_NOSIGNAL));
    T(write(ends[1], "back", 4));
    T(close(ends[1]));
    T(read(ends[0], buffer, 32));
    T(read(ends[0], buffer, 32));
    T(close(ends[0]));
    T(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
    T(send(ends[0], "first", 5, 0));
    T(send(ends[0], "second", 6, 0));
    T(recv(ends[1], buffer, 3, 0));
    T(recv(ends[1], buffer, 32, 0));
    close(ends[0]);
    close(ends[1]);
    T(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends));
    T(fcntl(ends[0], F_GETFD));
    T((fcntl(ends[0], F_GETFL) & O_NONBLOCK) != 0);
    T(write(ends[0], "abc", 3));
    T(write(ends[0], "de", 2));
    T(read(ends[1], buffer, 32));
    T(read(ends[1], buffer, 32));
    T(read(ends[1], buffer, 32));
    close(ends[0]);
    T(read(ends[1], buffer, 32));
    close(ends[1]);
    // The other end closes with unread data: packets are read after the error, bytes before it.
    const int types[] = {SOCK_SEQPACKET, SOCK_STREAM};
    for (int i = 0; i < 2; i++) {
        T(socketpair(AF_UNIX, types[i] | SOCK_NONBLOCK, 0, ends));
        T(write(ends[0], "left", 4));
        T(write(ends[1], "unread", 6));
        close(ends[0]);
        for (int k = 0; k < 3; k++) T(read(ends[1], buffer, 32));
        close(ends[1]);
    }
    T(socketpair(AF_INET, SOCK_STREAM, 0, ends));
    T(socket(99, SOCK_STREAM, 0));
    T(socket(AF_INET, 99, 0));
    T(socket(AF_INET, SOCK_STREAM, IPPROTO_UDP));
    T(send(1, "x", 1, 0));
    T(send(77, "x", 1, 0));
}

static void passing(void) {
    int ends[2], other[2], got;
    char byte = 'p', buffer[8] = "", control[CMSG_SPACE(sizeof(int))] = "";
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    T(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    T(pipe(other));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &other[1], sizeof(int));
    struct iovec bad = {buffer, (size_t)-2};
    struct msghdr refused = {.msg_iov = &bad, .msg_iovlen = 1};
    T(sendmsg(ends[0], &refused, 0));
    T(recvmsg(ends[1], &refused, 0));
    refused.msg_iovlen = 2000;
    T(sendmsg(ends[0], &refused, 0));
    T(sendmsg(ends[0], &message, 0));
    T(close(other[1]));
    memset(control, 0, sizeof control);
    message.msg_controllen = sizeof control;
    T(recvmsg(ends[1], &message, 0));
    header = CMSG_FIRSTHDR(&message);
    T(header && header->cmsg_type == SCM_RIGHTS);
    memcpy(&got, CMSG_DATA(header), sizeof got);
    T(write(got, "through", 7));
    T(read(other[0], buffer, 8));
    puts(buffer);
    T(close(got));
    T(read(other[0], buffer, 8));
    close(ends[0]);
    close(ends[1]);
    close(other[0]);
}

static struct sockaddr_in loopback(int port) {
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static void options(int fd) {
    int value = 1;
    socklen_t size = sizeof value;
    T(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &value, sizeof value));
    value = 0;
    T(getsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &value, &size));
    T(value);
    T(getsockopt(fd, SOL_SOCKET, SO_TYPE, &value, &size));
    T(value == SOCK_STREAM);
    T(getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &value, &size));
    T(value == AF_INET);
    T(getsockopt(fd, SOL_SOCKET, SO_ERROR, &value, &size));
    T(value);
    T(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value, &size));
    T(value);
    value = 1;
    T(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value, sizeof value));
    T(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value, &size));
    T(value);
    T(setsockopt(fd, SOL_SOCKET, SO_TYPE, &value, sizeof value));
    T(setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &value, 1));
}

// A server and its client, first in one process.
static void tcp(void) {
    struct sockaddr_in name = loopback(0), got;
    socklen_t size = sizeof name;
    char buffer[32] = "";
    int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    T(server >= 0 && client >= 0);
    options(server);
    T(accept(server, NULL, NULL));
    T(getpeername(client, (struct sockaddr *)&got, &size));
    T(recv(client, buffer, 1, 0));
    T(bind(server, (struct sockaddr *)&name, sizeof name));
    T(bind(server, (struct sockaddr *)&name, sizeof name));
    T(getsockname(server, (struct sockaddr *)&name, &size));
    T(size);
    T(name.sin_port != 0);
    T(connect(client, (struct sockaddr *)&name, sizeof name));
    T(listen(server, 5));
    T(connect(client, (struct sockaddr *)&name, sizeof name));
    T(connect(client, (struct sockaddr *)&name, sizeof name));
    int second = socket(AF_INET, SOCK_STREAM, 0);
    T(bind(second, (struct sockaddr *)&name, sizeof name));
    T(close(second));
    size = sizeof got;
    int peer = accept4(server, (struct sockaddr *)&got, &size, SOCK_CLOEXEC);
    T(peer >= 0);
    T(got.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    T(getpeername(client, (struct sockaddr *)&got, &size));
    T(got.sin_port == name.sin_port);
    T(fcntl(peer, F_GETFD));
    T(send(client, "request", 7, 0));
    T(recv(peer, buffer, 3, MSG_WAITALL));
    T(recv(peer, buffer + 3, 29, 0));
    puts(buffer);
    struct iovec parts[2] = {{"ans", 3}, {"wer", 3}};
    T(writev(peer, parts, 2));
    memset(buffer, 0, sizeof buffer);
    T(read(client, buffer, 32));
    puts(buffer);
    T(fcntl(server, F_SETFL, O_NONBLOCK));
    T(accept(server, NULL, NULL));
    struct pollfd polled[2] = {{client, POLLIN | POLLOUT | POLLRDHUP, 0}, {server, POLLIN, 0}};
    T(poll(polled, 2, 0));
    T(polled[0].revents);
    T(close(peer));
    T(poll(polled, 1, 1000));
    T(polled[0].revents);
    T(read(client, buffer, 32));
    T(close(client));
    T(close(server));
    client = socket(AF_INET, SOCK_STREAM, 0);
    T(connect(client, (struct sockaddr *)&name, sizeof name)); // refused
    T(close(client));
}

static void forked(void) {
    struct sockaddr_in name = loopback(0);
    socklen_t size = sizeof name;
    char buffer[64] = "";
    int status, server = socket(AF_INET, SOCK_STREAM, 0);
    T(bind(server, (struct sockaddr *)&name, sizeof name));
    T(getsockname(server, (struct sockaddr *)&name, &size));
    T(listen(server, 5));
    fflush(stdout);
    if (fork() == 0) {
        for (int i = 0; i < 3; i++) {
            int client = socket(AF_INET, SOCK_STREAM, 0);
            if (connect(client, (struct sockaddr *)&name, sizeof name)) _exit(1);
            write(client, "hello", 5);
            if (read(client, buffer, 64) != 5) _exit(2);
            if (read(client, buffer, 64) != 0) _exit(3);
            close(client);
        }
        _exit(0);
    }
    for (int i = 0; i < 3; i++) {
        int peer = accept(server, NULL, NULL);
        long n = read(peer, buffer, 64);
        T(n);
        T(write(peer, buffer, (size_t)n));
        T(close(peer));
    }
    T(wait(&status) > 0);
    T(status);
    T(close(server));
}

static void local(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "local.socket"}, other;
    socklen_t size = sizeof other;
    struct stat st;
    char buffer[16] = "";
    int server = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
    T(connect(client, (struct sockaddr *)&name, sizeof name));
    T(bind(server, (struct sockaddr *)&name, sizeof name));
    T(stat("local.socket", &st));
    T(S_ISSOCK(st.st_mode));
    T(open("local.socket", O_RDONLY));
    T(connect(client, (struct sockaddr *)&name, sizeof name)); // does not listen
    T(listen(server, 1));
    T(connect(client, (struct sockaddr *)&name, sizeof name));
    int peer = accept(server, (struct sockaddr *)&other, &size);
    T(peer >= 0);
    T(size);
    size = sizeof other;
    T(getpeername(client, (struct sockaddr *)&other, &size));
    puts(other.sun_path);
    T(write(client, "unix", 4));
    T(read(peer, buffer, 16));
    puts(buffer);
    signal(SIGPIPE, SIG_IGN);
    T(close(peer));
    T(write(client, "x", 1));
    close(client);
    close(server);
    T(bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name,
           sizeof name)); // the name is still there
    T(unlink("local.socket"));
    int receiver = socket(AF_UNIX, SOCK_DGRAM, 0), sender = socket(AF_UNIX, SOCK_DGRAM, 0);
    T(bind(receiver, (struct sockaddr *)&name, sizeof name));
    T(sendto(sender, "datagram", 8, 0, (struct sockaddr *)&name, sizeof name));
    size = sizeof other;
    T(recvfrom(receiver, buffer, 16, 0, (struct sockaddr *)&other, &size));
    T(connect(sender, (struct sockaddr *)&name, sizeof name));
    T(send(sender, "more", 4, 0));
    T(recv(receiver, buffer, 16, MSG_TRUNC));
    T(unlink("local.socket"));
    T(sendto(sender, "x", 1, 0, (struct sockaddr *)&name, sizeof name));
    close(receiver);
    close(sender);
}

static void udp(void) {
    struct sockaddr_in name = loopback(0), from;
    socklen_t size = sizeof name;
    char buffer[16] = "";
    int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0);
    T(bind(a, (struct sockaddr *)&name, sizeof name));
    T(getsockname(a, (struct sockaddr *)&name, &size));
    T(send(b, "x", 1, 0));
    T(sendto(b, "ping", 4, 0, (struct sockaddr *)&name, sizeof name));
    T(recvfrom(a, buffer, 16, 0, (struct sockaddr *)&from, &size));
    puts(buffer);
    T(sendto(a, "pong!", 5, 0, (struct sockaddr *)&from, sizeof from));
    T(recv(b, buffer, 16, 0));
    puts(buffer);
    T(recv(b, buffer, 16, MSG_DONTWAIT));
    struct timeval soon = {0, 10000};
    T(setsockopt(b, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon));
    T(recv(b, buffer, 16, 0));
    T(connect(b, (struct sockaddr *)&name, sizeof name));
    T(send(b, "", 0, 0));
    T(recv(a, buffer, 16, 0));
    T(listen(a, 1));
    close(a);
    close(b);
}

int main(void) {
    pairs();
    passing();
    tcp();
    forked();
    local();
    udp();
    return 0;
}
