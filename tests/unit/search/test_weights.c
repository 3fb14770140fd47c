// The tree of sums against a list of weights that is scanned.
#include "../check.h"

#include "base/random.h"
#include "search/weights.h"

enum { STATES = 40, STEPS = 400 };

static struct state states[STATES];

// The states in the order of the leaves: a removed one is replaced by the last one.
struct model {
    uint32_t order[STATES], count;
    uint64_t weights[STATES];
};

static uint32_t place_of(const struct model *model, uint32_t number) {
    uint32_t i = 0;
    while (i < model->count && model->order[i] != number) i++;
    return i;
}

static const struct state *draw(const struct model *model, struct random random) {
    uint64_t total = 0, before = 0;
    for (uint32_t i = 0; i < model->count; i++) total += model->weights[model->order[i]];
    uint64_t at = random_below(&random, total);
    for (uint32_t i = 0;; i++) {
        before += model->weights[model->order[i]];
        if (at < before) return &states[model->order[i]];
    }
}

static uint64_t some_weight(struct random *random) {
    uint64_t most = random_below(random, 4) ? 5 : (uint64_t)1 << 32;
    return 1 + random_below(random, most);
}

static void change(struct weights *weights, struct model *model, struct random *random) {
    uint32_t number = (uint32_t)random_below(random, STATES), i = place_of(model, number);
    if (i == model->count) {
        model->order[model->count++] = number;
        model->weights[number] = some_weight(random);
        weights_add(weights, &states[number], model->weights[number]);
    } else if (random_below(random, 2)) {
        model->weights[number] = some_weight(random);
        weights_set(weights, &states[number], model->weights[number]);
    } else {
        model->order[i] = model->order[--model->count];
        weights_remove(weights, &states[number]);
    }
}

static void test_draws(void **unused) {
    for (uint32_t i = 0; i < STATES; i++) states[i].number = 1000 + 7 * i;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct random random = {seed};
        struct weights weights = {0};
        struct model model = {.count = 0};
        for (unsigned step = 0; step < STEPS; step++) {
            change(&weights, &model, &random);
            for (unsigned k = 0; k < 5 && model.count; k++) {
                const struct state *expected = draw(&model, random);
                assert_ptr_equal(weights_draw(&weights, &random), expected);
            }
        }
        weights_free(&weights);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_draws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
