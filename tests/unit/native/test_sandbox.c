// The sandbox runs a program with the intended view of the host, and ends it with all processes that it started.
#include "../check.h"
#include "base/file.h"
#include "base/text.h"
#include "native/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/tamar-test-sandbox-XXXXXX";

static int enter_folder(void **state) { return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1; }
static int remove_folder(void **state) {
    file_remove_tree(folder);
    return 0;
}

static struct sandbox shell(enum sandbox_view view) {
    static const char *const variables[] = {"PATH=/usr/bin:/bin", NULL};
    return (struct sandbox){.view = view,
                            .program = "/bin/sh",
                            .variables = variables,
                            .directory = folder,
                            .input = -1,
                            .output = -1,
                            .errors = -1,
                            .extra = -1,
                            .seconds = 20};
}

static struct sandbox_end run(struct sandbox sandbox, const char *script) {
    const char *words[] = {"sh", "-c", script, NULL};
    struct sandbox_end end;
    sandbox.words = words;
    sandbox_run(&sandbox, &end);
    return end;
}

static int status_of(struct sandbox sandbox, const char *script) {
    struct sandbox_end end = run(sandbox, script);
    assert_true(end.started);
    assert_int_equal(end.limit, SANDBOX_LIMIT_NONE);
    return end.status;
}

static void test_ends(void **state) {
    assert_int_equal(WEXITSTATUS(status_of(shell(SANDBOX_COPIES), "exit 3")), 3);
    assert_int_equal(WTERMSIG(status_of(shell(SANDBOX_COPIES), "kill -9 $$")), SIGKILL);
    struct sandbox missing = shell(SANDBOX_COPIES);
    missing.program = "/nowhere/program";
    assert_false(run(missing, "").started);
}

static void test_limits(void **state) {
    struct sandbox sandbox = shell(SANDBOX_COPIES);
    sandbox.seconds = 0.3;
    assert_int_equal(run(sandbox, "sleep 100").limit, SANDBOX_LIMIT_TIME);
    sandbox = shell(SANDBOX_COPIES);
    sandbox.memory = (uint64_t)100 << 20;
    assert_int_equal(run(sandbox, "x=a; while :; do x=$x$x; done").limit, SANDBOX_LIMIT_MEMORY);
}

// Compares the host's files afterwards, and the files that the program saw.
static void test_views(void **state) {
    assert_true(file_write("kept", "1", 1));
    assert_true(file_write("hidden", "1", 1));
    struct sandbox sandbox = shell(SANDBOX_COPIES);
    char hidden[100], placed[100];
    snprintf(hidden, sizeof hidden, "%s/hidden", folder);
    snprintf(placed, sizeof placed, "%s/new/placed", folder);
    const char *const list[] = {hidden, NULL};
    const struct sandbox_file file = {placed, "abc", 3};
    sandbox.hidden = list;
    sandbox.files = &file;
    sandbox.file_count = 1;
    const char *script = "test ! -e hidden && test \"$(cat new/placed)\" = abc && echo 2 >kept && rm kept && "
                         "echo 3 >made && touch /tmp/tamar-made /etc/tamar-made || test ! -w /etc";
    assert_int_equal(status_of(sandbox, script), 0);
    assert_int_equal(access("kept", F_OK), 0);
    assert_int_not_equal(access("made", F_OK), 0);
    assert_int_not_equal(access("new", F_OK), 0);
    assert_int_not_equal(access("/tmp/tamar-made", F_OK), 0);
    assert_int_not_equal(status_of(shell(SANDBOX_READS), "echo 2 >kept"), 0);
    const char *const writable[] = {folder, NULL};
    sandbox = shell(SANDBOX_READS);
    sandbox.writable = writable;
    assert_int_equal(status_of(sandbox, "echo 2 >shared"), 0);
    assert_int_equal(access("shared", F_OK), 0);
}

// Processes, network and devices are the sandbox's own.
static void test_isolation(void **state) {
    char script[200];
    snprintf(script, sizeof script, "! kill -0 %d 2>/dev/null && test $$ -lt 10 && test ! -e /dev/kmsg",
             (int)getpid());
    assert_int_equal(status_of(shell(SANDBOX_COPIES), script), 0);
    assert_int_equal(status_of(shell(SANDBOX_COPIES), "test $(grep -c : /proc/net/dev) = 1"), 0);
    assert_int_equal(status_of(shell(SANDBOX_COPIES), "grep -q 'CapEff:.0000000000000000' /proc/self/status"),
                     0);
    assert_int_equal(status_of(shell(SANDBOX_COPIES), "grep -q 'NoNewPrivs:.1' /proc/self/status"), 0);
    assert_int_equal(status_of(shell(SANDBOX_COPIES), "(sleep 1000 &) ; exit 0"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_views), cmocka_unit_test(test_isolation)};
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
