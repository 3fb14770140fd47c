// Memories forked and written at random, each compared with a plain array; all memory is freed at the end.
#include "../check.h"

#include "base/random.h"
#include "base/vec.h"
#include "state/memory.h"

#define BASE   ((uint64_t)0x08000000)
#define SIZE   (PAGE_SIZE * 5)
#define COPIES 6

struct model {
    struct memory memory;
    uint8_t bytes[SIZE], shadow[SIZE];
};

static void compare(const struct model *model) {
    uint8_t bytes[SIZE];
    memory_peek(model->memory, BASE, bytes, SIZE);
    assert_memory_equal(bytes, model->bytes, SIZE);
    for (uint32_t i = 0; i < SIZE; i++)
        assert_int_equal(memory_shadow(model->memory, BASE + i), model->shadow[i]);
}

static void fork_model(struct model *to, const struct model *from) {
    if (to == from) return;
    memory_free(to->memory);
    *to = *from;
    to->memory = memory_fork(from->memory);
}

static void random_step(struct random *random, struct model *models) {
    struct model *model = &models[random_below(random, COPIES)];
    uint32_t start = (uint32_t)random_below(random, SIZE),
             size = (uint32_t)random_below(random, SIZE - start + 1);
    if (random_below(random, 2)) size = MIN(size, 9);
    uint8_t value = (uint8_t)random_next(random);
    switch (random_below(random, 6)) {
    case 0: fork_model(&models[random_below(random, COPIES)], &models[random_below(random, COPIES)]); break;
    case 1: {
        uint8_t bytes[SIZE];
        memset(bytes, value, size);
        memory_poke(&model->memory, BASE + start, bytes, size);
        memset(model->bytes + start, value, size);
        // A poke to an absent page makes a page of unmapped bytes: the shadow does not change.
        break;
    }
    case 2:
        memory_set_shadow(&model->memory, BASE + start, size, value);
        memset(model->shadow + start, value, size);
        break;
    case 3:
        memory_zero(&model->memory, BASE + start, size, value & SHADOW_UNINIT);
        memset(model->bytes + start, 0, size);
        memset(model->shadow + start, value & SHADOW_UNINIT, size);
        break;
    case 4: { // whole pages lose their bytes
        memory_retire(&model->memory, BASE + start, size, SHADOW_FREED);
        memset(model->shadow + start, SHADOW_FREED, size);
        uint32_t first = (uint32_t)align_up(start, PAGE_SIZE), end = (start + size) & ~(PAGE_SIZE - 1);
        if (first < end) memset(model->bytes + first, 0, end - first);
        break;
    }
    default: {
        uint64_t plain = 0;
        while (plain < size && !model->shadow[start + plain]) plain++;
        assert_int_equal(memory_plain_prefix(model->memory, BASE + start, size), plain);
    }
    }
}

static void start_empty(struct model *models) {
    for (unsigned i = 0; i < COPIES; i++) {
        models[i].memory = memory_new();
        memset(models[i].bytes, 0, SIZE);
        memset(models[i].shadow, SHADOW_UNMAPPED, SIZE);
    }
}

static void test_random_traces(void **state) {
    static struct model models[COPIES];
    for (uint64_t seed = 1; seed <= 40; seed++) {
        size_t before = mem_in_use();
        struct random random = {seed};
        start_empty(models);
        for (unsigned i = 0; i < 300; i++) random_step(&random, models);
        for (unsigned i = 0; i < COPIES; i++) compare(&models[i]);
        for (unsigned i = 0; i < COPIES; i++) memory_free(models[i].memory);
        assert_int_equal(mem_in_use(), before);
    }
}

// ---- large ranges, in which pages are shared

#define LARGE (PAGE_SIZE * (64 * 3 + 7)) // several nodes of the tree

struct large_model {
    struct memory memory;
    uint8_t bytes[LARGE], shadow[LARGE];
};

// Runs cover the range without gaps, and each has a single page, or is a part of one page.
static void compare_runs(const struct large_model *model) {
    struct page_run run;
    uint64_t at = BASE;
    for (; memory_next_run(model->memory, at, BASE + LARGE, &run); at += run.size) {
        assert_true(run.address == at && run.size);
        for (uint64_t i = at; i < at + run.size; i += PAGE_SIZE)
            assert_ptr_equal(memory_page(model->memory, i), run.page);
        assert_true(!run.page || run.size % PAGE_SIZE == 0 || run.size < PAGE_SIZE);
    }
    assert_int_equal(at, BASE + LARGE);
}

static void compare_large(const struct large_model *model) {
    uint8_t bytes[PAGE_SIZE];
    for (uint32_t at = 0; at < LARGE; at += PAGE_SIZE) {
        memory_peek(model->memory, BASE + at, bytes, PAGE_SIZE);
        assert_memory_equal(bytes, model->bytes + at, PAGE_SIZE);
        for (uint32_t i = 0; i < PAGE_SIZE; i++)
            assert_int_equal(memory_shadow(model->memory, BASE + at + i), model->shadow[at + i]);
    }
    compare_runs(model);
}

