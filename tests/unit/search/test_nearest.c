// The nearest state against a scan of all: the least distance, of equal ones the newest state.
#include "../check.h"

#include "base/random.h"
#include "search/nearest.h"

enum { STATES = 30, STEPS = 500 };

static struct state states[STATES];
static uint32_t distances[STATES];
static bool held[STATES];

static void compare(const struct nearest *nearest) {
    const struct state *first = NULL;
    uint32_t least = 0;
    for (uint32_t i = 0; i < STATES; i++) { // their numbers ascend
        if (!held[i] || (first && distances[i] > least)) continue;
        first = &states[i];
        least = distances[i];
    }
    if (first) assert_ptr_equal(nearest_first(nearest), first);
}

static void test_against_scan(void **unused) {
    for (uint32_t i = 0; i < STATES; i++) states[i].number = 5 + 3 * i;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct random random = {seed};
        struct nearest nearest;
        nearest_start(&nearest);
        for (uint32_t i = 0; i < STATES; i++) held[i] = false;
        for (unsigned step = 0; step < STEPS; step++) {
            uint32_t i = (uint32_t)random_below(&random, STATES);
            if (held[i] && random_below(&random, 2)) {
                nearest_remove(&nearest, &states[i]);
                held[i] = false;
            } else {
                distances[i] = random_below(&random, 5) ? (uint32_t)random_below(&random, 6) : UINT32_MAX;
                if (held[i])
                    nearest_set(&nearest, &states[i], distances[i]);
                else
                    nearest_add(&nearest, &states[i], distances[i]);
                held[i] = true;
            }
            compare(&nearest);
        }
        nearest_end(&nearest);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_scan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
