// The script of socket peers: the steps of its lines, and lines that are rejected.
#include "../../../runtime/boundary.h"
#include "../check.h"
#include "base/alloc.h"
#include "run/peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/tamar-peers-XXXXXX";
static struct text steps;
static size_t at;

static int make_file(void **state) {
    int file = mkstemp(path);
    return file < 0 || close(file) != 0;
}
static int remove_file(void **state) { return unlink(path); }

static bool read_script(const char *content) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
    text_clear(&steps);
    at = 0;
    return peers_read(path, &steps);
}

// Expects the next step, with these bytes.
static void expect(enum __tamar_peer_kind kind, unsigned peer, unsigned line, const char *bytes,
                   size_t size) {
    struct __tamar_peer_step step;
    assert_true(at + sizeof step <= steps.count);
    memcpy(&step, steps.at + at, sizeof step);
    at += sizeof step;
    assert_int_equal(step.kind, kind);
    assert_int_equal(step.peer, peer);
    assert_int_equal(step.line, line);
    assert_int_equal(step.size, size);
    assert_true(at + size <= steps.count);
    assert_memory_equal(steps.at + at, bytes, size);
    at += size;
}

static void a_whole_script(void **state) {
    assert_true(read_script("# two peers\n"
                            "interface eth0 10.1.2.3/20 0a:0B:0c:0d:0e:ff\n"
                            "\n"
                            "a connect 25   # from 127.0.0.1:40001\n"
                            "a send \"hi\\r\\n\\0\\x7f\\\"\" 00ff 3*41\r\n"
                            "\ta expect \"220 \"\n"
                            "a symbolic 1048576\n"
                            "a shutdown\na ends\na close\n"
                            "b-2 listen 10.0.0.1:8080\n"
                            "b-2 accept\n"
                            "wait 1.5\n"
                            "c udp 10.0.0.2:53 from 10.0.0.9:65535"));
    static const char mask[] = "\xff\xff\xf0\x00";
    char interface[18];
    memcpy(interface, "\x0a\x01\x02\x03", 4);
    memcpy(interface + 4, mask, 4);
    memcpy(interface + 8,
           "\x0a\x0b\x0c\x0d\x0e\xff"
           "eth0",
           10);
    expect(__TAMAR_PEER_INTERFACE, 0, 2, interface, 18);
    expect(__TAMAR_PEER_NAME, 1, 4, "a", 1);
    expect(__TAMAR_PEER_CONNECT, 1, 4, "\x7f\0\0\1\x9c\x41\x7f\0\0\1\0\x19", 12);
    expect(__TAMAR_PEER_SEND, 1, 5,
           "hi\r\n\0\x7f\"\0\xff"
           "AAA",
           12);
    expect(__TAMAR_PEER_EXPECT, 1, 6, "220 ", 4);
    expect(__TAMAR_PEER_SYMBOLIC, 1, 7, "\0\0\x10\0", 4);
    expect(__TAMAR_PEER_SHUTDOWN, 1, 8, "", 0);
    expect(__TAMAR_PEER_ENDS, 1, 9, "", 0);
    expect(__TAMAR_PEER_CLOSE, 1, 10, "", 0);
    expect(__TAMAR_PEER_NAME, 2, 11, "b-2", 3);
    expect(__TAMAR_PEER_LISTEN, 2, 11, "\x0a\0\0\1\x1f\x90", 6);
    expect(__TAMAR_PEER_ACCEPT, 2, 12, "", 0);
    uint64_t wait = 1500000000;
    expect(__TAMAR_PEER_WAIT, 0, 13, (const char *)&wait, 8);
    expect(__TAMAR_PEER_NAME, 3, 14, "c", 1);
    expect(__TAMAR_PEER_UDP, 3, 14, "\x0a\0\0\x09\xff\xff\x0a\0\0\2\0\x35", 12);
    assert_int_equal(at, steps.count);
}

static void refused_lines(void **state) {
    static const char *const lines[] = {
        "a connect",
        "a connect 65536",
        "a connect 1.2.3:1",
        "a connect 1 to 2",
        "a connect 1 from",
        "a dance",
        "x send \"a\"",
        "a send",
        "a send \"x",
        "a send \"\\q\"",
        "a send \"\\x1\"",
        "a send 0g",
        "a send 123",
        "a send 2*1",
        "a symbolic 0",
        "a symbolic 1048577",
        "a symbolic x",
        "a close now",
        "a accept",
        "a listen 1",
        "u close",
        "u ends",
        "u accept",
        "wait",
        "wait -1",
        "wait 1s",
        "wait nan",
        "interface eth0 1.2.3.4 0a:0b:0c:0d:0e:0f",
        "interface eth0 1.2.3.4/33 0a:0b:0c:0d:0e:0f",
        "interface eth0 1.2.3.4/8 0a:0b:0c:0d:0e:0g",
        "a! connect 1",
    };
    for (size_t i = 0; i < COUNT(lines); i++) {
        char script[256];
        snprintf(script, sizeof script, "a connect 1\nu udp 2\n%s\n", lines[i]);
        bool good = read_script(script);
        if (good) print_error("%s\n", lines[i]);
        assert_false(good);
    }
    assert_true(read_script("a connect 1\nu udp 2\n")); // without the line the script is valid
}

static void nothing_remains(void **state) {
    text_free(&steps);
    assert_int_equal(mem_in_use(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_script),
        cmocka_unit_test(refused_lines),
        cmocka_unit_test(nothing_remains),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