static void large_step(struct random *random, struct large_model *model) {
    uint32_t start = (uint32_t)random_below(random, LARGE),
             size = (uint32_t)random_below(random, LARGE - start + 1);
    if (random_below(random, 2)) start -= start % PAGE_SIZE;
    size = MIN(size, LARGE - start);
    uint8_t value = (uint8_t)random_next(random);
    switch (random_below(random, 4)) {
    case 0:
        memory_zero(&model->memory, BASE + start, size, value & SHADOW_UNINIT);
        memset(model->bytes + start, 0, size);
        memset(model->shadow + start, value & SHADOW_UNINIT, size);
        break;
    case 1:
        memory_set_shadow(&model->memory, BASE + start, size, value);
        memset(model->shadow + start, value, size);
        break;
    case 2:
        memory_fill(&model->memory, BASE + start, size, value);
        memset(model->bytes + start, value, size);
        for (uint32_t i = start; i < start + size; i++) model->shadow[i] &= SHADOW_BOUND;
        break;
    default:
        memory_poke(&model->memory, BASE + start, &value, 1);
        if (start < LARGE) model->bytes[start] = value;
    }
}

static void test_large_ranges(void **state) {
    static struct large_model model, copy;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        size_t before = mem_in_use();
        struct random random = {seed};
        model.memory = memory_new();
        memset(model.bytes, 0, LARGE);
        memset(model.shadow, SHADOW_UNMAPPED, LARGE);
        for (unsigned i = 0; i < 20; i++) large_step(&random, &model);
        copy = model;
        copy.memory = memory_fork(model.memory);
        for (unsigned i = 0; i < 20; i++) large_step(&random, &model);
        compare_large(&model);
        compare_large(&copy);
        memory_free(model.memory);
        memory_free(copy.memory);
        assert_int_equal(mem_in_use(), before);
    }
}

// An operation on a range of gigabytes allocates only a few nodes.
static void test_huge_ranges(void **state) {
    struct memory memory = memory_new();
    uint64_t start = (uint64_t)1 << 33, size = (uint64_t)3 << 30;
    size_t before = mem_in_use();
    memory_zero(&memory, start + 64, size, SHADOW_UNINIT);
    memory_set_shadow(&memory, start + 1000, size - 5000, SHADOW_BOUND | SHADOW_UNINIT);
    memory_fill_slots(&memory, start + 64, size, 5u << 8);
    memory_fill(&memory, start + 64, size, 7);
    assert_true(mem_in_use() - before < 500000);
    assert_int_equal(memory_shadow(memory, start + size / 2), SHADOW_BOUND);
    assert_int_equal(memory_shadow(memory, start + 64 + size - 1), 0);
    assert_int_equal(memory_plain_prefix(memory, start + 64, size), 1000 - 64);
    memory_free(memory);
}

static void test_fork_shares(void **state) {
    struct memory memory = memory_new();
    uint64_t size = (uint64_t)8 << 20;
    for (uint64_t at = 0; at < size; at += PAGE_SIZE) memory_poke(&memory, BASE + at, "x", 1);
    size_t before = mem_in_use();
    struct memory copy = memory_fork(memory);
    assert_int_equal(mem_in_use(), before); // a fork allocates nothing
    memory_poke(&copy, BASE + 5, "y", 1);   // the first write: one page and the nodes above it
    size_t cost = mem_in_use() - before;
    assert_true(cost >= sizeof(struct page) && cost < sizeof(struct page) + 5000);
    memory_poke(&copy, BASE + 6, "y", 1);
    assert_int_equal(mem_in_use() - before, cost);
    memory_poke(&copy, BASE + PAGE_SIZE, "y", 1); // adjacent page: only that page is copied
    assert_int_equal(mem_in_use() - before - cost, sizeof(struct page));
    char byte;
    memory_peek(memory, BASE + 5, &byte, 1);
    assert_int_equal(byte, 0);
    memory_free(memory);
    memory_peek(copy, BASE + 2 * PAGE_SIZE, &byte, 1);
    assert_int_equal(byte, 'x');
    memory_free(copy);
}

static void test_absent(void **state) {
    struct memory memory = memory_new();
    assert_null(memory_page(memory, 0));
    assert_null(memory_page(memory, UINT64_MAX));
    assert_null(memory_page(memory, (uint64_t)1 << ADDRESS_BITS));
    assert_int_equal(memory_shadow(memory, 12345), SHADOW_UNMAPPED);
    memory_own_page(&memory, ((uint64_t)1 << ADDRESS_BITS) - 1);
    assert_non_null(memory_page(memory, ((uint64_t)1 << ADDRESS_BITS) - PAGE_SIZE));
    assert_null(memory_page(memory, ((uint64_t)1 << ADDRESS_BITS) - PAGE_SIZE - 1));
    memory_free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_traces), cmocka_unit_test(test_large_ranges),
        cmocka_unit_test(test_huge_ranges),   cmocka_unit_test(test_fork_shares),
        cmocka_unit_test(test_absent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
