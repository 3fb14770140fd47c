#include "../check.h"
#include "base/random.h"
#include "state/trail.h"

enum { TRAILS = 40, MOST = 400 };

static uint32_t common(const uint32_t *a, uint32_t count, const uint32_t *b, uint32_t other) {
    uint32_t i = 0;
    while (i < count && i < other && a[i] == b[i]) i++;
    return i;
}

// Trails that grow and fork at random, each beside a plain copy. No decision comes twice, so what two trails have in common is
// what they share.
static void test_shared(void **state) {
    static uint32_t plain[TRAILS][MOST], counts[TRAILS], values[MOST];
    struct trail trails[TRAILS] = {{0}};
    struct random random = {7};
    uint32_t decision = 0;
    for (unsigned step = 0; step < 4000; step++) {
        uint64_t i = random_below(&random, TRAILS), k = random_below(&random, TRAILS);
        if (random_below(&random, 16) == 0 && i != k) {
            trail_free(trails[i]);
            trails[i] = trail_fork(trails[k]);
            counts[i] = counts[k];
            for (uint32_t at = 0; at < counts[k]; at++) plain[i][at] = plain[k][at];
        } else if (counts[i] < MOST) {
            trail_add(&trails[i], ++decision);
            plain[i][counts[i]++] = decision;
        }
        uint32_t shared = trail_shared(trails[i], trails[k]);
        assert_int_equal(shared, common(plain[i], counts[i], plain[k], counts[k]));
        trail_copy_from(trails[i], shared, values);
        assert_memory_equal(values, plain[i] + shared, (counts[i] - shared) * sizeof *values);
    }
    for (unsigned i = 0; i < TRAILS; i++) trail_free(trails[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
