// A server with peers that follow a script: it answers each line with its length, and "quit" by closing. The second
// peer speaks only after the first was answered; then the server connects to a third one and queries a fourth by UDP.
// RUN: rm -rf %t.saved && %tamar exec --peers %S/Inputs/peers.txt --save-files %t.saved %s | FileCheck %s
// CHECK: from 127.0.0.1:40003 at 127.0.0.1:7000
// CHECK-NEXT: from 127.0.0.2:5555 at 127.0.0.1:7000
// CHECK-NEXT: asked: third
// CHECK-NEXT: datagram: fourth from 127.0.0.1:53000
// RUN: cat %t.saved/.sockets/first %t.saved/.sockets/second %t.saved/.sockets/third %t.saved/.sockets/fourth | FileCheck --check-prefix=SENT %s
// SENT: 5
// SENT-NEXT: 2
// SENT-NEXT: 3
// SENT-NEXT: name?
// SENT-NEXT: time?
// The same natively, if a network namespace can be created.
// RUN: %tamar cc %s -o %t.native && rm -rf %t.received
// RUN: ! unshare -n true || %S/../../../bench/subjects/peers %S/Inputs/peers.txt %t.received %t.native | FileCheck %s
// RUN: ! unshare -n true || diff -r %t.saved/.sockets %t.received
// A step that never happens is named, and the program is ended as an idle one.
// RUN: printf 'a connect 7000\na expect "never"\n' >%t.never
// RUN: status 143 %tamar exec --peers %t.never %s 2>&1 | FileCheck --check-prefix=NEVER %s
// NEVER: tamar: the peers' script stops at line 2: its condition is never met
// Symbolic bytes after a login: two lengths of a line, "quit" or not, and the bytes before it that do not end the line.
// RUN: printf 'a connect 7000\na send "hello\\n"\na expect "5\\n"\na symbolic 2\na close\n' >%t.symbolic
// RUN: rm -rf %t.out && %tamar run --peers %t.symbolic --emit all --out %t.out %s 2>&1 | FileCheck --check-prefix=PATHS %s
// PATHS: 4 paths
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REPLAY: 4 tests, 4 as predicted
// Wrong scripts.
// RUN: status 2 %tamar exec --peers %t.none %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: tamar: --peers: {{.*}}: No such file or directory
// NONE-NEXT: Name a file with a script
// RUN: status 2 %tamar exec --peers %S %s 2>&1 | FileCheck --check-prefix=FOLDER %s
// FOLDER: is a directory
// RUN: printf '\na connect 99999\n' >%t.wrong && status 2 %tamar run --peers %t.wrong %s 2>&1 | FileCheck --check-prefix=PORT %s
// PORT: tamar: {{.*}}.wrong:2: this is not an address: '99999'
// RUN: printf 'a send "x"\n' >%t.wrong && status 2 %tamar exec --peers %t.wrong %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: .wrong:1: there is no peer yet with the name 'a'
// RUN: printf 'a connect 1\na send "x\n' >%t.wrong && status 2 %tamar exec --peers %t.wrong %s 2>&1 | FileCheck --check-prefix=OPEN %s
// OPEN: .wrong:2: this text does not end: '"x'
// RUN: printf 'a connect 1\na send 0g\n' >%t.wrong && status 2 %tamar exec --peers %t.wrong %s 2>&1 | FileCheck --check-prefix=HEX %s
// HEX: these are not bytes: '0g'
// RUN: printf 'a connect 1\na symbolic 0\n' >%t.wrong && status 2 %tamar run --peers %t.wrong %s 2>&1 | FileCheck --check-prefix=ZERO %s
// ZERO: this is not a number of symbolic bytes: '0'
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address(int port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static void print_name(const char *what, int (*get)(int, struct sockaddr *, socklen_t *), int fd) {
    struct sockaddr_in name;
    socklen_t size = sizeof name;
    if (get(fd, (struct sockaddr *)&name, &size) == 0)
        printf("%s %s:%d", what, inet_ntoa(name.sin_addr), ntohs(name.sin_port));
}

static void serve(int client) {
    char c, line[16];
    int length = 0;
    print_name("from", getpeername, client);
    print_name(" at", getsockname, client);
    puts("");
    while (read(client, &c, 1) == 1) {
        if (c == '\n') {
            if (length == 4) break;
            dprintf(client, "%d\n", length);
            length = 0;
        } else if (length < 15) {
            line[length++] = c;
        }
    }
    close(client);
}

static void ask(void) {
    struct sockaddr_in name = address(7001);
    char answer[16] = "";
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&name, sizeof name)) return;
    write(fd, "name?\n", 6);
    read(fd, answer, sizeof answer - 1);
    printf("asked: %s\n", answer);
    close(fd);
}

static void wait_for_datagram(void) {
    struct sockaddr_in name = address(7002), from;
    socklen_t size = sizeof from;
    char answer[16] = "";
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    bind(fd, (struct sockaddr *)&name, sizeof name);
    recvfrom(fd, answer, sizeof answer - 1, 0, (struct sockaddr *)&from, &size);
    printf("datagram: %s from %s:%d\n", answer, inet_ntoa(from.sin_addr), ntohs(from.sin_port));
    sendto(fd, "time?\n", 6, 0, (struct sockaddr *)&from, size);
}

int main(void) {
    struct sockaddr_in name = address(7000);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *)&name, sizeof name) || listen(fd, 5)) return 1;
    for (int i = 0; i < 2; i++) {
        int client = accept(fd, NULL, NULL);
        if (client < 0) return 2;
        serve(client);
        fflush(stdout);
    }
    ask();
    wait_for_datagram();
    return 0;
}
