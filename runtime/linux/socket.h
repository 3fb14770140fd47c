// Sockets: what socket.c (queues and connections) and socket_calls.c (the system calls) share.
//
// A connection inside the program joins two sockets, each with a queue of what the other sent. A connection to
// the world outside has no second socket: what arrives over it was there from the start (--sym-socket), what is
// sent goes into a file that nobody but the test sees. A datagram from outside is made when it is received.
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
    size_t size, start; // bytes, and how many of them have been taken
    unsigned char bytes[];
};

struct option {
    struct option *next;
    int level, name;
    socklen_t size;
    unsigned char value[16];
};

struct socket {
    struct socket *next; // of all
    int family, type, protocol;
    struct inode *inode, *path; // its own; that of a bound Unix name
    struct address name, peer_name;
    struct socket *peer; // NULL: not connected, outside, or gone
    bool connected, listens, connecting;
    bool ended;         // nothing more will arrive
    bool closed[2];     // shut down: for reading, for writing
    bool told;          // one write went through after the peer had gone
    bool asks_names;    // it talks to a name server: datagrams from outside are not for it
    int outside;        // the connection's number, 0: inside
    struct peer *far;   // who is at the other end outside, NULL: nobody of a script
    struct inode *sent; // what went outside
    struct packet *first, *last;
    size_t queued;
    struct socket *waiting; // a listening one: connections to accept, oldest first (by `next_waiting`)
    struct socket *next_waiting;
    int backlog, error;
    struct option *options;
};

bool __tamar_is_stream(const struct socket *socket); // SOCK_STREAM or SOCK_SEQPACKET: connections
bool __tamar_is_raw(const struct socket *socket);    // its user makes the packets
struct socket *__tamar_socket_new(int family, int type, int protocol);
long __tamar_socket_open(struct socket *socket, int flags); // a descriptor for it
void __tamar_socket_join(struct socket *a, struct socket *b);
struct socket *__tamar_socket_named(const struct socket *like, const struct address *name, bool listening);
// A connection or datagram from outside is still to come.
bool __tamar_outside_left(void);
bool __tamar_outside_connect(struct socket *socket);
void __tamar_outside_datagram(struct socket *socket);
bool __tamar_takes_outside(const struct socket *socket);
void __tamar_socket_bind_any(struct socket *socket); // a name for who has none
// A connection that waits to be accepted; NULL: no memory.
struct socket *__tamar_socket_wait(struct socket *listener);
// Bytes arrive; false: no memory.
bool __tamar_socket_arrive(struct socket *socket, const struct address *from, const void *bytes, size_t size);
// The far side sends nothing more.
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
