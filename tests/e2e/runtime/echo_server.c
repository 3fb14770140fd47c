// An echo server: one connection of three symbolic bytes, then none, and the idle server is ended. Four paths: "quit";
// the first letter of the pair is wrong; the second is wrong; both are right (the bug).
// RUN: rm -rf %t.out %t.two %t.any && status 1 %tamar run --sym-socket 3 --emit all --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// CHECK: tamar: null: {{.*}}echo_server.c
// CHECK-NEXT: with socket1="
// CHECK: 4 paths, 4 tests; every path was explored
// REPLAY-COUNT-3: exact: the same
// REPLAY: 4 tests, 4 as predicted; 1 of 1 that show a bug confirmed
// Two connections of one byte: each quits or not, the second only after a first that did not: 3 paths.
// RUN: %tamar run --sym-socket 1 --sym-socket 1 --emit all --out %t.two %s | FileCheck --check-prefix=TWO %s
// TWO: 3 paths, 3 tests; every path was explored
// Zero to two bytes: none; some, of which the first quits or not. The length itself stays symbolic.
// RUN: %tamar run --sym-socket 0..2 --emit all --out %t.any %s | FileCheck --check-prefix=ANY %s
// RUN: %tamar replay %t.any | FileCheck --check-prefix=ANY-REPLAY %s
// ANY: 3 paths, 3 tests; every path was explored
// ANY-REPLAY: 3 tests, 3 as predicted
// RUN: status 2 %tamar run --sym-socket 0 %s 2>&1 | FileCheck --check-prefix=ZERO %s
// ZERO: tamar: --sym-socket: '0' is not a valid value
// ZERO-NEXT: Give at least one byte.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static int serve(int connection) {
    char bytes[8], *bug = 0;
    long size = read(connection, bytes, sizeof bytes);
    if (size <= 0) return 1;
    if (bytes[0] == 'q') return 0;
    if (size > 2 && bytes[1] == 'x' && bytes[2] == 'y') *bug = 1;
    return write(connection, bytes, (size_t)size) == size;
}

int main(void) {
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(7777)};
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(server, (struct sockaddr *)&name, sizeof name) || listen(server, 5)) return 1;
    for (;;) {
        struct pollfd polled = {server, POLLIN, 0};
        if (poll(&polled, 1, -1) != 1) return 2;
        int connection = accept(server, NULL, NULL);
        if (connection < 0) return 3;
        int goes_on = serve(connection);
        close(connection);
        if (!goes_on) return 0;
    }
}
