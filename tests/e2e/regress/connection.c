// Data of a connection is recorded, and a run starts from it.
// RUN: rm -rf %t && mkdir %t && cd %t && grep -v '// new' %s >old.c && cp %s connection.c && %tamar cc -g -o prog connection.c
// RUN: %S/Inputs/peer '220 rea|dy\n' %tamar record -q -- ./prog PORT >out && printf 'ready\n' | cmp - out
// RUN: grep -q '"kind": "object", "name": "socket1", "size": 10, "text": "220 ready' tamar-seeds/tests/000001.json && %tamar replay --exact tamar-seeds | grep -q '1 as predicted'
// RUN: status 1 %tamar regress -q ./prog --old old.c --symbolic none --no-compare --max-paths 200 --out out1 >report.md && FileCheck %s <report.md
// CHECK: | **assert at connection.c:[[#]]** | not tried | not compared | `[socket1] 421 ready\n` |
// REQUIRES: regress
#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv) {
    struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
    inet_pton(AF_INET, "127.0.0.1", &peer.sin_addr);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&peer, sizeof peer) != 0) return 2;
    send(fd, "?", 1, 0);
    char line[32] = "";
    for (size_t size = 0; size < sizeof line - 1 && recv(fd, line + size, 1, 0) == 1; size++) {
        if (line[size] == '\n') break;
    }
    if (line[0] < '0' || line[0] > '9' || line[3] != ' ') return 1;
    assert(strncmp(line, "421", 3) != 0); // new
    fputs(line + 4, stdout);
    return 0;
}
