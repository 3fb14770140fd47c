// The execution tree of the tests: a path is its list of decisions, and paths share prefixes. Successive decisions
// without a fork are merged into one edge. In a large tree a node may stand for the whole subtree below it.
#ifndef TAMAR_OUTPUT_TEST_TREE_H
#define TAMAR_OUTPUT_TEST_TREE_H

#include "output/page.h"

struct json;

// Adds "tree": a list of nodes, each after its parent. A node is [parent or -1, decisions before it, decisions up to
// its fork, the value of its first decision, tests, bugs, a test, 1 if children were left out]. Sorts the tests.
void test_tree_add_json(struct json *json, struct page_test *tests, uint32_t count);

#endif
