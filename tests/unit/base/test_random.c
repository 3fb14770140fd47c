// The published generator, and numbers below a bound.
#include "../check.h"
#include "base/random.h"

// The first outputs of splitmix64 for the seed 1234567, as its authors' program prints them.
static void test_sequence(void **state) {
    static const uint64_t known[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                     4593380528125082431u, 16408922859458223821u};
    struct random random = {1234567};
    for (unsigned i = 0; i < COUNT(known); i++) assert_true(random_next(&random) == known[i]);
}

static void test_below(void **state) {
    struct random random = {9};
    for (unsigned bits = 1; bits < 64; bits++) { // a power of two takes the highest bits
        struct random same = random;
        assert_true(random_below(&random, 1ull << bits) == random_next(&same) >> (64 - bits));
    }
    for (uint64_t bound = 1; bound <= 40; bound++) {
        uint64_t seen = 0;
        for (unsigned i = 0; i < 1000; i++) {
            uint64_t number = random_below(&random, bound);
            assert_true(number < bound);
            seen |= 1ull << number;
        }
        assert_true(seen == (1ull << bound) - 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sequence), cmocka_unit_test(test_below)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
