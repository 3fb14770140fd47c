#include "run/test_names.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DECISIONS (16u << 20) // most decisions of all tests together: 64 MB

struct name {
    uint32_t number, environment, outcome, survived, count;
    uint64_t first; // index of its first decision
    const uint32_t *decisions;
};

struct test_names {
    vec(struct name) names;
    vec(uint32_t) decisions;
    vec(uint32_t) numbers;
    bool too_many;
};

struct test_names *test_names_new(void) { return NEW(struct test_names); }

void test_names_free(struct test_names *names) {
    if (!names) return;
    vec_free(&names->names);
    vec_free(&names->decisions);
    vec_free(&names->numbers);
    DELETE(names);
}

void test_names_add(struct test_names *names, const struct test_case *test) {
    names->too_many |= (uint64_t)names->decisions.count + test->decision_count > MOST_DECISIONS;
    if (names->too_many) return;
    struct name name = {.number = test->number,
                        .environment = test->environment,
                        .outcome = test->outcome,
                        .survived = test->survived,
                        .count = test->decision_count,
                        .first = names->decisions.count};
    vec_push(&names->names, name);
    vec_reserve(&names->decisions, test->decision_count);
    if (test->decision_count)
        memcpy(names->decisions.at + names->decisions.count, test->decisions,
               test->decision_count * sizeof *test->decisions);
    names->decisions.count += test->decision_count;
}

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int by_path(const void *a, const void *b) {
    const struct name *x = a, *y = b;
    // The path that reaches a target first depends on time: it must not change the names of the other tests.
    int order = compare(x->outcome == TEST_REACHED, y->outcome == TEST_REACHED);
    if (!order) order = compare(x->environment, y->environment);
    for (uint32_t i = 0; !order && i < x->count && i < y->count; i++)
        order = compare(x->decisions[i], y->decisions[i]);
    if (!order) order = compare(x->count, y->count);
    if (!order) order = compare(x->outcome, y->outcome);
    if (!order) order = compare(x->survived, y->survived);
    return order ? order : compare(x->number, y->number);
}

const uint32_t *test_names_order(struct test_names *names, uint32_t *count) {
    *count = names->names.count;
    if (names->too_many || !*count) return NULL;
    vec_each (struct name, name, &names->names) name->decisions = names->decisions.at + name->first;
    qsort(names->names.at, *count, sizeof *names->names.at, by_path);
    vec_clear(&names->numbers);
    for (uint32_t i = 0; i <= *count; i++) vec_push(&names->numbers, 0);
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t number = names->names.at[i].number;
        if (!number || number > *count || names->numbers.at[number]) return NULL;
        names->numbers.at[number] = i + 1;
    }
    return names->numbers.at;
}
