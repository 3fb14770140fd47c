// Sockets: queues and connections, inside the program and to the simulated outside.
#include "runtime/linux/peer.h"

#include <poll.h>
#include <sys/time.h>
#include <sys/uio.h>

bool __tamar_is_stream(const struct socket *socket) {
    return socket->type == SOCK_STREAM || socket->type == SOCK_SEQPACKET;
}
bool __tamar_is_raw(const struct socket *socket) {
    return socket->family == AF_PACKET || socket->type == SOCK_RAW;
}
static bool keeps_packets(const struct socket *socket) { return socket->type != SOCK_STREAM; }

static void notice(struct socket *socket) {
    socket->inode->activity++;
    __tamar_changed();
}

struct socket *__tamar_socket_new(int family, int type, int protocol) {
    struct socket *socket = __tamar_new(sizeof *socket);
    struct inode *inode = socket ? __tamar_inode_new(S_IFSOCK | 0777, 8) : NULL;
    if (!inode) return NULL;
    inode->socket = socket;
    socket->inode = inode;
    socket->family = family;
    socket->type = type;
    socket->protocol = protocol;
    socket->next = KERNEL->sockets;
    return KERNEL->sockets = socket;
}

long __tamar_socket_open(struct socket *socket, int flags) {
    struct file *file = __tamar_file_new(socket->inode, O_RDWR | (flags & SOCK_NONBLOCK ? O_NONBLOCK : 0));
    return file ? __tamar_descriptor_new(file, 0, (flags & SOCK_CLOEXEC) != 0) : -ENFILE;
}

void __tamar_socket_join(struct socket *a, struct socket *b) {
    a->peer = b, b->peer = a;
    a->connected = b->connected = true;
}

// ---- names

static bool is_any(const struct address *name) {
    if (name->family == AF_INET) return name->in.sin_addr.s_addr == INADDR_ANY;
    if (name->family == AF_INET6) return !memcmp(&name->in6.sin6_addr, &in6addr_any, 16);
    return false;
}

static in_port_t port_of(const struct address *name) {
    return name->family == AF_INET ? name->in.sin_port : name->in6.sin6_port;
}

static bool same_host(const struct address *a, const struct address *b) {
    if (is_any(a) || is_any(b)) return true;
    if (a->family != b->family) return false;
    return a->family == AF_INET ? a->in.sin_addr.s_addr == b->in.sin_addr.s_addr
                                : !memcmp(&a->in6.sin6_addr, &b->in6.sin6_addr, 16);
}

static bool same_name(const struct socket *socket, const struct address *name, struct inode *path) {
    if (!socket->name.size) return false;
    if (socket->family != AF_UNIX)
        return name->family != AF_UNIX && port_of(&socket->name) == port_of(name) &&
               same_host(&socket->name, name);
    if (path) return socket->path == path;
    return !socket->path && socket->name.size == name->size &&
           !memcmp(socket->name.bytes, name->bytes, name->size);
}

struct socket *__tamar_socket_named(const struct socket *like, const struct address *name, bool listening) {
    struct inode *path = NULL;
    bool is_path = name->family == AF_UNIX && name->un.sun_path[0];
    if (is_path && __tamar_find(AT_FDCWD, name->un.sun_path, FOLLOW, &path) < 0) return NULL;
    for (struct socket *socket = KERNEL->sockets; socket; socket = socket->next)
        if (socket != like && socket->type == like->type && !__tamar_is_raw(socket) &&
            socket->listens == listening && !(socket->connected && __tamar_is_stream(socket)) &&
            same_name(socket, name, path))
            return socket;
    return NULL;
}

// ---- queues

static void release_packet(struct packet *packet) {
    for (int i = 0; i < packet->passed_count; i++) __tamar_file_release(packet->passed[i]);
    __tamar_delete(packet);
}

static struct packet *new_packet(size_t size) {
    struct packet *packet = __tamar_new(sizeof *packet + size);
    if (packet) packet->size = size;
    return packet;
}

