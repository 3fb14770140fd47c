// Scripted peers: see peer.h.
#include "runtime/linux/peer.h"

#include <arpa/inet.h>

// ---- the script

void __tamar_peers_start(void) {
    long size = __tamar_host_value(__TAMAR_PEERS);
    static const unsigned char none[6];
    __tamar_interface_add("lo", htonl(INADDR_LOOPBACK), htonl(0xff000000), none);
    if (size <= 0) return;
    struct peers *peers = __tamar_new(sizeof *peers);
    unsigned char *steps = peers ? __tamar_new((size_t)size) : NULL;
    for (long got = 0, n; steps && got < size; got += n) {
        n = __tamar_host_read_file(__TAMAR_PEERS_FILE, steps + got, (size_t)(size - got), (unsigned long)got);
        if (n <= 0) return;
    }
    if (!steps) return;
    *peers = (struct peers){.steps = steps, .size = (size_t)size};
    KERNEL->peers = peers;
    __tamar_peers_run();
}

static struct peer *peer_number(int number) {
    for (struct peer *peer = KERNEL->peers->all; peer; peer = peer->next)
        if (peer->number == number) return peer;
    return NULL;
}

static struct address read_address(const unsigned char *bytes) {
    struct address address = {.size = sizeof address.in};
    address.in.sin_family = AF_INET;
    memcpy(&address.in.sin_addr, bytes, 4);
    memcpy(&address.in.sin_port, bytes + 4, 2);
    return address;
}

static bool add_peer(int number, const unsigned char *name, size_t size) {
    struct peer *peer = __tamar_new(sizeof *peer);
    if (!peer) return true;
    peer->name = __tamar_new(size + 1);
    peer->received = __tamar_inode_new(S_IFREG | 0644, 8);
    peer->number = number;
    memcpy(peer->name, name, size);
    peer->next = KERNEL->peers->all;
    KERNEL->peers->all = peer;
    return true;
}

// ---- steps. Each returns whether it could be done.

static bool connects(struct peer *peer, const unsigned char *bytes) {
    struct socket like = {.family = AF_INET, .type = SOCK_STREAM};
    peer->own = read_address(bytes);
    peer->target = read_address(bytes + 6);
    struct socket *listener = __tamar_socket_named(&like, &peer->target, true);
    if (!listener) return false;
    struct socket *server = __tamar_socket_wait(listener);
    if (!server) return false;
    server->name = peer->target;
    server->peer_name = peer->own;
    server->connected = true;
    server->outside = (int)++KERNEL->outside_used;
    server->far = peer;
    peer->socket = server;
    return true;
}

// Datagrams go to the socket bound to the address; until there is one they wait.
static struct socket *program_end(const struct peer *peer) {
    struct socket like = {.family = AF_INET, .type = SOCK_DGRAM};
    return peer->datagrams ? __tamar_socket_named(&like, &peer->target, false) : peer->socket;
}

static bool sends(struct peer *peer, const unsigned char *bytes, size_t size) {
    struct socket *socket = program_end(peer);
    if (!socket) return peer->ended; // discarded
    return __tamar_socket_arrive(socket, peer->datagrams ? &peer->own : NULL, bytes, size);
}

static bool sends_symbolic(struct peer *peer, const unsigned char *bytes) {
    unsigned int size;
    memcpy(&size, bytes, sizeof size);
    if (!program_end(peer) && !peer->ended) return false;
    unsigned char *buffer = __tamar_new(size);
    if (!buffer) return true;
    __tamar_arrival(buffer, size, peer->name);
    sends(peer, buffer, size);
    __tamar_delete(buffer);
    return true;
}

static bool has_seen(struct peer *peer, const unsigned char *text, size_t size) {
    const struct inode *received = peer->received;
    for (size_t at = peer->seen; at + size <= received->size; at++)
        if (!memcmp(received->data + at, text, size)) {
            peer->seen = at + size;
            return true;
        }
    return false;
}

static bool closes(struct peer *peer, bool wholly) {
    if (peer->socket) __tamar_socket_end(peer->socket);
    peer->closed |= wholly;
    return true;
}

static bool waits(struct peers *peers, const unsigned char *bytes) {
    unsigned long span;
    memcpy(&span, bytes, sizeof span);
    if (!peers->deadline) peers->deadline = KERNEL->now + span;
    if (KERNEL->now < peers->deadline) return false;
    peers->deadline = 0;
    return true;
}

