// The system calls of sockets.
#include "runtime/linux/calls.h"
#include "runtime/linux/peer.h"

#include <netinet/tcp.h>

static struct socket *socket_of(long descriptor, long *error, bool *blocks) {
    struct file *file = __tamar_file((int)descriptor);
    *error = !file ? -EBADF : file->inode->socket ? 0 : -ENOTSOCK;
    if (file && blocks) *blocks = !(file->flags & O_NONBLOCK);
    return file ? file->inode->socket : NULL;
}

// ---- creation

static long check_kind(int family, int type, int protocol) {
    if (family == AF_PACKET) {
        if (!__tamar_capable(CAP_NET_RAW)) return -EPERM;
        return type == SOCK_RAW || type == SOCK_DGRAM || type == SOCK_PACKET ? 0 : -ESOCKTNOSUPPORT;
    }
    if (family != AF_UNIX && family != AF_INET && family != AF_INET6) return -EAFNOSUPPORT;
    if (type == SOCK_RAW && family != AF_UNIX) { // it needs a protocol, and then the superuser
        if (!protocol) return -EPROTONOSUPPORT;
        return __tamar_capable(CAP_NET_RAW) ? 0 : -EPERM;
    }
    if (type != SOCK_STREAM && type != SOCK_DGRAM && (type != SOCK_SEQPACKET || family != AF_UNIX))
        return type > 0 && type < 11 ? -ESOCKTNOSUPPORT : -EINVAL;
    if (family == AF_UNIX) return protocol && protocol != AF_UNIX ? -EPROTONOSUPPORT : 0;
    int own = type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    return protocol && protocol != own ? -EPROTONOSUPPORT : 0;
}

long __tamar_sys_socket(long family, long type, long protocol) {
    int flags = (int)type & (SOCK_NONBLOCK | SOCK_CLOEXEC), kind = (int)type & ~flags;
    long error = check_kind((int)family, kind, (int)protocol);
    if (error < 0) return error;
    struct socket *socket = __tamar_socket_new((int)family, kind, (int)protocol);
    return socket ? __tamar_socket_open(socket, flags) : -ENOBUFS;
}

long __tamar_sys_socketpair(long family, long type, long protocol, long result) {
    int flags = (int)type & (SOCK_NONBLOCK | SOCK_CLOEXEC), kind = (int)type & ~flags,
        *ends = POINTER(result);
    long error = check_kind((int)family, kind, (int)protocol);
    if (error < 0) return error;
    if (family != AF_UNIX) return -EOPNOTSUPP;
    struct socket *a = __tamar_socket_new(AF_UNIX, kind, 0),
                  *b = a ? __tamar_socket_new(AF_UNIX, kind, 0) : NULL;
    if (!b) return -ENOBUFS;
    __tamar_socket_join(a, b);
    a->peer_name.size = b->peer_name.size = a->name.size = b->name.size = sizeof(sa_family_t);
    a->peer_name.family = b->peer_name.family = a->name.family = b->name.family = AF_UNIX;
    long first = __tamar_socket_open(a, flags), second = first < 0 ? first : __tamar_socket_open(b, flags);
    if (second < 0) {
        if (first >= 0) __tamar_close((int)first);
        return second;
    }
    ends[0] = (int)first, ends[1] = (int)second;
    return 0;
}

// ---- names

static long take_name(long address, long size, struct address *name) {
    if (size < 0 || size > (long)sizeof name->bytes) return -EINVAL;
    memset(name, 0, sizeof *name);
    memcpy(name->bytes, POINTER(address), (size_t)size);
    name->size = (socklen_t)size;
    if (name->size < sizeof(sa_family_t)) return -EINVAL;
    if (name->family == AF_INET && size < (long)sizeof name->in) return -EINVAL;
    if (name->family == AF_INET6 && size < 24) return -EINVAL;
    if (name->family == AF_INET) name->size = sizeof name->in;
    return 0;
}

static void give_name(const struct address *name, long address, long size) {
    socklen_t *room = POINTER(size);
    if (!address || !room) return;
    memcpy(POINTER(address), name->bytes, name->size < *room ? name->size : *room);
    *room = name->size;
}

