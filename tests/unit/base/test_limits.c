// Requests to end a run, abandoned code, and the share of memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/alloc.h"
#include "base/run_limits.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define SLOW 3.0 // seconds by which a loaded machine may be late

static void spin(void *context) {
    (void)context;
    for (;;) limits_poll();
}

static void allocate(void *context) {
    for (;;) {
        mem_free(mem_alloc(100), 100);
        ++*(uint64_t *)context;
    }
}

static void test_no_limits(void **state) {
    assert_false(limits_over());
    assert_int_equal(limits_reached(), LIMIT_NONE);
    assert_true(isinf(limits_left()));
    limits_begin(0);
    usleep(50000);
    assert_false(limits_over());
    limits_close();
}

// Code that only polls, and code that only allocates, is abandoned soon after its time limit.
static void test_time(void **state) {
    uint64_t rounds = 0;
    limits_open(0.3, 0, "testing");
    limits_begin(0);
    assert_false(limits_run(spin, NULL));
    assert_int_equal(limits_reached(), LIMIT_TIME);
    assert_true(limits_elapsed() >= 0.15 &&
                limits_elapsed() < 0.3 + SLOW);  // on a loaded machine it ends early
    assert_false(limits_run(allocate, &rounds)); // ends at once: the time limit has passed
    assert_true(rounds < 1000);
    assert_true(limits_left() < 1.0);
    limits_end();
    limits_close();
    assert_false(limits_over());
}

// A run begins to end before its limit only on a machine so loaded that its end takes too long: then earlier the more
// loaded it is, but not before half of its time.
static void test_lead(void **state) {
    double limit = 0.5;
    for (unsigned i = 0; i < 20; i++, limit *= 1.5) {
        double before = 0, allowance = limit < 20 ? 1 : limit / 20;
        assert_true(limits_lead(1, limit) == 0);
        for (unsigned half = 2; half < 1000; half++) {
            double factor = half / 2.0, lead = limits_lead(factor, limit);
            assert_true(lead >= before && lead <= limit / 2);
            assert_true((lead > 0) == (factor / 4 > allowance / 2));
            if (lead > 0 && lead < limit / 2) assert_true(fabs(factor / 4 - lead - allowance / 2) < 1e-9);
            before = lead;
        }
    }
    limits_open(2, 0, "testing");
    limits_begin(0);
    assert_false(limits_run(spin, NULL));
    double before = limits_elapsed(), left = limits_left(), after = limits_elapsed();
    // counts from the limit, also if the request came before it
    assert_true(left < 3.001 - before && left > 2.999 - after);
    limits_end();
    limits_close();
}

// The time limit of a part ends before that of the whole; the next part has its own time limit.
static void test_part(void **state) {
    limits_open(60, 0, "testing");
    for (unsigned i = 0; i < 2; i++) {
        limits_begin(0.1);
        assert_false(limits_over());
        assert_false(limits_run(spin, NULL));
        assert_int_equal(limits_reached(), LIMIT_TIME);
    }
    limits_close();
}

struct counted {
    unsigned held, after;
};

static void hold(void *context) {
    struct counted *counted = context;
    limits_hold();
    limits_hold();
    limits_request(LIMIT_INTERRUPT);
    while (!(limits_look() & LIMITS_ABANDON)) {}
    limits_release();
    limits_poll();
    counted->held++;
    limits_release();
    limits_poll();
    counted->after++;
}

static void test_hold(void **state) {
    struct counted counted = {0};
    limits_open(0, 0, "testing");
    limits_begin(0);
    assert_false(limits_run(hold, &counted));
    assert_int_equal(counted.held, 1);
    assert_int_equal(counted.after, 0);
    limits_close();
}

// Several signals are one request, and no signal ends the process.
static void test_signals(void **state) {
    limits_open(0, 0, "testing");
    limits_begin(0);
    limits_catch_signals();
    for (unsigned i = 0; i < 3; i++) {
        raise(SIGINT);
        raise(SIGTERM);
    }
    assert_int_equal(limits_reached(), LIMIT_INTERRUPT);
    assert_false(limits_run(spin, NULL));
    limits_close();
}

struct blocks {
    void *at[4000];
    uint32_t count;
};
#define BLOCK ((size_t)1 << 20)

static void take_all(void *context) {
    struct blocks *blocks = context;
    while (blocks->count < 4000) {
        char *block = mem_alloc(BLOCK);
        for (size_t i = 0; i < BLOCK; i += 4096) block[i] = 1;
        blocks->at[blocks->count++] = block;
    }
}

static void test_memory(void **state) {
    static struct blocks blocks;
    uint64_t limit = limits_resident() + ((uint64_t)64 << 20);
    limits_open(0, limit, "testing");
    limits_begin(0);
    assert_false(limits_run(take_all, &blocks));
    assert_int_equal(limits_reached(), LIMIT_MEMORY);
    assert_true(limits_resident() < limits_memory() + limits_memory() / 10);
    limits_close();
    assert_true(blocks.count >= 16 && blocks.count < 200);
    while (blocks.count) mem_free(blocks.at[--blocks.count], BLOCK);
}

// The share depends only on bytes in use: it is the same in every run.
static void test_share(void **state) {
    limits_open(0, 0, "testing");
    limits_begin(0);
    limits_set_share(mem_in_use() + BLOCK + BLOCK / 2);
    void *first = mem_alloc(BLOCK);
    assert_false(limits_look() & LIMITS_SHORT);
    void *second = mem_alloc(BLOCK);
    assert_true(limits_look() & LIMITS_SHORT);
    assert_false(limits_over());
    limits_set_share(mem_in_use() + BLOCK);
    assert_false(limits_look() & LIMITS_SHORT);
    mem_free(first, BLOCK);
    mem_free(second, BLOCK);
    limits_close();
}

// RLIMIT_DATA is set above the current size; setting it returns the value before.
static void test_data(void **state) {
    uint64_t data = limits_data();
    assert_true(data > 0 && limits_resident() > 0);
    assert_int_equal(limits_set_data(data + ((uint64_t)1 << 30)), 0);
    assert_int_equal(limits_set_data(data + ((uint64_t)2 << 30)), data + ((uint64_t)1 << 30));
    assert_int_equal(limits_set_data(0), data + ((uint64_t)2 << 30));
}

// A signal that arrives in a forked process before limits_forked is not lost, and one that comes later is handled.
static void test_forked(void **state) {
    for (unsigned early = 0; early < 2; early++) {
        limits_open(0, 0, "testing");
        limits_catch_signals();
        pid_t child = fork();
        if (!child) {
            if (early) raise(SIGTERM);
            limits_forked(0);
            bool before = limits_reached() == LIMIT_INTERRUPT;
            raise(SIGTERM);
            _exit(before == (early > 0) && limits_reached() == LIMIT_INTERRUPT ? 0 : 1);
        }
        int status = 1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_int_equal(limits_reached(), LIMIT_NONE);
        limits_close();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_limits), cmocka_unit_test(test_time),  cmocka_unit_test(test_lead),
        cmocka_unit_test(test_part),      cmocka_unit_test(test_hold),  cmocka_unit_test(test_signals),
        cmocka_unit_test(test_memory),    cmocka_unit_test(test_share), cmocka_unit_test(test_data),
        cmocka_unit_test(test_forked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
