// Network interfaces as ioctl shows them, and packet sockets: only loopback, which every machine has.
// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <arpa/inet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static struct ifreq named(const char *name) {
    struct ifreq request = {0};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    return request;
}

static void print(const struct ifreq *request) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)&request->ifr_addr;
    printf("%s family %d %s\n", request->ifr_name, in->sin_family, inet_ntoa(in->sin_addr));
}

int main(void) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct ifreq lo = named("lo"), none = named("nosuch0");
    T(ioctl(fd, SIOCGIFINDEX, &lo));
    T(lo.ifr_ifindex);
    T(ioctl(fd, SIOCGIFINDEX, &none));
    T(ioctl(fd, SIOCGIFADDR, &none));
    lo = named("lo");
    T(ioctl(fd, SIOCGIFADDR, &lo));
    print(&lo);
    T(ioctl(fd, SIOCGIFNETMASK, &lo));
    print(&lo);
    T(ioctl(fd, SIOCGIFHWADDR, &lo));
    printf("%d %02x\n", lo.ifr_hwaddr.sa_family, lo.ifr_hwaddr.sa_data[0]);
    T(ioctl(fd, SIOCGIFFLAGS, &lo));
    printf("%x\n", lo.ifr_flags);
    T(ioctl(fd, SIOCGIFMTU, &lo));
    T(lo.ifr_mtu);
    lo = (struct ifreq){.ifr_ifindex = 1};
    T(ioctl(fd, SIOCGIFNAME, &lo));
    puts(lo.ifr_name);
    T(if_nametoindex("lo"));
    T(if_nametoindex("nosuch0"));
    lo = named("lo");
    T(ioctl(0, SIOCGIFINDEX, &lo));

    char device[IFNAMSIZ] = "";
    socklen_t size = sizeof device;
    T(getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, &size));
    T(setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "nosuch0", 8));
    T(setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3));
    size = sizeof device;
    T(getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, &size));
    printf("%u %s\n", size, device);
    int one = 1;
    T(setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &one, sizeof one));

    int packet = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ARP));
    printf("%d\n", packet >= 0 || errno == EPERM);
    if (packet < 0) return 0;
    struct sockaddr_ll where = {.sll_family = AF_PACKET, .sll_ifindex = 12345, .sll_protocol = htons(ETH_P_ARP)};
    T(bind(packet, (struct sockaddr *)&where, sizeof where));
    T(bind(packet, (struct sockaddr *)&where, 4));
    where.sll_ifindex = 1;
    T(bind(packet, (struct sockaddr *)&where, sizeof where));
    struct pollfd polled = {packet, POLLIN, 0};
    T(poll(&polled, 1, 10));
    T(recv(packet, device, 1, MSG_DONTWAIT));
    where.sll_ifindex = 12345;
    T(sendto(packet, "x", 1, 0, (struct sockaddr *)&where, sizeof where));
    T(listen(packet, 1));
    T(accept(packet, NULL, NULL));
    T(socket(AF_PACKET, SOCK_STREAM, 0));
    T(close(packet));
    return 0;
}
