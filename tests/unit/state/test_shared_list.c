#include "../check.h"
#include "base/alloc.h"
#include "base/random.h"
#include "state/shared_list.h"

#include <string.h>

enum { TRAILS = 40, MOST = 400 };

static uint32_t common(const uint32_t *a, uint32_t count, const uint32_t *b, uint32_t other) {
    uint32_t i = 0;
    while (i < count && i < other && a[i] == b[i]) i++;
    return i;
}

// Lists that grow and fork at random, each compared with a plain copy. All decisions are different, so the common
// prefix of two lists is exactly the part that they share.
static void test_shared(void **state) {
    static uint32_t plain[TRAILS][MOST], counts[TRAILS], values[MOST];
    struct shared_list trails[TRAILS] = {{0}};
    struct random random = {7};
    uint32_t decision = 0;
    for (unsigned step = 0; step < 4000; step++) {
        uint64_t i = random_below(&random, TRAILS), k = random_below(&random, TRAILS);
        if (random_below(&random, 16) == 0 && i != k) {
            shared_list_free(trails[i]);
            trails[i] = shared_list_fork(trails[k]);
            counts[i] = counts[k];
            for (uint32_t at = 0; at < counts[k]; at++) plain[i][at] = plain[k][at];
        } else if (counts[i] < MOST) {
            shared_list_add(&trails[i], ++decision);
            plain[i][counts[i]++] = decision;
        }
        uint32_t shared = shared_list_common(trails[i], trails[k]);
        assert_int_equal(shared, common(plain[i], counts[i], plain[k], counts[k]));
        shared_list_copy_from(trails[i], shared, values);
        assert_memory_equal(values, plain[i] + shared, (counts[i] - shared) * sizeof *values);
    }
    for (unsigned i = 0; i < TRAILS; i++) shared_list_free(trails[i]);
}

// Lists are also cut, mostly at the ends of chunks, and grow again: other lists must not change.
static void test_cut(void **state) {
    static uint32_t plain[TRAILS][MOST], counts[TRAILS], values[MOST];
    struct shared_list trails[TRAILS] = {{0}};
    struct random random = {11};
    size_t before = mem_in_use();
    for (unsigned step = 0; step < 4000; step++) {
        uint64_t i = random_below(&random, TRAILS), k = random_below(&random, TRAILS);
        switch (random_below(&random, 12)) {
        case 0:
            if (i == k) break;
            shared_list_free(trails[i]);
            trails[i] = shared_list_fork(trails[k]);
            counts[i] = counts[k];
            memcpy(plain[i], plain[k], counts[k] * sizeof *values);
            break;
        case 1: {
            uint32_t count = (uint32_t)random_below(&random, counts[i] + 1);
            if (random_below(&random, 2)) count -= count % 26;
            shared_list_cut(&trails[i], count);
            counts[i] = count;
            break;
        }
        default:
            for (uint32_t more = 0; more < 9 && counts[i] < MOST; more++) {
                shared_list_add(&trails[i], step);
                plain[i][counts[i]++] = step;
            }
        }
        assert_int_equal(shared_list_count(trails[i]), counts[i]);
        shared_list_copy(trails[i], values);
        assert_memory_equal(values, plain[i], counts[i] * sizeof *values);
        shared_list_copy(trails[k], values);
        assert_memory_equal(values, plain[k], counts[k] * sizeof *values);
        assert_true(shared_list_common(trails[i], trails[k]) <=
                    common(plain[i], counts[i], plain[k], counts[k]));
    }
    for (unsigned i = 0; i < TRAILS; i++) shared_list_free(trails[i]);
    assert_int_equal(mem_in_use(), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared), cmocka_unit_test(test_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
