#include "base/tree.h"

#include "base/alloc.h"

#include <string.h>

// A radix tree of fan-out 16. A leaf's entries are values, an inner node's are nodes. References are counted
// per node; a node with one reference, reached through nodes with one reference, may be changed in place.
#define BITS   4
#define FANOUT (1u << BITS)
#define HEIGHT ((32 + BITS - 1) / BITS - 1) // height of a tree that can hold every key

struct tree_node {
    uint64_t references;
    union {
        struct tree_node *child;
        uint64_t value;
    } entry[FANOUT];
};

static unsigned index_at(uint32_t key, unsigned height) { return key >> (BITS * height) & (FANOUT - 1); }

static bool fits(const struct tree *tree, uint32_t key) {
    return tree->height >= HEIGHT || key >> (BITS * (tree->height + 1)) == 0;
}

uint64_t tree_get(const struct tree *tree, uint32_t key) {
    const struct tree_node *node = tree->root;
    if (!node || !fits(tree, key)) return 0;
    for (unsigned height = tree->height; height > 0; height--) {
        node = node->entry[index_at(key, height)].child;
        if (!node) return 0;
    }
    return node->entry[index_at(key, 0)].value;
}

static struct tree_node *new_node(void) {
    struct tree_node *node = NEW(struct tree_node);
    node->references = 1;
    return node;
}

// Returns a node that may be changed in place: `node` itself, or a copy if it is shared. Takes over the caller's
// reference to `node`, which may be NULL (empty).
static struct tree_node *own(struct tree_node *node, unsigned height, void (*share)(uint64_t)) {
    if (!node) return new_node();
    if (node->references == 1) return node;
    struct tree_node *copy = mem_alloc(sizeof *copy);
    *copy = *node;
    copy->references = 1;
    node->references--;
    for (unsigned i = 0; i < FANOUT; i++) {
        if (height && copy->entry[i].child)
            copy->entry[i].child->references++;
        else if (!height && share && copy->entry[i].value)
            share(copy->entry[i].value);
    }
    return copy;
}

void tree_put(struct tree *tree, uint32_t key, uint64_t value, void (*share)(uint64_t)) {
    if (!tree->root) tree->height = 0;
    while (!fits(tree, key)) {
        if (tree->root) {
            struct tree_node *root = new_node();
            root->entry[0].child = tree->root;
            tree->root = root;
        }
        tree->height++;
    }
    struct tree_node **place = &tree->root;
    for (unsigned height = tree->height;; height--) {
        struct tree_node *node = *place = own(*place, height, share);
        if (height == 0) {
            node->entry[index_at(key, 0)].value = value;
            return;
        }
        place = &node->entry[index_at(key, height)].child;
    }
}

struct tree tree_copy(const struct tree *tree) {
    if (tree->root) tree->root->references++;
    return *tree;
}

static void drop_node(struct tree_node *node, unsigned height, void (*drop)(uint64_t)) {
    if (!node || --node->references) return;
    for (unsigned i = 0; i < FANOUT; i++) {
        if (height)
            drop_node(node->entry[i].child, height - 1, drop);
        else if (drop && node->entry[i].value)
            drop(node->entry[i].value);
    }
    DELETE(node);
}

void tree_free(struct tree *tree, void (*drop)(uint64_t)) {
    drop_node(tree->root, tree->height, drop);
    *tree = (struct tree){0};
}

static void visit_node(const struct tree_node *node, unsigned height, uint32_t prefix,
                       void (*visit)(void *, uint32_t, uint64_t), void *context) {
    for (unsigned i = 0; i < FANOUT; i++) {
        uint32_t key = prefix << BITS | i;
        if (height && node->entry[i].child)
            visit_node(node->entry[i].child, height - 1, key, visit, context);
        else if (!height && node->entry[i].value)
            visit(context, key, node->entry[i].value);
    }
}

void tree_each(const struct tree *tree, void (*visit)(void *, uint32_t, uint64_t), void *context) {
    if (tree->root) visit_node(tree->root, tree->height, 0, visit, context);
}