static long bind_packet(struct socket *socket, const struct address *name) {
    if (name->family != AF_PACKET || name->size < offsetof(struct sockaddr_ll, sll_addr)) return -EINVAL;
    bool known = !name->ll.sll_ifindex;
    for (const struct interface *at = KERNEL->interfaces; at; at = at->next)
        known |= at->index == name->ll.sll_ifindex;
    if (!known) return -ENODEV;
    socket->name = *name;
    if (name->ll.sll_protocol) socket->protocol = name->ll.sll_protocol;
    return 0;
}

static in_port_t *port_of(struct address *name) {
    return name->family == AF_INET ? &name->in.sin_port : &name->in6.sin6_port;
}

static bool is_free(const struct socket *socket, const struct address *name) {
    const struct option *reuse = __tamar_socket_option(socket, SOL_SOCKET, SO_REUSEADDR);
    if (__tamar_socket_named(socket, name, true)) return false;
    return (reuse && reuse->value[0]) || !__tamar_socket_named(socket, name, false);
}

static void take_port(struct socket *socket) {
    if (*port_of(&socket->name)) return;
    if (KERNEL->last_port < FIRST_PORT) KERNEL->last_port = FIRST_PORT;
    *port_of(&socket->name) = htons(KERNEL->last_port++);
}

void __tamar_socket_bind_any(struct socket *socket) {
    if (socket->name.size || socket->family == AF_UNIX) return;
    socket->name.family = (sa_family_t)socket->family;
    socket->name.size = socket->family == AF_INET ? sizeof socket->name.in : sizeof socket->name.in6;
    take_port(socket);
}

static long bind_path(struct socket *socket, const struct address *name) {
    struct lookup lookup;
    char path[sizeof name->un.sun_path + 1] = "";
    memcpy(path, name->un.sun_path, name->size - sizeof(sa_family_t));
    long error = __tamar_lookup(AT_FDCWD, path, 0, &lookup);
    if (error < 0) return error;
    if (lookup.inode) return -EADDRINUSE;
    if (!__tamar_may(lookup.parent, 2)) return -EACCES;
    struct inode *inode =
        __tamar_inode_new(S_IFSOCK | (0777 & ~PROCESS->umask), lookup.parent->device_number);
    if (!inode) return -ENOMEM;
    error = __tamar_entry_add(lookup.parent, lookup.name, inode);
    if (error < 0) return error;
    inode->open_count++; // a reference of the socket, until it is closed
    socket->path = inode;
    socket->name = *name;
    return 0;
}

static long bind_unix(struct socket *socket, struct address *name) {
    if (name->size == sizeof(sa_family_t)) { // an automatic abstract name
        memcpy(name->un.sun_path, "\00000000", 6);
        for (unsigned int value = KERNEL->last_abstract++, i = 5; value && i; value /= 10, i--)
            name->un.sun_path[i] = (char)('0' + value % 10);
        name->size += 6;
    }
    if (name->un.sun_path[0]) {
        if (name->size > sizeof name->un) return -EINVAL;
        return bind_path(socket, name);
    }
    if (!is_free(socket, name)) return -EADDRINUSE;
    socket->name = *name;
    return 0;
}

long __tamar_sys_bind(long descriptor, long address, long size) {
    long error;
    struct address name;
    struct socket *socket = socket_of(descriptor, &error, NULL);
    if (error < 0 || (error = take_name(address, size, &name)) < 0) return error;
    if (socket->family == AF_PACKET) return bind_packet(socket, &name);
    if (socket->name.size && (socket->family != AF_UNIX || !socket->connected)) return -EINVAL;
    if (name.family != socket->family) return socket->family == AF_UNIX ? -EINVAL : -EAFNOSUPPORT;
    if (socket->family == AF_UNIX) return bind_unix(socket, &name);
    unsigned int port = ntohs(*port_of(&name));
    if (__tamar_is_raw(socket)) {
        socket->name = name;
        return 0;
    }
    if (port && port < 1024 && !__tamar_capable(CAP_NET_BIND_SERVICE)) return -EACCES;
    if (port && !is_free(socket, &name)) return -EADDRINUSE;
    socket->name = name;
    take_port(socket);
    return 0;
}

