// The table of sites against a list, with more sites than 16 bits can number and than there are recent ones.
#include "../check.h"

#include "base/random.h"
#include "state/site.h"

#define MANY 70000u

static struct site plain[MANY + 1];

// Every second site is like another one, but for one of its three parts.
static struct site next_site(struct random *random, uint32_t count) {
    struct site site = {.caller = (uint32_t)random_below(random, count),
                        .function = (uint32_t)random_next(random),
                        .instruction = (uint32_t)random_next(random)};
    if (count > 1 && count % 2) {
        struct site like = plain[1 + random_below(random, count - 1)];
        uint64_t part = random_below(random, 3);
        if (part != 0) site.caller = like.caller;
        if (part != 1) site.function = like.function;
        if (part != 2) site.instruction = like.instruction;
    }
    return site;
}

static bool same(struct site a, struct site b) {
    return a.caller == b.caller && a.function == b.function && a.instruction == b.instruction;
}

static void test_numbers(void **unused) {
    struct random random = {3};
    struct sites *sites = sites_new();
    for (uint32_t count = 1; count <= MANY; count++) {
        struct site site = next_site(&random, count);
        uint32_t number = site_intern(sites, site);
        while (number < count) { // by chance the same
            assert_true(same(plain[number], site));
            number = site_intern(sites, site = next_site(&random, count));
        }
        assert_int_equal(number, count);
        plain[count] = site;
        uint32_t old = 1 + (uint32_t)random_below(&random, count);
        assert_int_equal(site_intern(sites, plain[old]), old);
    }
    for (uint32_t i = 1; i <= MANY; i++) {
        assert_true(same(site_get(sites, i), plain[i]));
        assert_int_equal(site_intern(sites, plain[i]), i);
    }
    sites_free(sites);
}

// The same stacks have the same hashes in a table that numbers their sites differently; others have other ones.
static void test_hashes(void **unused) {
    struct sites *one = sites_new(), *other = sites_new();
    uint64_t hashes[64];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 100; i++) site_intern(other, (struct site){0, 99, i});
    for (uint32_t depth = 1; depth <= 3; depth++)
        for (uint32_t path = 0; path < 1u << (2 * depth) && count < 64; path += depth == 3 ? 3 : 1) {
            uint32_t a = 0, b = 0;
            for (uint32_t level = 0; level < depth; level++) {
                uint32_t step = path >> (2 * level);
                a = site_intern(one, (struct site){a, step & 1, step >> 1 & 1});
                b = site_intern(other, (struct site){b, step & 1, step >> 1 & 1});
            }
            assert_int_equal(site_hash(one, a), site_hash(other, b));
            hashes[count++] = site_hash(one, a);
        }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++) assert_true(hashes[i] != hashes[k]);
    sites_free(one);
    sites_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_hashes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
