// A client over TCP and UDP: the peer's data is symbolic; data that the client sends is dropped.
// RUN: rm -rf %t.out && %tamar run --sym-socket 2 --sym-socket 2 --emit all --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// Each answer is wrong in its first byte, wrong in its second, or right. The second answer is requested only after a
// right one: 2 + 3 paths.
// CHECK: 5 paths, 5 tests; every path was explored
// REPLAY: 5 tests, 5 as predicted
// Without a peer the connection is refused, as without a network.
// RUN: status 4 %tamar exec %s
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(0xc6336401)};
    char answer[8];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&name, sizeof name)) return errno == ENETUNREACH ? 4 : 5;
    if (send(fd, "hello", 5, 0) != 5) return 6;
    if (recv(fd, answer, sizeof answer, 0) != 2 || recv(fd, answer + 2, 1, 0) != 0) return 7;
    close(fd);
    if (memcmp(answer, "ok", 2)) return 1;
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    int udp = socket(AF_INET, SOCK_DGRAM, 0);
    if (sendto(udp, "who?", 4, 0, (struct sockaddr *)&name, sizeof name) != 4) return 8;
    if (recvfrom(udp, answer, sizeof answer, 0, (struct sockaddr *)&from, &size) != 2) return 9;
    return memcmp(answer, "me", 2) ? 2 : 3;
}