static void enqueue(struct socket *socket, struct packet *packet) {
    if (socket->first)
        socket->last->next = packet;
    else
        socket->first = packet;
    socket->last = packet;
    socket->queued += packet->size;
    notice(socket);
}

bool __tamar_socket_arrive(struct socket *socket, const struct address *from, const void *bytes,
                           size_t size) {
    struct packet *packet = new_packet(size);
    if (!packet) return false;
    memcpy(packet->bytes, bytes, size);
    if (from) packet->from = *from;
    enqueue(socket, packet);
    return true;
}

void __tamar_socket_end(struct socket *socket) {
    socket->ended = true;
    notice(socket);
}

static void dequeue(struct socket *socket) {
    struct packet *packet = socket->first;
    socket->first = packet->next;
    release_packet(packet);
}

// ---- the outside

static size_t total_size(const struct message *message) {
    size_t size = 0;
    for (size_t i = 0; i < message->part_count; i++) size += message->parts[i].iov_len;
    return size;
}

static void gather(const struct message *message, unsigned char *to, size_t skip, size_t size) {
    for (size_t i = 0; i < message->part_count && size; i++) {
        size_t length = message->parts[i].iov_len;
        size_t from = skip < length ? skip : length, piece = length - from < size ? length - from : size;
        memcpy(to, (char *)message->parts[i].iov_base + from, piece);
        to += piece, size -= piece, skip -= from;
    }
}

bool __tamar_outside_left(void) { return KERNEL->outside_used < __tamar_host_value(__TAMAR_SOCKETS); }

static void name_input(char *name, int number, const char *end) {
    char digits[12], *p = digits + sizeof digits;
    *--p = 0;
    do *--p = (char)('0' + number % 10);
    while (number /= 10);
    strcpy(name, "socket");
    strcat(strcat(name, p), end);
}

// Creates the data of an arrival: symbolic bytes, of a symbolic length between the least and the most.
static struct packet *arrival(int number) {
    char name[32];
    size_t least = (size_t)__tamar_host_value(__TAMAR_SOCKET_SIZES + 2 * (number - 1)), length;
    size_t most = (size_t)__tamar_host_value(__TAMAR_SOCKET_SIZES + 2 * (number - 1) + 1);
    unsigned int chosen;
    length = most;
    if (least < most) {
        name_input(name, number, "-length");
        __tamar_arrival(&chosen, sizeof chosen, name);
        __tamar_assume(chosen >= least && chosen <= most);
        length = chosen;
    }
    struct packet *packet = new_packet(most);
    if (!packet) return NULL;
    name_input(name, number, "");
    __tamar_arrival(packet->bytes, most, name);
    packet->size = length;
    return packet;
}