long __tamar_sys_getsockname(long descriptor, long address, long size) {
    long error;
    struct socket *socket = socket_of(descriptor, &error, NULL);
    if (error < 0) return error;
    struct address name = socket->name;
    if (!name.size) {
        memset(&name, 0, sizeof name);
        name.family = (sa_family_t)socket->family;
        name.size = socket->family == AF_UNIX   ? sizeof(sa_family_t)
                    : socket->family == AF_INET ? sizeof name.in
                                                : sizeof name.in6;
    }
    give_name(&name, address, size);
    return 0;
}

long __tamar_sys_getpeername(long descriptor, long address, long size) {
    long error;
    struct socket *socket = socket_of(descriptor, &error, NULL);
    if (error < 0) return error;
    bool known = __tamar_is_stream(socket) ? socket->connected : socket->peer_name.size != 0;
    if (!known) return -ENOTCONN;
    give_name(&socket->peer_name, address, size);
    return 0;
}

// ---- connections

long __tamar_sys_listen(long descriptor, long backlog) {
    long error;
    struct socket *socket = socket_of(descriptor, &error, NULL);
    if (error < 0) return error;
    if (!__tamar_is_stream(socket)) return -EOPNOTSUPP;
    if (socket->connected || (socket->family == AF_UNIX && !socket->name.size)) return -EINVAL;
    __tamar_socket_bind_any(socket);
    socket->listens = true;
    socket->backlog = (unsigned)backlog > 4096 ? 4096 : (int)backlog;
    return 0;
}

static int count_waiting(const struct socket *socket) {
    int count = 0;
    for (const struct socket *at = socket->waiting; at; at = at->next_waiting) count++;
    return count;
}

struct socket *__tamar_socket_wait(struct socket *listener) {
    struct socket *server = __tamar_socket_new(listener->family, listener->type, listener->protocol);
    struct socket **last = &listener->waiting;
    if (!server) return NULL;
    server->inode->open_count++; // until it is accepted
    while (*last) last = &(*last)->next_waiting;
    *last = server;
    listener->inode->activity++;
    __tamar_changed();
    return server;
}

static long connect_inside(struct socket *socket, struct socket *listener, bool blocks) {
    while (count_waiting(listener) > listener->backlog) {
        if (!blocks) return -EAGAIN;
        long error = __tamar_wait(0, WAIT_RESTART, "connecting to a socket that never accepts");
        if (error) return error;
    }
    struct socket *server = __tamar_socket_wait(listener);
    if (!server) return -ENOBUFS;
    __tamar_socket_bind_any(socket);
    server->name = listener->name;
    server->peer_name = socket->name;
    if (!server->peer_name.size) {
        server->peer_name.size = sizeof(sa_family_t);
        server->peer_name.family = (sa_family_t)socket->family;
    }
    __tamar_socket_join(socket, server);
    return 0;
}

// Connects without a listener in the program: the outside accepts while connections are left.
static long connect_outside(struct socket *socket, const struct address *name) {
    if (socket->family == AF_UNIX) {
        struct inode *inode;
        long error = name->un.sun_path[0] ? __tamar_find(AT_FDCWD, name->un.sun_path, FOLLOW, &inode) : 0;
        return error < 0 ? error : -ECONNREFUSED;
    }
    if (__tamar_peer_connect(socket, name)) return 0;
    if (__tamar_outside_left()) {
        __tamar_socket_bind_any(socket);
        socket->peer_name = *name;
        return __tamar_outside_connect(socket) ? 0 : -ENOBUFS;
    }
    uint32_t host = name->family == AF_INET ? ntohl(name->in.sin_addr.s_addr) : 0;
    return host >> 24 == 127 || host == 0 ? -ECONNREFUSED : -ENETUNREACH;
}

static bool is_loopback(struct address *name) {
    return name->family == AF_INET && ntohl(name->in.sin_addr.s_addr) >> 24 == 127;
}

