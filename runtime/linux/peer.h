// Peers: scripted communication partners of the program (`--peers`). The script is one list of steps
// in execution order. Each step waits until it is possible (the program listens, a text has arrived),
// and later steps wait for it. So a step of one peer may depend on a step of another, and every run is the same.
//
// A connection to a peer has no second socket. Data from a peer goes into the queue of the program's socket. Data
// from the program is appended to `received`, which expectations search, and which is saved as /.sockets/NAME.
#ifndef TAMAR_LINUX_PEER_H
#define TAMAR_LINUX_PEER_H

#include "runtime/linux/socket.h"

struct peer {
    struct peer *next;
    char *name;
    int number;
    struct address own, target;
    struct socket *socket; // the program's end; NULL: not connected yet, or closed
    bool listens, datagrams;
    bool closed; // the peer has closed its end: it accepts no more data
    bool ended;  // the program has closed its end: it sends no more data
    struct inode *received;
    size_t seen; // bytes of `received` that expectations have consumed
};

struct peers {
    const unsigned char *steps; // in the format of __tamar_peer_step
    size_t size, at;
    unsigned long moved; // time of the last step
    // When a `wait` step ends; after the last step: when the program is asked to end; 0: none.
    unsigned long deadline;
    struct peer *all;
};

struct interface { // a network interface of the simulated machine
    struct interface *next;
    char name[16];
    int index;
    unsigned char hardware[6];
    uint32_t address, mask; // in network byte order
};

void __tamar_peers_start(void);
// Executes every step that is possible now. Returns true if there was one.
bool __tamar_peers_run(void);
// Called when the program waits forever: reports the step that never happened.
void __tamar_peers_stuck(void);

// Called when the program connects, sends or closes. Return NULL or false if no peer is concerned.
struct peer *__tamar_peer_at(const struct address *name, bool datagrams);
bool __tamar_peer_connect(struct socket *socket, const struct address *name);
long __tamar_peer_receive(struct peer *peer, const void *bytes, size_t size);
void __tamar_peer_left(struct socket *socket);

// interface.c
struct interface *__tamar_interface(const char *name); // NULL: there is none
void __tamar_interface_add(const char *name, uint32_t address, uint32_t mask, const unsigned char *hardware);
long __tamar_interface_ioctl(unsigned int request, void *argument);
// Sends a frame or an IP packet: its datagram reaches the peer
// that it is addressed to; an ARP request for a peer is answered.
long __tamar_packet_out(struct socket *socket, const unsigned char *bytes, size_t size);

#endif
