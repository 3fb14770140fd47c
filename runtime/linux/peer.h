// Peers: who talks to the program from outside, as a script says (`--peers`). The script is one list of steps, in
// the order in which they happen: each waits until it can be done (somebody listens, a text has come), and nothing
// behind it happens before. So two peers can wait for each other, and every run is the same.
//
// A connection to a peer has no second socket. What a peer sends goes into the queue of the program's socket; what
// the program sends becomes `received`, in which expectations look, and which is saved as /.sockets/NAME.
#ifndef TAMAR_LINUX_PEER_H
#define TAMAR_LINUX_PEER_H

#include "runtime/linux/socket.h"

struct peer {
    struct peer *next;
    char *name;
    int number;
    struct address own, target;
    struct socket *socket; // the program's end, NULL: not yet or no more
    bool listens, datagrams;
    bool closed; // by the peer: it takes nothing more
    bool ended;  // by the program: it sends nothing more
    struct inode *received;
    size_t seen; // of received: what expectations have passed
};

struct peers {
    const unsigned char *steps; // as __tamar_peer_step lays them out
    size_t size, at;
    unsigned long moved; // when the last step was done
    unsigned long
        deadline; // of a step that waits, 0: none; after the last step: when the program is asked to end
    struct peer *all;
};

struct interface { // of the machine on which the program believes to run
    struct interface *next;
    char name[16];
    int index;
    unsigned char hardware[6];
    uint32_t address, mask; // in the network's order
};

void __tamar_peers_start(void);
// Every step that can be done now is; true: there was one.
bool __tamar_peers_run(void);
// The program waits for ever: the user hears which step never happened.
void __tamar_peers_stuck(void);

// The program connects, sends, closes. NULL, false: no peer is meant.
struct peer *__tamar_peer_at(const struct address *name, bool datagrams);
bool __tamar_peer_connect(struct socket *socket, const struct address *name);
long __tamar_peer_receive(struct peer *peer, const void *bytes, size_t size);
void __tamar_peer_left(struct socket *socket);

// interface.c
struct interface *__tamar_interface(const char *name); // NULL: there is none
void __tamar_interface_add(const char *name, uint32_t address, uint32_t mask, const unsigned char *hardware);
long __tamar_interface_ioctl(unsigned int request, void *argument);
// A frame or an IP packet that goes out as it is: its datagram reaches the peer that it is for, a question for a
// peer's hardware address is answered.
long __tamar_packet_out(struct socket *socket, const unsigned char *bytes, size_t size);

#endif