static long connect_stream(struct socket *socket, struct address *name, bool blocks) {
    if (socket->listens) return -EINVAL;
    if (socket->connecting) {
        socket->connecting = false;
        return 0;
    }
    if (socket->connected) return -EISCONN;
    struct socket *listener = __tamar_socket_named(socket, name, true);
    long error = listener ? connect_inside(socket, listener, blocks) : connect_outside(socket, name);
    if (error < 0) return error;
    socket->peer_name = *name;
    if (socket->family == AF_INET && socket->name.in.sin_addr.s_addr == INADDR_ANY && is_loopback(name))
        socket->name.in.sin_addr = name->in.sin_addr; // the return address
    if (socket->peer && socket->family != AF_UNIX) {
        socket->peer->peer_name = socket->name;
        socket->peer->name = *name;
    }
    if (blocks || socket->family == AF_UNIX) return 0;
    socket->connecting = true;
    return -EINPROGRESS;
}

static long connect_datagram(struct socket *socket, const struct address *name) {
    if (name->family == AF_UNSPEC) {
        socket->peer_name.size = 0;
        return 0;
    }
    if (socket->family == AF_UNIX && !__tamar_socket_named(socket, name, false))
        return connect_outside(socket, name);
    __tamar_socket_bind_any(socket);
    socket->peer_name = *name;
    if (socket->family != AF_UNIX && ntohs(*port_of(&socket->peer_name)) == 53) socket->asks_names = true;
    return 0;
}

long __tamar_sys_connect(long descriptor, long address, long size) {
    long error;
    bool blocks;
    struct address name;
    struct socket *socket = socket_of(descriptor, &error, &blocks);
    if (error < 0 || (error = take_name(address, size, &name)) < 0) return error;
    if (name.family != socket->family && name.family != AF_UNSPEC)
        return socket->family == AF_UNIX ? -EINVAL : -EAFNOSUPPORT;
    return __tamar_is_stream(socket) ? connect_stream(socket, &name, blocks)
                                     : connect_datagram(socket, &name);
}

static struct socket *accept_outside(const struct socket *listener) {
    struct socket *server = __tamar_socket_new(listener->family, listener->type, listener->protocol);
    if (!server) return NULL;
    server->name = listener->name;
    return __tamar_outside_connect(server) ? server : NULL;
}

long __tamar_sys_accept4(long descriptor, long address, long size, long flags) {
    long error;
    bool blocks;
    struct socket *socket = socket_of(descriptor, &error, &blocks), *server;
    if (error < 0) return error;
    if (flags & ~(long)(SOCK_NONBLOCK | SOCK_CLOEXEC)) return -EINVAL;
    if (!__tamar_is_stream(socket)) return -EOPNOTSUPP;
    if (!socket->listens) return -EINVAL;
    while (!socket->waiting && !__tamar_takes_outside(socket)) {
        if (!blocks) return -EAGAIN;
        error = __tamar_wait(__tamar_socket_deadline(socket, SO_RCVTIMEO), WAIT_RESTART | WAIT_OUTSIDE,
                             "accepting a connection that never arrives");
        if (error) return error == -ETIMEDOUT ? -EAGAIN : error;
    }
    if (socket->waiting) {
        server = socket->waiting;
        socket->waiting = server->next_waiting;
        server->inode->open_count--;
        __tamar_changed();
    } else if (!(server = accept_outside(socket))) {
        return -ENOBUFS;
    }
    give_name(&server->peer_name, address, size);
    return __tamar_socket_open(server, (int)flags);
}
long __tamar_sys_accept(long descriptor, long address, long size) {
    return __tamar_sys_accept4(descriptor, address, size, 0);
}

long __tamar_sys_shutdown(long descriptor, long how) {
    long error;
    struct socket *socket = socket_of(descriptor, &error, NULL);
    if (error < 0) return error;
    if (how < SHUT_RD || how > SHUT_RDWR) return -EINVAL;
    if (!socket->connected && !(socket->family != AF_UNIX && socket->peer_name.size)) return -ENOTCONN;
    if (how != SHUT_WR) socket->closed[0] = true;
    if (how != SHUT_RD) socket->closed[1] = true;
    if (socket->peer && how != SHUT_RD && __tamar_is_stream(socket)) socket->peer->ended = true;
    if (socket->far && how != SHUT_RD) socket->far->ended = true;
    if (socket->peer) socket->peer->inode->activity++;
    socket->inode->activity++;
    __tamar_changed();
    return 0;
}

