// Sockets: declarations shared by socket.c (queues and connections) and socket_calls.c (the system calls).
//
// A connection inside the program joins two sockets, each with a queue of data sent by the other. A connection
// to the outside has no second socket: its input was in the queue from the start (--sym-socket), and its
// output is kept in memory, and saved with the program's files if that is asked for (save.c). A datagram from outside
// is created when it is received.
#ifndef TAMAR_LINUX_SOCKET_H
#define TAMAR_LINUX_SOCKET_H

#include "runtime/linux/linux.h"

#include <netinet/in.h>
#include <netpacket/packet.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { QUEUE_MOST = 212992, MOST_PASSED = 16, FIRST_PORT = 32768 };

struct address {
    socklen_t size; // 0: none
    union {
        sa_family_t family;
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
        struct sockaddr_un un;
        struct sockaddr_ll ll;
        unsigned char bytes[128];
    };
};

struct packet { // a piece of a stream, or a datagram
    struct packet *next;
    struct address from;
    struct file *passed[MOST_PASSED]; // SCM_RIGHTS
    int passed_count;
    size_t size, start; // bytes; bytes that have been consumed
    unsigned char bytes[];
};

struct option {
    struct option *next;
    int level, name;
    socklen_t size;
    unsigned char value[16];
};

struct socket {
    struct socket *next; // list of all sockets
    int family, type, protocol;
    struct inode *inode, *path; // inode of the socket; inode of the Unix name that it is bound to
    struct address name, peer_name;
    struct socket *peer; // NULL: not connected, outside, or closed
    bool connected, listens, connecting;
    bool ended;             // no more data will arrive
    bool closed[2];         // shut down: for reading, for writing
    bool wrote_after_close; // one write has succeeded after the peer was closed; the next one fails
    bool asks_names;        // talks to a name server: gets no datagrams from outside
    int outside;            // the connection's number, 0: inside the program
    struct peer *far;       // the scripted peer at the other end, NULL: none
    struct inode *sent;     // data sent outside
    struct packet *first, *last;
    size_t queued;
    struct socket *waiting; // listening: connections to accept, oldest first (linked by `next_waiting`)
    struct socket *next_waiting;
    int backlog, error;
    struct option *options;
};

bool __tamar_is_stream(const struct socket *socket); // SOCK_STREAM or SOCK_SEQPACKET: connections
bool __tamar_is_raw(const struct socket *socket);    // the program builds the packets itself
struct socket *__tamar_socket_new(int family, int type, int protocol);
long __tamar_socket_open(struct socket *socket, int flags); // returns a descriptor for it
void __tamar_socket_join(struct socket *a, struct socket *b);
struct socket *__tamar_socket_named(const struct socket *like, const struct address *name, bool listening);
// Whether a connection or datagram from outside is still to come.
bool __tamar_outside_left(void);
bool __tamar_outside_connect(struct socket *socket);
void __tamar_outside_datagram(struct socket *socket);
bool __tamar_takes_outside(const struct socket *socket);
void __tamar_socket_bind_any(struct socket *socket); // binds an unbound socket
// Adds a connection that waits to be accepted. Returns NULL without memory.
struct socket *__tamar_socket_wait(struct socket *listener);
// Appends arriving bytes. Returns false without memory.
bool __tamar_socket_arrive(struct socket *socket, const struct address *from, const void *bytes, size_t size);
// Ends the data from the other side.
void __tamar_socket_end(struct socket *socket);

struct message {
    struct iovec *parts;
    size_t part_count;
    const struct address *to; // NULL: the peer
    struct address *from;     // may be NULL
    struct file *passed[MOST_PASSED];
    int passed_count;
    int flags, out_flags;
};
long __tamar_socket_send(struct socket *socket, struct message *message, bool blocks);
long __tamar_socket_receive(struct socket *socket, struct message *message, bool blocks);
unsigned long __tamar_socket_deadline(const struct socket *socket, int option);
struct option *__tamar_socket_option(const struct socket *socket, int level, int name);

#endif