// Names an outside peer: 192.0.2.1 (a network for documentation), each with its own port.
static struct address outside_name(int family, int number) {
    struct address name = {.size = 0};
    if (family == AF_INET) {
        name.size = sizeof name.in;
        name.in = (struct sockaddr_in){.sin_family = AF_INET,
                                       .sin_port = htons((in_port_t)(40000 + number)),
                                       .sin_addr.s_addr = htonl(0xc0000201)};
    } else if (family == AF_INET6) {
        name.size = sizeof name.in6;
        name.in6.sin6_family = AF_INET6;
        name.in6.sin6_port = htons((in_port_t)(40000 + number));
        memcpy(&name.in6.sin6_addr, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1", 16);
    } else {
        name.size = sizeof(sa_family_t);
        name.family = AF_UNIX;
    }
    return name;
}

bool __tamar_outside_connect(struct socket *socket) {
    int number = (int)++KERNEL->outside_used;
    struct packet *packet = arrival(number);
    if (!packet) return false;
    socket->outside = number;
    socket->connected = true;
    if (!socket->peer_name.size) socket->peer_name = outside_name(socket->family, number);
    if (packet->size)
        enqueue(socket, packet);
    else
        release_packet(packet);
    socket->ended = true; // the peer sends this data and then closes
    return true;
}

void __tamar_outside_datagram(struct socket *socket) {
    int number = (int)++KERNEL->outside_used;
    struct packet *packet = arrival(number);
    if (!packet) return;
    packet->from = socket->peer_name.size ? socket->peer_name : outside_name(socket->family, number);
    enqueue(socket, packet);
}

// Whether data would arrive from outside if this socket were read now.
bool __tamar_takes_outside(const struct socket *socket) {
    if (!__tamar_outside_left()) return false;
    if (socket->listens) return !socket->waiting;
    return !__tamar_is_stream(socket) && !socket->first && !socket->peer && !socket->asks_names &&
           !__tamar_is_raw(socket) && socket->family != AF_UNIX && socket->name.size;
}

// Saves data sent over a connection with the files that the program leaves behind.
static long keep_sent(struct socket *socket, const unsigned char *bytes, size_t size) {
    if (!socket->sent) {
        struct sent *sent = __tamar_new(sizeof *sent);
        socket->sent = sent ? __tamar_inode_new(S_IFREG | 0644, 8) : NULL;
        if (!socket->sent) return -ENOBUFS;
        *sent = (struct sent){KERNEL->sent, socket->outside, socket->sent};
        KERNEL->sent = sent;
    }
    return __tamar_inode_write(socket->sent, bytes, size, socket->sent->size);
}

// Sends outside. `peer`: the scripted receiver, NULL: none.
static long send_outside(struct socket *socket, struct peer *peer, const struct message *message,
                         size_t size) {
    unsigned char *bytes = __tamar_new(size ? size : 1);
    if (!bytes) return -ENOBUFS;
    gather(message, bytes, 0, size);
    long result = __tamar_is_raw(socket) ? __tamar_packet_out(socket, bytes, size) : 0;
    if (result == 0 && !(__tamar_is_raw(socket) && KERNEL->peers))
        result = peer ? __tamar_peer_receive(peer, bytes, size) : keep_sent(socket, bytes, size);
    __tamar_delete(bytes);
    return result < 0 ? result : (long)size;
}

// ---- sending

static long broken(struct socket *socket, const struct message *message) {
    if (__tamar_is_stream(socket) && !(message->flags & MSG_NOSIGNAL)) __tamar_signal_send(SIGPIPE);
    return -EPIPE;
}

static long put(struct socket *from, struct socket *to, struct message *message, size_t start, size_t size) {
    struct packet *packet = new_packet(size);
    if (!packet) return -ENOBUFS;
    gather(message, packet->bytes, start, size);
    packet->from = from->name;
    if (!packet->from.size && from->family == AF_UNIX) packet->from = outside_name(AF_UNIX, 0);
    for (int i = 0; i < message->passed_count; i++) {
        packet->passed[packet->passed_count++] = message->passed[i];
        message->passed[i]->references++;
    }
    message->passed_count = 0; // only with the first piece
    enqueue(to, packet);
    return (long)size;
}

unsigned long __tamar_socket_deadline(const struct socket *socket, int name) {
    const struct option *option = __tamar_socket_option(socket, SOL_SOCKET, name);
    struct timeval time = {0, 0};
    if (option) memcpy(&time, option->value, sizeof time);
    if (!time.tv_sec && !time.tv_usec) return 0;
    return __tamar_time() + (unsigned long)time.tv_sec * 1000000000ul + (unsigned long)time.tv_usec * 1000ul;
}

static long send_stream(struct socket *socket, struct message *message, size_t size, bool blocks) {
    size_t done = 0;
    unsigned long deadline = __tamar_socket_deadline(socket, SO_SNDTIMEO);
    if (!socket->connected) return socket->family == AF_UNIX ? -ENOTCONN : broken(socket, message);
    do {
        if (socket->closed[1]) return done ? (long)done : broken(socket, message);
        struct socket *peer = socket->peer;
        if (socket->outside && !(socket->far && socket->far->closed))
            return send_outside(socket, socket->far, message, size);
        if (!peer || peer->closed[0]) {
            bool accepted = socket->family != AF_UNIX && !socket->wrote_after_close && !peer;
            socket->wrote_after_close = true; // on a network the first write after the close still succeeds
            return done || accepted ? (long)(accepted ? size : done) : broken(socket, message);
        }
        if (!size && !keeps_packets(socket)) return 0;
        size_t room = peer->queued < QUEUE_MOST ? QUEUE_MOST - peer->queued : 0, left = size - done;
        size_t piece = keeps_packets(socket) ? (room >= left || !peer->queued ? left : 0)
                       : left < room         ? left
                                             : room;
        if (piece || !left) {
            long n = put(socket, peer, message, done, piece);
            if (n < 0) return done ? (long)done : n;
            done += piece;
        } else {
            if (!blocks) return done ? (long)done : -EAGAIN;
            long error = __tamar_wait(deadline, WAIT_RESTART, "sending to a socket that is never emptied");
            if (error) return done ? (long)done : error == -ETIMEDOUT ? -EAGAIN : error;
        }
    } while (done < size);
    return (long)done;
}

// Sends a packet: the interface is in the address; a scripted peer is found by the packet.
static long send_packet(struct socket *socket, const struct message *message, size_t size) {
    const struct address *to = message->to ? message->to : &socket->name;
    if (socket->family == AF_PACKET) {
        bool known = socket->type == SOCK_PACKET && message->to &&
                     __tamar_interface((const char *)to->bytes + sizeof(sa_family_t));
        for (const struct interface *at = KERNEL->interfaces; socket->type != SOCK_PACKET && at;
             at = at->next)
            known |= at->index == to->ll.sll_ifindex;
        if (!known) return socket->type == SOCK_PACKET && !message->to ? -ENOTCONN : -ENXIO;
    } else if (!message->to && !socket->peer_name.size) {
        return -EDESTADDRREQ;
    }
    return send_outside(socket, NULL, message, size);
}

static long send_datagram(struct socket *socket, struct message *message, size_t size, bool blocks) {
    if (__tamar_is_raw(socket)) return send_packet(socket, message, size);
    const struct address *to = message->to ? message->to : &socket->peer_name;
    if (!to->size && !socket->peer) return socket->family == AF_UNIX ? -ENOTCONN : -EDESTADDRREQ;
    bool has_name = to->size > sizeof(sa_family_t);
    if (socket->family == AF_UNIX && !message->to && !socket->peer && !has_name) {
        // The other end of a pair has been closed. As in the kernel, unread packets are lost, and a second attempt is
        // not connected.
        while (socket->first) dequeue(socket);
        socket->peer_name.size = 0;
        return -ECONNREFUSED;
    }
    if (size > 65507 && socket->family != AF_UNIX) return -EMSGSIZE;
    if (socket->closed[1]) return broken(socket, message);
    struct socket *target =
        message->to || !socket->peer ? __tamar_socket_named(socket, to, false) : socket->peer;
    if (socket->family != AF_UNIX && !socket->name.size) __tamar_socket_bind_any(socket);
    if (!target) {
        if (socket->family == AF_UNIX) {
            struct inode *inode;
            long error = to->un.sun_path[0] ? __tamar_find(AT_FDCWD, to->un.sun_path, FOLLOW, &inode) : 0;
            return error < 0 ? error : -ECONNREFUSED;
        }
        if (ntohs(port_of(to)) == 53) socket->asks_names = true;
        return send_outside(socket, __tamar_peer_at(to, true), message, size);
    }
    while (target->queued + size > QUEUE_MOST && target->queued) {
        if (socket->family != AF_UNIX) return (long)size; // lost in transit
        if (!blocks) return -EAGAIN;
        long error = __tamar_wait(0, WAIT_RESTART, "sending to a socket that is never emptied");
        if (error) return error;
    }
    return put(socket, target, message, 0, size);
}

long __tamar_socket_send(struct socket *socket, struct message *message, bool blocks) {
    size_t size = total_size(message);
    // Sending over a broken local connection fails with EPIPE; its error is left for a receiver.
    if (socket->error && !(socket->family == AF_UNIX && socket->type == SOCK_STREAM)) {
        int error = socket->error;
        socket->error = 0;
        return -error;
    }
    if (__tamar_is_stream(socket)) {
        if (message->to && socket->connected) return -EISCONN;
        return send_stream(socket, message, size, blocks);
    }
    return send_datagram(socket, message, size, blocks);
}

// ---- receiving

static size_t scatter(struct message *message, size_t at, const unsigned char *from, size_t size) {
    size_t done = 0;
    for (size_t i = 0; i < message->part_count && done < size; i++) {
        size_t length = message->parts[i].iov_len;
        if (at >= length) {
            at -= length;
            continue;
        }
        size_t piece = length - at < size - done ? length - at : size - done;
        memcpy((char *)message->parts[i].iov_base + at, from + done, piece);
        done += piece;
        at = 0;
    }
    return done;
}

static void take_passed(struct packet *packet, struct message *message) {
    message->passed_count = packet->passed_count;
    memcpy(message->passed, packet->passed, sizeof packet->passed);
    packet->passed_count = 0;
}

static long take_stream(struct socket *socket, struct message *message, size_t size) {
    bool peeks = message->flags & MSG_PEEK;
    size_t done = 0;
    for (struct packet *packet = socket->first, *next; packet && done < size; packet = next) {
        next = packet->next;
        if (packet->passed_count && done) break; // descriptors stay with their bytes
        size_t left = packet->size - packet->start, piece = left < size - done ? left : size - done;
        scatter(message, done, packet->bytes + packet->start, piece);
        done += piece;
        if (peeks) continue;
        bool passes = packet->passed_count;
        if (passes) take_passed(packet, message);
        packet->start += piece;
        socket->queued -= piece;
        if (packet->start == packet->size) dequeue(socket);
        if (passes) break;
    }
    return (long)done;
}

static long take_packet(struct socket *socket, struct message *message, size_t size) {
    struct packet *packet = socket->first;
    size_t done = scatter(message, 0, packet->bytes, packet->size < size ? packet->size : size);
    if (packet->size > size) message->out_flags |= MSG_TRUNC;
    if (message->from) *message->from = packet->from;
    long result = (long)(message->flags & MSG_TRUNC ? packet->size : done);
    if (message->flags & MSG_PEEK) return result;
    take_passed(packet, message);
    socket->queued -= packet->size;
    dequeue(socket);
    return result;
}

static bool may_come_from_outside(const struct socket *socket) {
    return socket->far || (!__tamar_is_stream(socket) && socket->family != AF_UNIX);
}

static long wait_for_data(struct socket *socket, bool blocks) {
    unsigned long deadline = __tamar_socket_deadline(socket, SO_RCVTIMEO);
    for (;;) {
        if (!socket->first && __tamar_takes_outside(socket)) __tamar_outside_datagram(socket);
        bool fails =
            socket->error && (keeps_packets(socket) || !socket->first); // a byte stream delivers data first
        if (socket->first && !fails) return 1;
        if (fails) {
            int error = socket->error;
            socket->error = 0;
            return -error;
        }
        if (socket->ended || (socket->closed[0] && (blocks || __tamar_is_stream(socket)))) return 0;
        if (!blocks) return -EAGAIN;
        int how = WAIT_RESTART | (may_come_from_outside(socket) ? WAIT_OUTSIDE : 0);
        long error = __tamar_wait(deadline, how, "receiving from a socket that never gets data");
        if (error) return error == -ETIMEDOUT ? -EAGAIN : error;
    }
}

long __tamar_socket_receive(struct socket *socket, struct message *message, bool blocks) {
    size_t size = total_size(message), done = 0;
    if (__tamar_is_stream(socket) && !socket->connected)
        return socket->listens || socket->family != AF_UNIX ? -ENOTCONN : -EINVAL;
    if (message->from && socket->type == SOCK_STREAM) message->from->size = 0;
    do {
        long ready = wait_for_data(socket, blocks);
        if (ready <= 0) return done ? (long)done : ready;
        if (keeps_packets(socket)) done = (size_t)take_packet(socket, message, size);
        if (keeps_packets(socket)) break;
        struct message rest = *message;
        struct iovec part = {NULL, 0};
        if (done) { // MSG_WAITALL continues after the bytes it has; only with one part
            part = (struct iovec){(char *)message->parts[0].iov_base + done, size - done};
            rest.parts = &part, rest.part_count = 1;
        }
        done += (size_t)take_stream(socket, done ? &rest : message, size - done);
    } while ((message->flags & MSG_WAITALL) && !(message->flags & MSG_PEEK) && message->part_count == 1 &&
             done < size);
    if (socket->peer) notice(socket->peer);
    return (long)done;
}

// ---- as files

long __tamar_socket_read(struct file *file, void *buffer, size_t size) {
    struct iovec part = {buffer, size};
    struct message message = {.parts = &part, .part_count = 1};
    long n = __tamar_socket_receive(file->inode->socket, &message, !(file->flags & O_NONBLOCK));
    for (int i = 0; i < message.passed_count; i++) __tamar_file_release(message.passed[i]);
    return n;
}

long __tamar_socket_write(struct file *file, const void *buffer, size_t size) {
    struct iovec part = {(void *)buffer, size};
    struct message message = {.parts = &part, .part_count = 1};
    return __tamar_socket_send(file->inode->socket, &message, !(file->flags & O_NONBLOCK));
}

int __tamar_socket_events(const struct inode *inode) {
    const struct socket *socket = inode->socket;
    if (socket->listens) return socket->waiting || __tamar_outside_left() ? POLLIN | POLLRDNORM : 0;
    int events = 0;
    bool gone = socket->connected && !socket->peer && !socket->outside && __tamar_is_stream(socket);
    bool end = socket->ended || socket->closed[0];
    if (socket->first || end || __tamar_takes_outside(socket)) events |= POLLIN | POLLRDNORM;
    if (end) events |= POLLRDHUP;
    gone &= socket->family == AF_UNIX || socket->closed[1]; // a network closes each direction separately
    if (gone || (socket->closed[0] && socket->closed[1])) events |= POLLHUP;
    if (socket->error) events |= POLLERR;
    if (!__tamar_is_stream(socket) ||
        (socket->connected && (!socket->peer || socket->peer->queued < QUEUE_MOST)))
        events |= POLLOUT | POLLWRNORM;
    if (__tamar_is_stream(socket) && !socket->connected) events |= POLLHUP | POLLOUT | POLLWRNORM;
    return events;
}

unsigned long __tamar_socket_available(const struct inode *inode) {
    const struct socket *socket = inode->socket;
    return socket->type == SOCK_DGRAM && socket->first ? socket->first->size : socket->queued;
}

static void forget(struct socket *socket) {
    for (struct socket **at = &KERNEL->sockets; *at; at = &(*at)->next)
        if (*at == socket) {
            *at = socket->next;
            break;
        }
    for (struct option *option = socket->options, *next; option; option = next) {
        next = option->next;
        __tamar_delete(option);
    }
    if (socket->path) {
        socket->path->open_count--;
        __tamar_inode_drop(socket->path);
    }
}

void __tamar_socket_closed(struct inode *inode) {
    struct socket *socket = inode->socket;
    if (socket->peer) {
        bool unread = socket->queued && __tamar_is_stream(socket);
        socket->peer->peer = NULL;
        if (__tamar_is_stream(socket)) socket->peer->ended = true;
        if (unread) socket->peer->error = ECONNRESET;
        notice(socket->peer);
    }
    for (struct socket *waiting = socket->waiting, *next; waiting; waiting = next) {
        next = waiting->next_waiting;
        waiting->inode->open_count--;
        __tamar_inode_drop(waiting->inode); // never accepted
    }
    __tamar_peer_left(socket);
    while (socket->first) dequeue(socket);
    forget(socket);
    __tamar_delete(socket);
}