// ---- messages

static bool may_wait(bool blocks, int flags) { return blocks && !(flags & MSG_DONTWAIT); }

long __tamar_sys_sendto(long descriptor, long buffer, long size, long flags, long address,
                        long address_size) {
    long error;
    bool blocks;
    struct address to;
    struct socket *socket = socket_of(descriptor, &error, &blocks);
    if (error < 0 || (address && (error = take_name(address, address_size, &to)) < 0)) return error;
    struct iovec part = {POINTER(buffer), (size_t)size};
    struct message message = {
        .parts = &part, .part_count = 1, .to = address ? &to : NULL, .flags = (int)flags};
    return __tamar_socket_send(socket, &message, may_wait(blocks, (int)flags));
}

static void drop_passed(struct message *message) {
    for (int i = 0; i < message->passed_count; i++) __tamar_file_release(message->passed[i]);
}

long __tamar_sys_recvfrom(long descriptor, long buffer, long size, long flags, long address,
                          long address_size) {
    long error;
    bool blocks;
    struct address from = {.size = 0};
    struct socket *socket = socket_of(descriptor, &error, &blocks);
    if (error < 0) return error;
    struct iovec part = {POINTER(buffer), (size_t)size};
    struct message message = {.parts = &part, .part_count = 1, .from = &from, .flags = (int)flags};
    long n = __tamar_socket_receive(socket, &message, may_wait(blocks, (int)flags));
    drop_passed(&message);
    if (n >= 0) give_name(&from, address, address_size);
    return n;
}

long __tamar_socket_vector(struct file *file, const struct iovec *parts, size_t count, bool writes) {
    struct message message = {.parts = (struct iovec *)parts, .part_count = count};
    bool blocks = !(file->flags & O_NONBLOCK);
    if (writes) return __tamar_socket_send(file->inode->socket, &message, blocks);
    long n = __tamar_socket_receive(file->inode->socket, &message, blocks);
    drop_passed(&message);
    return n;
}

static long collect_passed(const struct msghdr *header, struct message *message) {
    unsigned char *end = (unsigned char *)header->msg_control + header->msg_controllen;
    for (struct cmsghdr *at = CMSG_FIRSTHDR(header); at;) {
        size_t length = *(size_t *)(void *)at; // the kernel's length field has eight bytes
        if (length < sizeof *at || (unsigned char *)at + length > end) return -EINVAL;
        const int *descriptors = (const int *)CMSG_DATA(at);
        bool passes = at->cmsg_level == SOL_SOCKET && at->cmsg_type == SCM_RIGHTS;
        unsigned char *next = (unsigned char *)at + CMSG_ALIGN(length);
        at = next + sizeof *at <= end ? (struct cmsghdr *)(void *)next : NULL;
        for (size_t i = 0; passes && i < (length - CMSG_LEN(0)) / sizeof(int); i++) {
            struct file *file = __tamar_file(descriptors[i]);
            if (!file) return -EBADF;
            if (message->passed_count == MOST_PASSED) return -ETOOMANYREFS;
            message->passed[message->passed_count++] = file;
        }
    }
    return 0;
}

static long check_parts(const struct msghdr *header) {
    size_t count = (size_t)header->msg_iovlen;
    if (count > IOV_MAX) return -EMSGSIZE;
    return __tamar_has_bad_part(header->msg_iov, count) ? -EINVAL : 0;
}

long __tamar_sys_sendmsg(long descriptor, long argument, long flags) {
    long error;
    bool blocks;
    struct address to;
    const struct msghdr *header = POINTER(argument);
    struct socket *socket = socket_of(descriptor, &error, &blocks);
    if (error < 0) return error;
    if (header->msg_name && (error = take_name((long)header->msg_name, header->msg_namelen, &to)) < 0)
        return error;
    if ((error = check_parts(header)) < 0) return error;
    struct message message = {.parts = header->msg_iov,
                              .part_count = (size_t)header->msg_iovlen,
                              .to = header->msg_name ? &to : NULL,
                              .flags = (int)flags};
    error = collect_passed(header, &message);
    return error < 0 ? error : __tamar_socket_send(socket, &message, may_wait(blocks, (int)flags));
}

