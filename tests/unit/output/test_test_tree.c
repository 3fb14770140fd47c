// The tree of the tests against sets of tests with a common prefix, which a naive recursion divides.
#include "../check.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/random.h"
#include "output/test_tree.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TESTS = 4000, MOST_DECISIONS = 12, FIELDS = 8 };
enum field { PARENT, BEFORE, COMMON, VALUE, TESTS, BUGS, NUMBER, OPEN };

static uint32_t decisions[MOST_TESTS][MOST_DECISIONS];
static struct page_test tests[MOST_TESTS];

struct tree {
    int64_t (*nodes)[FIELDS];
    uint32_t count, open;
};

// The members of a node, in the order of their decisions, then of their numbers.
static int by_decisions(const void *a, const void *b) {
    const struct page_test *x = *(struct page_test *const *)a, *y = *(struct page_test *const *)b;
    for (uint32_t i = 0; i < x->decision_count && i < y->decision_count; i++)
        if (x->decisions[i] != y->decisions[i]) return x->decisions[i] < y->decisions[i] ? -1 : 1;
    if (x->decision_count != y->decision_count) return x->decision_count < y->decision_count ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static uint32_t common_prefix(struct page_test *const *members, uint32_t count) {
    for (uint32_t length = 0;; length++)
        for (uint32_t i = 0; i < count; i++)
            if (length == members[i]->decision_count ||
                members[i]->decisions[length] != members[0]->decisions[length])
                return length;
}

static bool together(const struct page_test *a, const struct page_test *b, uint32_t common) {
    return a->decision_count > common && b->decision_count > common &&
           a->decisions[common] == b->decisions[common];
}

static void check_node(struct tree *tree, uint32_t index, struct page_test **members, uint32_t count,
                       uint32_t before) {
    const int64_t *node = tree->nodes[index];
    uint32_t common = common_prefix(members, count), bugs = 0, next = index + 1;
    for (uint32_t i = 0; i < count; i++) bugs += members[i]->bug;
    assert_int_equal(node[BEFORE], before);
    assert_int_equal(node[COMMON], common);
    assert_int_equal(node[VALUE], before < members[0]->decision_count ? members[0]->decisions[before] : 0);
    assert_int_equal(node[TESTS], count);
    assert_int_equal(node[BUGS], bugs);
    assert_int_equal(node[NUMBER], members[0]->number);
    if (node[OPEN]) {
        assert_true(count > 1);
        tree->open++;
    }
    for (uint32_t i = 0, end; i < count && count > 1 && !node[OPEN]; i = end) {
        for (end = i + 1; end < count && together(members[i], members[end], common);) end++;
        while (next < tree->count && tree->nodes[next][PARENT] != index) next++;
        assert_true(next < tree->count);
        check_node(tree, next++, members + i, end - i, common);
    }
    for (; next < tree->count; next++)
        assert_int_not_equal(tree->nodes[next][PARENT], index); // no more children
}

// The printed tree of the tests: its nodes, and how many of them stand for a subtree.
static struct tree check_tree(uint32_t count) {
    static int64_t nodes[2 * MOST_TESTS][FIELDS];
    static struct page_test *members[MOST_TESTS];
    struct tree tree = {.nodes = nodes};
    struct text text = {0};
    struct json json = {.to = &text};
    struct arena *arena = arena_new();
    const char *error;
    size_t place;
    json_open(&json, '{');
    test_tree_add_json(&json, tests, count);
    json_close(&json, '}');
    const struct json_value *list = json_get(json_parse(arena, text.at, text.count, &error, &place), "tree");
    json_each(node, list) {
        unsigned field = 0;
        assert_int_equal(node->count, FIELDS);
        json_each(value, node) nodes[tree.count][field++] = strtoll(value->text, NULL, 10);
        tree.count++;
    }
    for (uint32_t i = 0; i < count; i++) members[i] = &tests[i];
    qsort(members, count, sizeof *members, by_decisions);
    if (count) {
        assert_int_equal(nodes[0][PARENT], -1);
        check_node(&tree, 0, members, count, 0);
    }
    arena_free(arena);
    text_free(&text);
    return tree;
}

static void make_tests(struct random *random, uint32_t count, uint32_t values) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = (uint32_t)random_below(random, MOST_DECISIONS + 1);
        for (uint32_t k = 0; k < length; k++) decisions[i][k] = (uint32_t)random_below(random, values);
        tests[i] = (struct page_test){i + 1, random_below(random, 3) == 0, decisions[i], length};
    }
}

static void test_small(void **state) {
    struct random random = {4};
    assert_int_equal(check_tree(0).count, 0);
    for (uint32_t round = 0; round < 400; round++) {
        uint32_t count = 1 + round % 40;
        make_tests(&random, count, 1 + (uint32_t)random_below(&random, 4));
        assert_int_equal(check_tree(count).open, 0);
    }
}

// Beyond the limit of nodes some stand for their subtrees; the largest ones are expanded first.
static void test_large(void **state) {
    struct random random = {7};
    make_tests(&random, MOST_TESTS, 3);
    struct tree tree = check_tree(MOST_TESTS);
    int64_t unexpanded = 0, expanded = MOST_TESTS;
    assert_true(tree.count >= 1500 && tree.count < 1500 + MOST_TESTS / 8 && tree.open > 0);
    for (uint32_t i = 0; i < tree.count; i++) {
        const int64_t *node = tree.nodes[i];
        if (node[OPEN])
            unexpanded = MAX(unexpanded, node[TESTS]);
        else if (node[TESTS] > 1)
            expanded = MIN(expanded, node[TESTS]);
    }
    assert_true(unexpanded <= expanded);
}

int main(void) {
    const struct CMUnitTest tests_[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests_, NULL, NULL);
}
