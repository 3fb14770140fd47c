// Network interfaces, as seen through ioctl, and packets built by the program.
#include "runtime/linux/peer.h"

#include <arpa/inet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <sys/ioctl.h>

struct interface *__tamar_interface(const char *name) {
    for (struct interface *at = KERNEL->interfaces; at; at = at->next)
        if (!strncmp(at->name, name, IFNAMSIZ)) return at;
    return NULL;
}

void __tamar_interface_add(const char *name, uint32_t address, uint32_t mask, const unsigned char *hardware) {
    struct interface *interface = __tamar_new(sizeof *interface), **last = &KERNEL->interfaces;
    if (!interface) return;
    *interface = (struct interface){.index = 1, .address = address, .mask = mask};
    strncpy(interface->name, name, sizeof interface->name - 1);
    memcpy(interface->hardware, hardware, sizeof interface->hardware);
    for (; *last; last = &(*last)->next) interface->index++;
    *last = interface;
}

static bool is_loopback(const struct interface *interface) { return interface->index == 1; }

// ---- ioctl

static void give_address(struct sockaddr *to, uint32_t address) {
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = address};
    memcpy(to, &name, sizeof name);
}

static long list(struct ifconf *result) {
    int room = result->ifc_len, used = 0;
    for (struct interface *at = KERNEL->interfaces; at; at = at->next) {
        struct ifreq request = {0};
        strcpy(request.ifr_name, at->name);
        give_address(&request.ifr_addr, at->address);
        if (result->ifc_buf && used + (int)sizeof request > room) break;
        if (result->ifc_buf) memcpy(result->ifc_buf + used, &request, sizeof request);
        used += (int)sizeof request;
    }
    result->ifc_len = used;
    return 0;
}

static long by_index(struct ifreq *request) {
    for (struct interface *at = KERNEL->interfaces; at; at = at->next)
        if (at->index == request->ifr_ifindex) {
            strcpy(request->ifr_name, at->name);
            return 0;
        }
    return -ENODEV;
}

long __tamar_interface_ioctl(unsigned int what, void *argument) {
    struct ifreq *request = argument;
    if (what == SIOCGIFCONF) return list(argument);
    if (what == SIOCGIFNAME) return by_index(request);
    if (what != SIOCGIFINDEX && what != SIOCGIFADDR && what != SIOCGIFNETMASK && what != SIOCGIFBRDADDR &&
        what != SIOCGIFHWADDR && what != SIOCGIFFLAGS && what != SIOCGIFMTU)
        return -ENOTTY;
    const struct interface *interface = __tamar_interface(request->ifr_name);
    if (!interface) return -ENODEV;
    switch (what) {
    case SIOCGIFINDEX: request->ifr_ifindex = interface->index; break;
    case SIOCGIFADDR: give_address(&request->ifr_addr, interface->address); break;
    case SIOCGIFNETMASK: give_address(&request->ifr_netmask, interface->mask); break;
    case SIOCGIFBRDADDR:
        give_address(&request->ifr_broadaddr,
                     is_loopback(interface) ? 0 : interface->address | ~interface->mask);
        break;
    case SIOCGIFHWADDR:
        memset(&request->ifr_hwaddr, 0, sizeof request->ifr_hwaddr);
        request->ifr_hwaddr.sa_family = is_loopback(interface) ? ARPHRD_LOOPBACK : ARPHRD_ETHER;
        memcpy(request->ifr_hwaddr.sa_data, interface->hardware, sizeof interface->hardware);
        break;
    case SIOCGIFFLAGS:
        request->ifr_flags =
            IFF_UP | IFF_RUNNING | (is_loopback(interface) ? IFF_LOOPBACK : IFF_BROADCAST | IFF_MULTICAST);
        break;
    case SIOCGIFMTU: request->ifr_mtu = is_loopback(interface) ? 65536 : 1500; break;
    }
    return 0;
}

// ---- packets

struct arp { // for Ethernet and IP
    struct arphdr head;
    unsigned char sender[6], sender_address[4], target[6], target_address[4];
} __attribute__((packed));

static void answer_arp(const struct arp *question) {
    static const unsigned char hardware[6] = {2, 0, 0, 0, 1, 0};
    struct {
        unsigned char to[6], from[6];
        uint16_t type;
        struct arp arp;
        unsigned char padding[18];
    } __attribute__((packed)) frame = {.type = htons(ETHERTYPE_ARP)};
    struct peer *peer = KERNEL->peers ? KERNEL->peers->all : NULL;
    while (peer && !(peer->datagrams && peer->own.in.sin_addr.s_addr &&
                     !memcmp(&peer->own.in.sin_addr, question->target_address, 4)))
        peer = peer->next;
    if (!peer || question->head.ar_op != htons(ARPOP_REQUEST)) return;
    memcpy(frame.to, question->sender, 6);
    memcpy(frame.from, hardware, 6);
    frame.from[5] = (unsigned char)peer->number;
    frame.arp.head = question->head;
    frame.arp.head.ar_op = htons(ARPOP_REPLY);
    memcpy(frame.arp.sender, frame.from, 6);
    memcpy(frame.arp.sender_address, question->target_address, 4);
    memcpy(frame.arp.target, question->sender, 6);
    memcpy(frame.arp.target_address, question->sender_address, 4);
    for (struct socket *socket = KERNEL->sockets; socket; socket = socket->next) {
        bool headed = socket->type != SOCK_DGRAM; // the packet has an Ethernet header
        if (socket->family != AF_PACKET) continue;
        if (socket->protocol == htons(ETHERTYPE_ARP) || socket->protocol == htons(ETH_P_ALL))
            __tamar_socket_arrive(socket, NULL, headed ? (void *)&frame : (void *)&frame.arp,
                                  sizeof frame - (headed ? 0 : ETHER_HDR_LEN));
    }
}

static void deliver_datagram(const unsigned char *bytes, size_t size) {
    struct ip head;
    struct udphdr udp;
    if (size < sizeof head) return;
    memcpy(&head, bytes, sizeof head);
    size_t start = head.ip_hl * 4u, length = ntohs(head.ip_len);
    if (head.ip_v != 4 || head.ip_p != IPPROTO_UDP || length > size || start + sizeof udp > length) return;
    memcpy(&udp, bytes + start, sizeof udp);
    struct address to = {.size = sizeof to.in};
    to.in = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = udp.uh_dport, .sin_addr = head.ip_dst};
    struct peer *peer = __tamar_peer_at(&to, true);
    if (peer) __tamar_peer_receive(peer, bytes + start + sizeof udp, length - start - sizeof udp);
}

long __tamar_packet_out(struct socket *socket, const unsigned char *bytes, size_t size) {
    uint16_t type = (uint16_t)socket->protocol;
    if (socket->family == AF_PACKET && socket->type != SOCK_DGRAM) {
        if (size < ETHER_HDR_LEN) return -EINVAL;
        memcpy(&type, bytes + 12, 2);
        bytes += ETHER_HDR_LEN;
        size -= ETHER_HDR_LEN;
    } else if (socket->family == AF_INET) {
        type = htons(ETHERTYPE_IP);
    }
    if (type == htons(ETHERTYPE_ARP) && size >= sizeof(struct arp)) {
        struct arp question;
        memcpy(&question, bytes, sizeof question);
        answer_arp(&question);
    }
    if (type == htons(ETHERTYPE_IP)) deliver_datagram(bytes, size);
    return 0;
}
