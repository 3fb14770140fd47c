// Random traces for the map and the growing array, against naive models.
#include "../check.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"

#define KEYS 200

struct model {
    bool present[KEYS];
    uint64_t value[KEYS];
    uint32_t count;
};

// Few keys, so that they recur; spread, so that some collide in the table and some do not.
static uint64_t key_of(unsigned i, unsigned spread) {
    return (uint64_t)i * (spread ? 0x100000001u << spread : 1);
}

static void check_all(const struct map *map, const struct model *model, unsigned spread) {
    assert_int_equal(map->count, model->count);
    for (unsigned i = 0; i < KEYS; i++) {
        const uint64_t *found = map_get(map, key_of(i, spread));
        assert_int_equal(found != NULL, model->present[i]);
        if (found) assert_int_equal(*found, model->value[i]);
    }
}

static void one_step(struct map *map, struct model *model, unsigned spread, struct random *random) {
    unsigned i = (unsigned)random_below(random, KEYS);
    uint64_t key = key_of(i, spread);
    switch (random_below(random, 8)) {
    case 0:
    case 1:
    case 2:
    case 3: {
        uint64_t *place = map_put(map, key);
        if (model->present[i])
            assert_int_equal(*place, model->value[i]);
        else
            assert_int_equal(*place, 0); // a new entry is 0, also in a reused bucket
        *place = model->value[i] = random_next(random);
        model->count += !model->present[i];
        model->present[i] = true;
        break;
    }
    case 4:
    case 5:
    case 6:
        assert_int_equal(map_remove(map, key), model->present[i]);
        model->count -= model->present[i];
        model->present[i] = false;
        break;
    default: {
        const uint64_t *found = map_get(map, key);
        assert_int_equal(found != NULL, model->present[i]);
    }
    }
}

static void test_map_traces(void **state) {
    for (unsigned seed = 0; seed < 40; seed++) {
        struct random random = {seed};
        struct map map = {0};
        struct model model = {0};
        unsigned spread = seed % 4;
        for (unsigned step = 0; step < 3000; step++) {
            one_step(&map, &model, spread, &random);
            if (step % 100 == 0) check_all(&map, &model, spread);
            if (step == 1500 && seed % 2) {
                map_clear(&map);
                model = (struct model){0};
            }
        }
        check_all(&map, &model, spread);
        map_free(&map);
        assert_int_equal(mem_in_use(), 0);
    }
}

static void test_map_empty(void **state) {
    struct map map = {0};
    assert_null(map_get(&map, 1));
    assert_false(map_remove(&map, 1));
    map_clear(&map);
    map_free(&map);
    assert_int_equal(mem_in_use(), 0);
}

static void test_vec_traces(void **state) {
    for (unsigned seed = 0; seed < 20; seed++) {
        struct random random = {seed};
        vec(uint32_t) v = {0};
        static uint32_t model[5000];
        uint32_t count = 0;
        for (unsigned step = 0; step < 5000; step++) {
            if (count && random_below(&random, 3) == 0) {
                assert_int_equal(*vec_last(&v), model[count - 1]);
                assert_int_equal(vec_pop(&v), model[--count]);
            } else {
                uint32_t item = (uint32_t)random_next(&random);
                vec_push(&v, item);
                model[count++] = item;
            }
            assert_int_equal(v.count, count);
            assert_true(v.capacity >= v.count);
        }
        uint32_t i = 0;
        vec_each (uint32_t, item, &v) assert_int_equal(*item, model[i++]);
        assert_int_equal(i, count);
        vec_reserve(&v, 10000);
        assert_true(v.capacity >= count + 10000);
        vec_free(&v);
        assert_int_equal(mem_in_use(), 0);
    }
}

static void test_random(void **state) {
    struct random a = {7}, b = {7}, c = {8};
    unsigned same = 0, hits[10] = {0};
    for (int i = 0; i < 100; i++) {
        uint64_t x = random_next(&a);
        assert_int_equal(x, random_next(&b)); // the same seed, the same run
        same += x == random_next(&c);
    }
    assert_int_equal(same, 0);
    for (int i = 0; i < 10000; i++) {
        uint64_t x = random_below(&a, 10);
        assert_true(x < 10);
        hits[x]++;
    }
    for (int i = 0; i < 10; i++) assert_true(hits[i] > 800 && hits[i] < 1200);
    assert_int_equal(random_below(&a, 1), 0);
}

static void test_hash_bytes(void **state) {
    char bytes[40] = "0123456789abcdefghijklmnopqrstuvwxyz";
    for (size_t size = 0; size < 36; size++) {
        assert_int_equal(hash_bytes(bytes, size, 1), hash_bytes(bytes, size, 1));
        assert_true(hash_bytes(bytes, size, 1) != hash_bytes(bytes, size, 2));
        assert_true(hash_bytes(bytes, size, 1) != hash_bytes(bytes, size + 1, 1));
        for (size_t i = 0; i < size; i++) { // every byte counts
            uint64_t before = hash_bytes(bytes, size, 1);
            bytes[i] ^= 1;
            assert_true(hash_bytes(bytes, size, 1) != before);
            bytes[i] ^= 1;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_traces), cmocka_unit_test(test_map_empty),
        cmocka_unit_test(test_vec_traces), cmocka_unit_test(test_random),
        cmocka_unit_test(test_hash_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
