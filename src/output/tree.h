// The execution tree that the tests span: a path is its list of decisions, and tests share the beginnings. Where
// nothing parts, a run of decisions is one edge; where it gets too large, a node stands for all below it.
#ifndef TAMAR_TREE_H
#define TAMAR_TREE_H

#include "output/page.h"

struct json;

// "tree": a list of nodes, each behind its parent: [parent or -1, decisions before it, decisions up to where it
// parts, the value of its first decision, tests, bugs, a test, 1 when children were left out]. Sorts the tests.
void tree_add_json(struct json *json, struct page_test *tests, uint32_t count);

#endif
