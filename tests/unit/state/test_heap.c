// The allocator under random traces with forks. Objects never overlap; their bytes are addressable, and the bytes
// around them are not; heap_find finds the record from any address in the slot.
#include "../check.h"

#include "base/random.h"
#include "base/vec.h"
#include "state/heap.h"

struct live {
    uint64_t address, size;
    uint32_t site;
};

struct model {
    struct memory memory;
    vec(struct live) live;
};

static uint64_t random_size(struct random *random) {
    uint64_t limit = (uint64_t)1 << random_below(random, random_below(random, 20) ? 12 : 21);
    return random_below(random, limit + 1);
}

// heap_small_slot finds the slot of every address in a small slot, and of no other address.
static void check_slot(const struct live *live) {
    uint64_t low, span, small_low = 0, small_span = 0;
    heap_slot_range(live->address, &low, &span);
    for (uint64_t address = low; address - low <= span; address += MAX(span / 7, 1)) {
        assert_int_equal(heap_small_slot(address, &small_low, &small_span), span < 4096);
        if (span < 4096) assert_true(small_low == low && small_span == span);
    }
    assert_false(heap_small_slot(live->address - HEAP_BASE, &small_low, &small_span));
}

static void check_object(struct memory memory, const struct live *live) {
    struct heap_object object;
    assert_true(heap_find(memory, live->address, &object));
    assert_int_equal(object.address, live->address);
    assert_int_equal(object.size, live->size);
    assert_int_equal(object.allocated_at, live->site);
    assert_false(object.freed);
    assert_int_equal(memory_plain_prefix(memory, live->address, live->size + 1), live->size);
    assert_true(memory_shadow(memory, live->address - 1) & SHADOW_NO_ACCESS);
    for (uint64_t distance = 0; distance < 16; distance++) {
        assert_true(memory_shadow(memory, live->address + live->size + distance) & SHADOW_NO_ACCESS);
        assert_true(heap_find(memory, live->address + live->size + distance, &object));
        assert_int_equal(object.address, live->address);
    }
    check_slot(live);
}

static void step(struct random *random, struct model *model) {
    if (model->live.count && random_below(random, 5) < 2) {
        uint32_t i = (uint32_t)random_below(random, model->live.count);
        struct live live = model->live.at[i];
        struct heap_object object;
        check_object(model->memory, &live);
        assert_true(heap_find(model->memory, live.address, &object));
        heap_free(&model->memory, live.address, 77);
        assert_true(heap_find(model->memory, live.address, &object));
        assert_true(object.freed && object.freed_at == 77);
        if (live.size) assert_int_equal(memory_shadow(model->memory, live.address), SHADOW_FREED);
        model->live.at[i] = *vec_last(&model->live);
        model->live.count--;
        return;
    }
    struct live live = {.size = random_size(random), .site = (uint32_t)random_next(random)};
    uint64_t align = (uint64_t)1 << random_below(random, 13);
    live.address = heap_alloc(&model->memory, live.size, align, HEAP_MALLOC, live.site, 1, SHADOW_OK);
    assert_true(live.address && live.address % align == 0 && live.address % 16 == 0);
    vec_each (struct live, other, &model->live)
        assert_true(live.address >= other->address + other->size + 16 ||
                    live.address + live.size + 16 <= other->address);
    check_object(model->memory, &live);
    vec_push(&model->live, live);
}

static void count_object(void *argument, const struct heap_object *object) { ++*(uint32_t *)argument; }

static void check_all(struct model *model) {
    vec_each (struct live, live, &model->live) check_object(model->memory, live);
    uint32_t count = 0;
    heap_each(model->memory, count_object, &count);
    assert_int_equal(count, model->live.count);
}

static void test_random_traces(void **state) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        size_t before = mem_in_use();
        struct random random = {seed};
        struct model model = {.memory = memory_new()}, copy = {0};
        for (unsigned i = 0; i < 250; i++) step(&random, &model);
        copy.memory = memory_fork(model.memory);
        vec_each (struct live, live, &model.live) vec_push(&copy.live, *live);
        for (unsigned i = 0; i < 250; i++) step(&random, random_below(&random, 2) ? &model : &copy);
        check_all(&model);
        check_all(&copy);
        memory_free(model.memory);
        memory_free(copy.memory);
        vec_free(&model.live);
        vec_free(&copy.live);
        assert_int_equal(mem_in_use(), before);
    }
}

// Endless allocation and freeing takes bounded memory, and an address is not reused soon.
static void test_reuse(void **state) {
    struct memory memory = memory_new();
    uint64_t first = 0, again = 0;
    size_t peak = 0;
    for (uint64_t i = 0; i < 200000; i++) {
        uint64_t size = i % 1000 == 7 ? (uint64_t)1 << 20 : 100;
        uint64_t address = heap_alloc(&memory, size, 16, HEAP_MALLOC, 1, 1, SHADOW_OK);
        if (i == 0) first = address;
        if (i && address == first && !again) again = i;
        struct heap_object object;
        assert_true(heap_find(memory, address, &object));
        heap_free(&memory, address, 2);
        peak = MAX(peak, mem_in_use());
    }
    assert_true(again > NORMAL_OR_HOSTILE(1000, 10));
    assert_true(peak < (size_t)40 << 20);
    memory_free(memory);
}

static void test_limits(void **state) {
    struct memory memory = memory_new();
    struct heap_object object;
    assert_int_equal(heap_alloc(&memory, UINT64_MAX, 16, HEAP_MALLOC, 1, 1, 0), 0);
    assert_int_equal(heap_alloc(&memory, (uint64_t)1 << 40, 16, HEAP_MALLOC, 1, 1, 0), 0);
    uint64_t empty = heap_alloc(&memory, 0, 1, HEAP_MALLOC, 1, 1, 0);
    assert_true(empty && memory_shadow(memory, empty) & SHADOW_NO_ACCESS);
    assert_false(heap_find(memory, HEAP_BASE - 1, &object));
    assert_false(heap_find(memory, UINT64_MAX, &object));
    memory_free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_traces),
        cmocka_unit_test(test_reuse),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