static void give_passed(struct msghdr *header, struct message *message, bool close_on_exec) {
    struct cmsghdr *control = header->msg_control;
    size_t room = header->msg_controllen, fits = room < CMSG_LEN(0) ? 0 : (room - CMSG_LEN(0)) / sizeof(int);
    header->msg_controllen = 0;
    if (!message->passed_count) return;
    if (fits < (size_t)message->passed_count) message->out_flags |= MSG_CTRUNC;
    size_t count = fits < (size_t)message->passed_count ? fits : (size_t)message->passed_count;
    for (size_t i = 0; i < count; i++)
        ((int *)CMSG_DATA(control))[i] = (int)__tamar_descriptor_new(message->passed[i], 0, close_on_exec);
    drop_passed(message);
    if (!count) return;
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    *(size_t *)(void *)control = CMSG_LEN(count * sizeof(int)); // the kernel's length has eight bytes
    size_t used = CMSG_SPACE(count * sizeof(int));
    header->msg_controllen = (socklen_t)(used < room ? used : room);
}

long __tamar_sys_recvmsg(long descriptor, long argument, long flags) {
    long error;
    bool blocks;
    struct address from = {.size = 0};
    struct msghdr *header = POINTER(argument);
    struct socket *socket = socket_of(descriptor, &error, &blocks);
    if (error < 0 || (error = check_parts(header)) < 0) return error;
    struct message message = {.parts = header->msg_iov,
                              .part_count = (size_t)header->msg_iovlen,
                              .from = &from,
                              .flags = (int)flags};
    long n = __tamar_socket_receive(socket, &message, may_wait(blocks, (int)flags));
    if (n < 0) return n;
    if (header->msg_name) {
        socklen_t room = header->msg_namelen;
        memcpy(header->msg_name, from.bytes, from.size < room ? from.size : room);
        header->msg_namelen = from.size;
    }
    give_passed(header, &message, (flags & MSG_CMSG_CLOEXEC) != 0);
    header->msg_flags = message.out_flags;
    return n;
}

long __tamar_sys_sendmmsg(long descriptor, long messages, long count, long flags) {
    struct mmsghdr *all = POINTER(messages);
    for (long i = 0; i < count; i++) {
        long n = __tamar_sys_sendmsg(descriptor, (long)&all[i].msg_hdr, flags);
        if (n < 0) return i ? i : n;
        all[i].msg_len = (unsigned int)n;
    }
    return count;
}

long __tamar_sys_recvmmsg(long descriptor, long messages, long count, long flags, long timeout) {
    struct mmsghdr *all = POINTER(messages);
    for (long i = 0; i < count; i++) {
        long more = i && (flags & MSG_WAITFORONE) ? flags | MSG_DONTWAIT : flags;
        long n = __tamar_sys_recvmsg(descriptor, (long)&all[i].msg_hdr, more & ~(long)MSG_WAITFORONE);
        if (n < 0) return i ? i : n;
        all[i].msg_len = (unsigned int)n;
    }
    return count;
}

// ---- options: most are only stored

struct option *__tamar_socket_option(const struct socket *socket, int level, int name) {
    for (struct option *option = socket->options; option; option = option->next)
        if (option->level == level && option->name == name) return option;
    return NULL;
}

static bool is_level(const struct socket *socket, long level) {
    if (level == SOL_SOCKET) return true;
    if (socket->family == AF_UNIX) return false;
    if (socket->family == AF_PACKET) return level == SOL_PACKET;
    return level == IPPROTO_IP || level == IPPROTO_IPV6 ||
           level == (socket->type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP);
}

