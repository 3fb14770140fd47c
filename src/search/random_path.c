// Random path: a walk from the root of the execution tree, a fair coin at every fork. States high in the tree
// are picked more often, so that a loop that forks all the time does not starve the rest.
#include "base/hash.h"
#include "base/random.h"
#include "search/search_int.h"

// The tree of forks. A leaf has a state; an inner node has two children. When a state goes, its leaf and the
// node above it go too: the sibling takes that node's place, so every inner node always has two.
struct node {
    struct node *parent, *children[2];
    struct state *state; // of a leaf
};

struct random_path {
    struct strategy base;
    struct random random;
    struct node *root;
    struct map leaves; // state number -> struct node *
};

static struct strategy *new_random_path(uint64_t seed) {
    struct random_path *tree = NEW(struct random_path);
    tree->base.class = &rp_class;
    tree->random.state = seed;
    return &tree->base;
}

static void free_nodes(struct node *node) {
    while (node) { // down to a leaf, free it, and up again: no recursion over a deep tree
        unsigned side = node->children[0] ? 0 : 1;
        if (node->children[side]) {
            node = node->children[side];
            continue;
        }
        struct node *parent = node->parent;
        if (parent) parent->children[parent->children[0] == node ? 0 : 1] = NULL;
        DELETE(node);
        node = parent;
    }
}

static void free_random_path(struct strategy *strategy) {
    struct random_path *tree = (struct random_path *)strategy;
    free_nodes(tree->root);
    map_free(&tree->leaves);
    DELETE(tree);
}

static struct node *new_leaf(struct random_path *tree, struct node *parent, struct state *state) {
    struct node *leaf = NEW(struct node);
    leaf->parent = parent;
    leaf->state = state;
    *map_put(&tree->leaves, state->number) = (uint64_t)(uintptr_t)leaf;
    return leaf;
}

static struct node *leaf_of(struct random_path *tree, const struct state *state) {
    uint64_t *place = state ? map_get(&tree->leaves, state->number) : NULL;
    return place ? (struct node *)(uintptr_t)*place : NULL; // NOLINT(performance-no-int-to-ptr)
}

static void add(struct strategy *strategy, struct state *state, struct state *parent) {
    struct random_path *tree = (struct random_path *)strategy;
    struct node *place = leaf_of(tree, parent);
    if (!place) place = tree->root; // its parent is gone: a fork at the root
    if (!place) {
        tree->root = new_leaf(tree, NULL, state);
        return;
    }
    struct node *fork =
        NEW(struct node); // takes the place's position, with the place and the new leaf below it
    fork->parent = place->parent;
    if (fork->parent)
        fork->parent->children[fork->parent->children[0] == place ? 0 : 1] = fork;
    else
        tree->root = fork;
    place->parent = fork;
    fork->children[0] = place;
    fork->children[1] = new_leaf(tree, fork, state);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct random_path *tree = (struct random_path *)strategy;
    struct node *leaf = leaf_of(tree, state);
    assert(leaf && leaf->state == state);
    struct node *fork = leaf->parent;
    map_remove(&tree->leaves, state->number);
    if (!fork) {
        tree->root = NULL;
    } else {
        struct node *sibling = fork->children[fork->children[0] == leaf ? 1 : 0];
        sibling->parent = fork->parent;
        if (fork->parent)
            fork->parent->children[fork->parent->children[0] == fork ? 0 : 1] = sibling;
        else
            tree->root = sibling;
        DELETE(fork);
    }
    DELETE(leaf);
}

static struct state *pick(struct strategy *strategy) {
    struct random_path *tree = (struct random_path *)strategy;
    struct node *node = tree->root;
    uint64_t bits = 0;
    for (unsigned left = 0; !node->state; left--) {
        if (!left) {
            bits = random_next(&tree->random);
            left = 64;
        }
        node = node->children[bits & 1];
        bits >>= 1;
    }
    return node->state;
}

const struct strategy_class rp_class = {
    "rp",
    "Random path: walks down the tree of forks, a coin at each. A good start for anything that loops over "
    "its input.",
    new_random_path,
    free_random_path,
    add,
    remove_state,
    pick,
};