static bool makes_interface(const unsigned char *bytes, size_t size) {
    char name[16] = "";
    uint32_t address, mask;
    memcpy(&address, bytes, 4);
    memcpy(&mask, bytes + 4, 4);
    memcpy(name, bytes + 14, size - 14);
    __tamar_interface_add(name, address, mask, bytes + 8);
    return true;
}

static bool do_step(struct peers *peers, const struct __tamar_peer_step *step, const unsigned char *bytes) {
    struct peer *peer = peer_number((int)step->peer);
    switch ((enum __tamar_peer_kind)step->kind) {
    case __TAMAR_PEER_NAME: return add_peer((int)step->peer, bytes, step->size);
    case __TAMAR_PEER_INTERFACE: return makes_interface(bytes, step->size);
    case __TAMAR_PEER_CONNECT: return connects(peer, bytes);
    case __TAMAR_PEER_LISTEN: peer->own = read_address(bytes); return peer->listens = true;
    case __TAMAR_PEER_UDP:
        peer->own = read_address(bytes);
        peer->target = read_address(bytes + 6);
        return peer->datagrams = true;
    case __TAMAR_PEER_ACCEPT: return peer->socket || peer->ended;
    case __TAMAR_PEER_SEND: return sends(peer, bytes, step->size);
    case __TAMAR_PEER_SYMBOLIC: return sends_symbolic(peer, bytes);
    case __TAMAR_PEER_EXPECT: return has_seen(peer, bytes, step->size);
    case __TAMAR_PEER_SHUTDOWN: return closes(peer, false);
    case __TAMAR_PEER_CLOSE: return closes(peer, true);
    case __TAMAR_PEER_ENDS: return peer->ended;
    case __TAMAR_PEER_WAIT: return waits(peers, bytes);
    }
    return true;
}

bool __tamar_peers_run(void) {
    struct peers *peers = KERNEL->peers;
    struct __tamar_peer_step step;
    bool some = false;
    while (peers && peers->at < peers->size) {
        memcpy(&step, peers->steps + peers->at, sizeof step);
        if (!do_step(peers, &step, peers->steps + peers->at + sizeof step)) break;
        peers->at += sizeof step + step.size;
        peers->moved = KERNEL->now;
        some = true;
    }
    return some;
}

void __tamar_peers_stuck(void) {
    static const char start[] = "the peers' script stops at line ", end[] = ": its condition is never met";
    struct peers *peers = KERNEL->peers;
    struct __tamar_peer_step step;
    char text[sizeof start + sizeof end + 12], digits[12], *p = digits + sizeof digits;
    if (!peers || peers->at >= peers->size) return;
    memcpy(&step, peers->steps + peers->at, sizeof step);
    peers->at = peers->size; // reported once; the script is over
    *--p = 0;
    do *--p = (char)('0' + step.line % 10);
    while (step.line /= 10);
    __tamar_gave_up(strcat(strcat(strcpy(text, start), p), end));
}

// ---- the program's side

static bool is_for(const struct address *name, const struct address *own) {
    if (name->family != AF_INET || name->in.sin_port != own->in.sin_port) return false;
    uint32_t to = ntohl(name->in.sin_addr.s_addr), at = ntohl(own->in.sin_addr.s_addr);
    return to == at || !at || !to || to == INADDR_BROADCAST;
}

struct peer *__tamar_peer_at(const struct address *name, bool datagrams) {
    struct peer *found = NULL;
    for (struct peer *peer = KERNEL->peers ? KERNEL->peers->all : NULL; peer; peer = peer->next)
        if ((datagrams ? peer->datagrams : peer->listens && !peer->socket && !peer->ended) &&
            is_for(name, &peer->own))
            found = peer; // the first one in the script
    return found;
}

bool __tamar_peer_connect(struct socket *socket, const struct address *name) {
    struct peer *peer = __tamar_peer_at(name, false);
    if (!peer) return false;
    __tamar_socket_bind_any(socket);
    socket->peer_name = *name;
    socket->connected = true;
    socket->outside = (int)++KERNEL->outside_used;
    socket->far = peer;
    peer->socket = socket;
    return true;
}

long __tamar_peer_receive(struct peer *peer, const void *bytes, size_t size) {
    return __tamar_inode_write(peer->received, bytes, size, peer->received->size);
}

void __tamar_peer_left(struct socket *socket) {
    struct peer *peer = socket->far;
    if (!peer) return;
    peer->ended = true;
    if (peer->socket == socket) peer->socket = NULL;
    socket->far = NULL;
}
