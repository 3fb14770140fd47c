#include "../check.h"
#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONG = 1 << 20 }; // more than a pipe holds, so that every call moves only a part

static uint8_t content[LONG], copy[LONG];

static void *write_long(void *fd) {
    bool good = file_write_bytes(*(int *)fd, content, sizeof content);
    close(*(int *)fd);
    return good ? content : NULL;
}

static void test_parts(void **state) {
    int ends[2];
    void *written;
    pthread_t writer;
    for (size_t i = 0; i < sizeof content; i++) content[i] = (uint8_t)(i * 31 >> 3);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(pthread_create(&writer, NULL, write_long, &ends[1]), 0);
    assert_true(file_read_bytes(ends[0], copy, sizeof copy));
    assert_memory_equal(copy, content, sizeof copy);
    assert_true(file_read_bytes(ends[0], copy, 0));
    assert_false(file_read_bytes(ends[0], copy, 1)); // the end
    pthread_join(writer, &written);
    assert_non_null(written);
    close(ends[0]);
}

static void test_closed(void **state) {
    int ends[2];
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "abc", 3), 3);
    close(ends[1]);
    assert_false(file_read_bytes(ends[0], copy, 4)); // one byte too few
    close(ends[0]);
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_false(file_write_bytes(ends[1], "abc", 3));
    assert_int_equal(errno, EPIPE);
    close(ends[1]);
}

// file_replace replaces a link, and leaves nothing behind where it fails.
static void test_replace(void **state) {
    char folder[] = "/tmp/tamar-test-file-XXXXXX";
    struct text name = {0}, other = {0}, got = {0};
    struct stat st;
    assert_non_null(mkdtemp(folder));
    text_add(&name, "%s/a", folder);
    text_add(&other, "%s/b", folder);
    assert_true(file_replace(other.at, "old", 3));
    assert_int_equal(symlink(other.at, name.at), 0);
    assert_true(file_replace(name.at, "new", 3));
    assert_true(lstat(name.at, &st) == 0 && S_ISREG(st.st_mode));
    assert_true(file_read(name.at, &got));
    assert_string_equal(got.at, "new");
    text_clear(&got);
    assert_true(file_read(other.at, &got));
    assert_string_equal(got.at, "old");
    text_clear(&name);
    text_add(&name, "%s/missing/a", folder);
    assert_false(file_replace(name.at, "new", 3));
    assert_int_equal(errno, ENOENT);
    file_remove_tree(folder);
    assert_int_equal(access(folder, F_OK), -1);
    text_free(&name);
    text_free(&other);
    text_free(&got);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_replace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
