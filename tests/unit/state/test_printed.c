#include "../check.h"
#include "base/alloc.h"
#include "base/random.h"
#include "state/printed.h"

#include <string.h>

enum { PATHS = 20, MOST_WRITES = 200 };

// Lists the writes of a path, last first, one number per write; 0 ends the list.
static void list(struct printed printed, uint32_t *to) {
    for (const struct printed_write *write = printed.last; write; write = write->before)
        *to++ = write->symbolic ? write->terms[0] : write->bytes[0];
    *to = 0;
}

static void count_term(void *context, uint32_t term) { ((uint32_t *)context)[term & 255]++; }

// Paths that write and fork at random, each compared with a plain copy; all memory is freed at the end.
static void test_forks(void **state) {
    static uint32_t plain[PATHS][MOST_WRITES + 1], count[PATHS], seen[MOST_WRITES + 1];
    struct printed paths[PATHS] = {{0}};
    struct random random = {5};
    size_t before = mem_in_use();
    for (unsigned step = 0; step < 3000; step++) {
        uint64_t i = random_below(&random, PATHS), k = random_below(&random, PATHS);
        if (random_below(&random, 8) == 0 && i != k) {
            printed_free(paths[i]);
            paths[i] = printed_fork(paths[k]);
            count[i] = count[k];
            memcpy(plain[i], plain[k], sizeof plain[i]);
        } else if (count[i] < MOST_WRITES && printed_room(&paths[i]) >= 3) {
            bool symbolic = random_below(&random, 2);
            struct printed_write *write = printed_add(&paths[i], 1 + (step & 1), 3, symbolic);
            for (unsigned at = 0; at < 3; at++)
                if (symbolic)
                    write->terms[at] = 1 + step % 255;
                else
                    write->bytes[at] = (uint8_t)(1 + step % 255);
            plain[i][count[i]++] = 1 + step % 255;
        }
        list(paths[i], seen);
        for (uint32_t at = 0; at < count[i]; at++) assert_int_equal(seen[at], plain[i][count[i] - 1 - at]);
        assert_int_equal(seen[count[i]], 0);
        assert_int_equal(printed_room(&paths[i]), PRINTED_MOST - 3 * count[i]);
    }
    for (unsigned i = 0; i < PATHS; i++) printed_free(paths[i]);
    assert_int_equal(mem_in_use(), before);
}

// Shared writes are visited once in an epoch, and again in the next one.
static void test_terms(void **state) {
    struct printed one = {0};
    printed_add(&one, 1, 1, true)->terms[0] = 7;
    struct printed other = printed_fork(one);
    struct printed_write *write = printed_add(&other, 2, 2, true);
    write->terms[0] = 8;
    write->terms[1] = 7;
    write->length = 9;
    for (uint32_t epoch = 1; epoch <= 2; epoch++) {
        uint32_t terms[256] = {0};
        printed_each_term(one, epoch, count_term, terms);
        printed_each_term(other, epoch, count_term, terms);
        assert_int_equal(terms[7], 2);
        assert_int_equal(terms[8], 1);
        assert_int_equal(terms[9], 1);
    }
    printed_free(one);
    printed_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forks), cmocka_unit_test(test_terms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
