// The heap against a scan of all entries, and with more entries than 16 bits can number.
#include "../check.h"

#include "base/random.h"
#include "search/queue.h"

#define SMALL 30u
#define LARGE 70000u

static uint32_t keys[LARGE];
static bool there[LARGE];

static bool less(const void *context, uint32_t a, uint32_t b) {
    const uint32_t *key = context;
    return key[a] != key[b] ? key[a] < key[b] : a < b;
}

static void compare(const struct number_queue *queue, uint32_t size) {
    uint32_t first = UINT32_MAX, count = 0;
    for (uint32_t i = 0; i < size; i++) {
        assert_int_equal(queue_has(queue, i), there[i]);
        if (!there[i]) continue;
        count++;
        if (first == UINT32_MAX || less(keys, i, first)) first = i;
    }
    assert_int_equal(queue->at.count, count);
    if (count) assert_int_equal(queue_first(queue), first);
}

static void test_traces(void **state) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct random random = {seed};
        struct number_queue queue = {.less = less, .context = keys};
        for (uint32_t i = 0; i < SMALL; i++) there[i] = false;
        for (unsigned step = 0; step < 300; step++) {
            uint32_t i = (uint32_t)random_below(&random, SMALL);
            uint32_t key = (uint32_t)random_below(&random, 12);
            if (!there[i]) {
                keys[i] = key;
                queue_add(&queue, i);
                there[i] = true;
            } else if (random_below(&random, 2)) {
                keys[i] = key;
                queue_update(&queue, i);
            } else {
                queue_remove(&queue, i);
                there[i] = false;
            }
            compare(&queue, SMALL);
        }
        queue_free(&queue);
    }
}

// After each key has changed once, all entries come out in order.
static void test_many(void **state) {
    struct random random = {5};
    struct number_queue queue = {.less = less, .context = keys};
    for (uint32_t i = 0; i < LARGE; i++) {
        keys[i] = (uint32_t)random_next(&random);
        queue_add(&queue, i);
    }
    for (uint32_t i = 0; i < LARGE; i++) {
        keys[i] = (uint32_t)random_next(&random);
        queue_update(&queue, i);
    }
    for (uint32_t last = 0, i = 0; i < LARGE; i++) {
        uint32_t first = queue_first(&queue);
        assert_true(!i || less(keys, last, first));
        queue_remove(&queue, last = first);
    }
    assert_int_equal(queue.at.count, 0);
    queue_free(&queue);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_traces), cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