long __tamar_sys_setsockopt(long descriptor, long level, long name, long value, long size) {
    long error;
    struct socket *socket = socket_of(descriptor, &error, NULL);
    if (error < 0) return error;
    if (!is_level(socket, level)) return socket->family == AF_UNIX ? -EOPNOTSUPP : -ENOPROTOOPT;
    bool is_device = level == SOL_SOCKET && name == SO_BINDTODEVICE;
    if (size < 0 || (level == SOL_SOCKET && size < 4 && !is_device)) return -EINVAL;
    char device[16] = "";
    if (is_device) memcpy(device, POINTER(value), size > 15 ? 15 : (size_t)size);
    if (is_device && device[0] && !__tamar_interface(device)) return -ENODEV;
    if (level == SOL_SOCKET && (name == SO_TYPE || name == SO_ERROR || name == SO_DOMAIN ||
                                name == SO_PROTOCOL || name == SO_ACCEPTCONN || name == SO_PEERCRED))
        return -ENOPROTOOPT;
    struct option *option = __tamar_socket_option(socket, (int)level, (int)name);
    if (!option) {
        option = __tamar_new(sizeof *option);
        if (!option) return -ENOMEM;
        *option = (struct option){.next = socket->options, .level = (int)level, .name = (int)name};
        socket->options = option;
    }
    option->size = size > (long)sizeof option->value ? sizeof option->value : (socklen_t)size;
    memcpy(option->value, POINTER(value), option->size);
    bool is_size = level == SOL_SOCKET && (name == SO_SNDBUF || name == SO_RCVBUF);
    if (is_size) { // the kernel doubles the requested size
        int *bytes = (int *)(void *)option->value, least = name == SO_SNDBUF ? 4608 : 2304;
        *bytes = *bytes > QUEUE_MOST ? 2 * QUEUE_MOST : *bytes * 2 < least ? least : *bytes * 2;
    }
    if (is_device) {
        memcpy(option->value, device, sizeof device);
        option->size = device[0] ? (socklen_t)strlen(device) + 1 : 0;
    }
    bool is_flag = level == SOL_SOCKET && option->size == 4 && name != SO_PRIORITY && !is_size &&
                   !is_device && name != SO_RCVLOWAT && name != SO_MARK;
    if (is_flag) *(int *)(void *)option->value = *(int *)(void *)option->value != 0;
    return 0;
}

static int known_value(struct socket *socket, long name) {
    int error = socket->error;
    switch (name) {
    case SO_TYPE: return socket->type;
    case SO_DOMAIN: return socket->family;
    case SO_PROTOCOL:
        if (__tamar_is_raw(socket)) return socket->protocol;
        return socket->family == AF_UNIX ? 0 : socket->type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    case SO_ACCEPTCONN: return socket->listens;
    case SO_ERROR: socket->error = 0; return error;
    case SO_SNDBUF:
    case SO_RCVBUF: return QUEUE_MOST;
    case SO_RCVLOWAT:
    case SO_SNDLOWAT: return 1;
    default: return 0;
    }
}

long __tamar_sys_getsockopt(long descriptor, long level, long name, long value, long size) {
    long error;
    struct socket *socket = socket_of(descriptor, &error, NULL);
    if (error < 0) return error;
    if (!is_level(socket, level)) return -EOPNOTSUPP;
    socklen_t *room = POINTER(size);
    unsigned char bytes[16] = {0};
    socklen_t length = sizeof(int);
    const struct option *option = __tamar_socket_option(socket, (int)level, (int)name);
    if ((int)*room < 0) return -EINVAL;
    if (option) {
        length = option->size;
        memcpy(bytes, option->value, sizeof bytes);
    } else if (level == SOL_SOCKET && name == SO_PEERCRED) {
        unsigned int credentials[] = {(unsigned)PROCESS->id, PROCESS->uid, PROCESS->gid};
        length = sizeof credentials;
        memcpy(bytes, credentials, sizeof credentials);
    } else if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO)) {
        length = sizeof(struct timeval);
    } else if (level == SOL_SOCKET && name == SO_LINGER) {
        length = 8;
    } else if (level == SOL_SOCKET && name == SO_BINDTODEVICE) {
        length = 0;
    } else if (level == SOL_SOCKET) {
        int known = known_value(socket, name);
        memcpy(bytes, &known, sizeof known);
    }
    if (length > *room) length = *room;
    memcpy(POINTER(value), bytes, length);
    *room = length;
    return 0;
}
