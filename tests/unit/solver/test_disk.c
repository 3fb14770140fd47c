// The cache on disk: hits across runs, and every kind of bad file. A bad file must cause no wrong answer and must not
// be changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/alloc.h"
#include "solver/solver.h"

#include <fcntl.h>
#include <lmdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64], file[96];

static int make_folder(void **state) {
    snprintf(folder, sizeof folder, "/tmp/tamar-disk-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/cache", folder);
    return 0;
}

static int remove_folder(void **state) {
    char lock[128];
    snprintf(lock, sizeof lock, "%s-lock", file);
    unlink(lock);
    unlink(file);
    return rmdir(folder);
}

// Makes queries that reach the disk layer; returns how many of them it answered.
static uint64_t ask(size_t size, unsigned count) {
    struct solver_options options = solver_defaults;
    options.model = options.domain = options.range = options.move = options.enumerate = options.scan =
        options.cache = options.z3 = false;
    options.cache_file = file;
    options.cache_size = size;
    struct terms *terms = terms_new();
    struct solver *solver = solver_new(terms, &options);
    uint32_t input = terms_input(terms, "input", 4);
    struct path_condition path = {0};
    for (unsigned i = 0; i < count; i++) {
        Term product =
            term_mul(terms, term_input_bits(terms, input, 0, 2), term_input_bits(terms, input, 2, 2));
        Term hit = term_eq(terms, product, term_const(terms, 16, 2 * i + 1));
        Term x = term_input_bits(terms, input, 0, 2),
             square = term_eq(terms, term_mul(terms, x, x), term_const(terms, 16, 8 * i + 3));
        assert_int_equal(solver_may_be_true(solver, &path, hit, NULL), ANSWER_YES);
        assert_int_equal(solver_may_be_true(solver, &path, square, NULL),
                         ANSWER_NO); // no square is 3 modulo 8
    }
    uint64_t answered = solver_statistics(solver)->layers[LAYER_DISK].answered;
    path_free(&path);
    solver_free(solver);
    terms_free(terms);
    return answered;
}

static void test_across_runs(void **state) {
    assert_int_equal(ask(1 << 20, 8), 0);
    assert_int_equal(ask(1 << 20, 8), 16);
    assert_int_equal(ask(1 << 20, 12), 16);
    assert_int_equal(ask(1 << 20, 12), 24);
}

static void fill(const char *bytes, size_t size) {
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(out);
}

static void test_not_a_cache(void **state) {
    static const char text[] = "this is somebody's letter, not a cache\n";
    fill(text, sizeof text);
    assert_int_equal(ask(1 << 20, 4), 0);
    char back[sizeof text];
    FILE *in = fopen(file, "r");
    assert_int_equal(fread(back, 1, sizeof back, in), sizeof back);
    assert_memory_equal(back, text, sizeof text);
    fclose(in);
}

// Random bytes are overwritten in a good file: whatever LMDB reads, the answers stay right.
static void test_damaged(void **state) {
    ask(1 << 20, 16);
    for (unsigned round = 0; round < 12; round++) {
        int fd = open(file, O_RDWR);
        struct stat status;
        assert_int_equal(fstat(fd, &status), 0);
        for (unsigned i = 0; i < 400; i++) {
            uint8_t noise = (uint8_t)(round * 37 + i * 11);
            off_t at = (off_t)((uint64_t)(round * 7919 + i * 104729) % (uint64_t)status.st_size);
            if (round % 2 == 0 && at < 8192) continue; // sometimes the first pages stay intact: it opens
            assert_int_equal(pwrite(fd, &noise, 1, at), 1);
        }
        close(fd);
        ask(1 << 20, 16);
    }
    assert_int_equal(truncate(file, 5000), 0);
    ask(1 << 20, 4);
}

static void test_full(void **state) {
    ask(65536, 600); // more than fits: the rest is not stored, the answers are right
    ask(65536, 20);
    struct stat status;
    assert_int_equal(stat(file, &status), 0);
    assert_true(status.st_size <= 65536);
}

static void test_other_program(void **state) {
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi db;
    MDB_val key = {4, "abcd"}, value = {3, "xyz"};
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_open(env, file, MDB_NOSUBDIR, 0666), 0);
    assert_int_equal(mdb_txn_begin(env, NULL, 0, &txn), 0);
    assert_int_equal(mdb_dbi_open(txn, NULL, 0, &db), 0);
    assert_int_equal(mdb_put(txn, db, &key, &value, 0), 0);
    assert_int_equal(mdb_txn_commit(txn), 0);
    mdb_env_close(env);
    assert_int_equal(ask(1 << 20, 4), 0);
    assert_int_equal(ask(1 << 20, 4), 0); // nothing was written into it
}

// Another process holds the writer's lock during the whole test: reading works, writing is given up, nothing hangs.
static void test_locked(void **state) {
    ask(1 << 20, 4);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (!child) {
        MDB_env *env;
        MDB_txn *txn;
        if (mdb_env_create(&env) || mdb_env_open(env, file, MDB_NOSUBDIR, 0666) ||
            mdb_txn_begin(env, NULL, 0, &txn))
            _exit(1);
        if (write(ready[1], "", 1) != 1) _exit(1);
        pause();
        _exit(0);
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    char said[1000] = {0};
    int saved = dup(STDERR_FILENO), log = memfd_create("log", 0);
    dup2(log, STDERR_FILENO);
    int answered = ask(1 << 20, 8);
    dup2(saved, STDERR_FILENO);
    assert_int_equal(answered, 8);
    assert_true(pread(log, said, sizeof said - 1, 0) > 0);
    assert_non_null(strstr(said, "it is locked by another process; the latest answers are not stored"));
    close(saved);
    close(log);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ready[0]);
    close(ready[1]);
}

static void test_no_such_folder(void **state) {
    char saved[sizeof file];
    memcpy(saved, file, sizeof file);
    snprintf(file, sizeof file, "%.40s/no/such/folder/cache", folder);
    assert_int_equal(ask(1 << 20, 2), 0);
    memcpy(file, saved, sizeof file);
    fill("", 0);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        CASE(test_across_runs),   CASE(test_not_a_cache), CASE(test_damaged),        CASE(test_full),
        CASE(test_other_program), CASE(test_locked),      CASE(test_no_such_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
