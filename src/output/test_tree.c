#include "output/test_tree.h"

#include "base/json.h"

#include <stdlib.h>

#define MOST_NODES 1500u // enough for a picture; there may be more tests

// A range of the sorted tests. They agree on their first `common` decisions.
struct test_tree_node {
    int32_t parent;
    uint32_t first, end, before, common;
    bool open; // the subtree is not expanded
};

typedef vec(struct test_tree_node) node_list;

static int by_decisions(const void *a, const void *b) {
    const struct page_test *x = a, *y = b;
    uint32_t count = MIN(x->decision_count, y->decision_count);
    for (uint32_t i = 0; i < count; i++)
        if (x->decisions[i] != y->decisions[i]) return x->decisions[i] < y->decisions[i] ? -1 : 1;
    if (x->decision_count != y->decision_count) return x->decision_count < y->decision_count ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void add_node(node_list *nodes, const struct page_test *tests, int32_t parent, uint32_t first,
                     uint32_t end, uint32_t before) {
    const struct page_test *a = &tests[first],
                           *b = &tests[end - 1]; // the tests are sorted: no two of them diverge earlier
    uint32_t common = before, most = MIN(a->decision_count, b->decision_count);
    while (common < most && a->decisions[common] == b->decisions[common]) common++;
    struct test_tree_node node = {parent, first, end, before, common, end - first > 1};
    vec_push(nodes, node);
}

// Expands a node. Tests that end where others continue come first, each as its own child.
static void expand(node_list *nodes, const struct page_test *tests, uint32_t index) {
    struct test_tree_node node = nodes->at[index];
    nodes->at[index].open = false;
    for (uint32_t i = node.first; i < node.end;) {
        uint32_t end = i + 1;
        if (tests[i].decision_count > node.common)
            while (end < node.end && tests[end].decisions[node.common] == tests[i].decisions[node.common])
                end++;
        add_node(nodes, tests, (int32_t)index, i, end, node.common);
        i = end;
    }
}

static uint32_t largest_open(const node_list *nodes) {
    uint32_t best = UINT32_MAX, size = 0;
    for (uint32_t i = 0; i < nodes->count; i++)
        if (nodes->at[i].open && nodes->at[i].end - nodes->at[i].first > size)
            best = i, size = nodes->at[i].end - nodes->at[i].first;
    return best;
}

void test_tree_add_json(struct json *json, struct page_test *tests, uint32_t count) {
    node_list nodes = {0};
    if (count) {
        qsort(tests, count, sizeof *tests, by_decisions);
        add_node(&nodes, tests, -1, 0, count, 0);
    }
    for (uint32_t next; nodes.count < MOST_NODES && (next = largest_open(&nodes)) != UINT32_MAX;)
        expand(&nodes, tests, next);
    json_key(json, "tree");
    json_open(json, '[');
    vec_each (struct test_tree_node, node, &nodes) {
        const struct page_test *test = &tests[node->first];
        uint32_t bugs = 0;
        for (uint32_t i = node->first; i < node->end; i++) bugs += tests[i].bug;
        json_open(json, '[');
        json_integer(json, node->parent);
        json_number(json, node->before);
        json_number(json, node->common);
        json_number(json, node->before < test->decision_count ? test->decisions[node->before] : 0);
        json_number(json, node->end - node->first);
        json_number(json, bugs);
        json_number(json, test->number);
        json_number(json, node->open);
        json_close(json, ']');
    }
    json_close(json, ']');
    vec_free(&nodes);
}
