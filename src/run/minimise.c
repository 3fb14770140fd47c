#include "run/minimise.h"

#include "cover/cover.h"
#include "explore/scout.h"

// Coverage of an input, as bits.
struct covered {
    uint64_t *bits;
    uint64_t size; // bytes of the input
    uint32_t test;
    bool kept;
};

static uint64_t size_of(const struct test_case *test) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < test->input_count; i++) size += test->inputs[i].size;
    return size;
}

static uint32_t count_new(const uint64_t *bits, const uint64_t *known, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < words; i++) count += (uint32_t)__builtin_popcountll(bits[i] & ~known[i]);
    return count;
}

static void join(uint64_t *to, const uint64_t *from, uint32_t words) {
    for (uint32_t i = 0; i < words; i++) to[i] |= from[i];
}

// Returns the input that adds most, or NULL if no remaining input adds coverage.
static struct covered *best(struct covered *all, uint32_t count, const uint64_t *known, uint32_t words) {
    struct covered *found = NULL;
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t adds = all[i].kept ? 0 : count_new(all[i].bits, known, words);
        if (adds > most || (adds && adds == most && all[i].size < found->size)) {
            most = adds;
            found = &all[i];
        }
    }
    return found;
}

static void measure(struct scout *scout, const struct test_case *test, struct covered *covered) {
    struct scouted scouted;
    uint32_t count;
    scout_run(scout, test, NULL, NULL, &scouted);
    const uint32_t *items = scout_fresh(scout, &count);
    for (uint32_t i = 0; i < count; i++) covered->bits[items[i] / 64] |= (uint64_t)1 << items[i] % 64;
    covered->size = size_of(test);
}

void minimise(const struct ir_program *program, const struct explore_options *options,
              const struct test_case *tests, uint32_t count,
              void (*keep)(void *context, const struct test_case *test), void *context,
              struct minimised *result) {
    uint32_t words = (program->edge_count + program->function_count + 63) / 64;
    struct covered *all = NEW_ARRAY(struct covered, count + 1), *next;
    uint64_t *known = NEW_ARRAY(uint64_t, words), *whole = NEW_ARRAY(uint64_t, words);
    struct scout *scout = scout_new(program, options);
    scout_forget_each(scout, true);
    for (uint32_t i = 0; i < count; i++) {
        all[i] = (struct covered){.bits = NEW_ARRAY(uint64_t, words), .test = i};
        measure(scout, &tests[i], &all[i]);
        join(whole, all[i].bits, words);
    }
    *result = (struct minimised){.inputs = count};
    while ((next = best(all, count, known, words))) {
        next->kept = true;
        join(known, next->bits, words);
        keep(context, &tests[next->test]);
        result->kept++;
    }
    for (uint32_t i = 0; i < words; i++) {
        result->items += (uint32_t)__builtin_popcountll(whole[i]);
        result->kept_items += (uint32_t)__builtin_popcountll(known[i]);
    }
    for (uint32_t i = 0; i < count; i++) DELETE_ARRAY(all[i].bits, words);
    DELETE_ARRAY(all, count + 1);
    DELETE_ARRAY(known, words);
    DELETE_ARRAY(whole, words);
    scout_free(scout);
}
