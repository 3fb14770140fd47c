#include "search/fork_tree.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/vec.h"

struct fork_node {
    struct fork_node *parent, *children[2];
    struct state *state;    // leaves only
    uint32_t walkers;       // bits: walkers that hold a leaf here or below
    uint64_t work;          // done here and below, including states that were removed
    uint64_t deferred_work; // work that has not been added to this node and those above it yet
};

struct fork_tree {
    struct fork_node *root;
    struct map leaves; // state number -> struct fork_node *
    struct {
        uint32_t count;  // number of leaves it holds
        uintptr_t mixed; // exclusive or of its leaves: the leaf itself if there is only one
    } walkers[FORK_TREE_WALKERS];
    struct fork_node
        *deferred_leaf;          // leaf; all nodes with deferred work are on its path to the root; NULL: none
    const struct state *forking; // state that forked last, while all its leaves exist; or NULL
    vec(struct fork_node *) siblings; // leaves of `forking` and of the states that it forked in this step
};

struct fork_tree *fork_tree_new(void) { return NEW(struct fork_tree); }

static unsigned side_of(const struct fork_node *node) { return node->parent->children[0] == node ? 0 : 1; }

void fork_tree_free(struct fork_tree *tree) {
    for (struct fork_node *node = tree->root; node;) { // without recursion, since the tree may be deep
        unsigned side = node->children[0] ? 0 : 1;
        if (node->children[side]) {
            node = node->children[side];
            continue;
        }
        struct fork_node *parent = node->parent;
        if (parent) parent->children[side_of(node)] = NULL;
        DELETE(node);
        node = parent;
    }
    map_free(&tree->leaves);
    vec_free(&tree->siblings);
    DELETE(tree);
}

static struct fork_node *leaf_of(const struct fork_tree *tree, const struct state *state) {
    uint64_t *found = state ? map_get(&tree->leaves, state->number) : NULL;
    return found ? (struct fork_node *)(uintptr_t)*found : NULL; // NOLINT(performance-no-int-to-ptr)
}

// Replaces `old` by `node`.
static void replace(struct fork_tree *tree, struct fork_node *old, struct fork_node *node) {
    node->parent = old->parent;
    if (old->parent)
        old->parent->children[side_of(old)] = node;
    else
        tree->root = node;
}

void fork_tree_end_step(struct fork_tree *tree) { tree->forking = NULL; }

// Returns the leaf beside which the next leaf of this step is added: the oldest of those at the least depth.
static struct fork_node *least_deep_sibling(struct fork_tree *tree, const struct state *parent) {
    if (tree->forking != parent) {
        tree->forking = parent;
        vec_clear(&tree->siblings);
        vec_push(&tree->siblings, leaf_of(tree, parent));
    }
    uint32_t count = tree->siblings.count;
    return tree->siblings.at[count - (1u << (31 - __builtin_clz(count)))];
}

void fork_tree_add(struct fork_tree *tree, struct state *state, const struct state *parent) {
    struct fork_node *sibling = leaf_of(tree, parent), *leaf = NEW(struct fork_node);
    if (sibling) {
        sibling = least_deep_sibling(tree, parent);
        vec_push(&tree->siblings, leaf);
    }
    leaf->state = state;
    assert(!leaf_of(tree, state));
    *map_put(&tree->leaves, state->number) = (uint64_t)(uintptr_t)leaf;
    if (!sibling) sibling = tree->root;
    if (!sibling) {
        tree->root = leaf;
        return;
    }
    struct fork_node *fork =
        NEW(struct fork_node); // replaces the sibling; its children are the sibling and the new leaf
    replace(tree, sibling, fork);
    fork->walkers = sibling->walkers;
    fork->work = sibling->work;
    fork->deferred_work = sibling->deferred_work;
    sibling->work = sibling->deferred_work = 0;
    fork->children[0] = sibling;
    fork->children[1] = leaf;
    sibling->parent = leaf->parent = fork;
}

// Adds the deferred work to the nodes above. Without deferral, a state that runs for long would update the path to the
// root at every step.
static void add_deferred(struct fork_tree *tree) {
    uint64_t work = 0;
    for (struct fork_node *node = tree->deferred_leaf; node; node = node->parent) {
        work += node->deferred_work;
        node->deferred_work = 0;
        node->work += work;
    }
    tree->deferred_leaf = NULL;
}

void fork_tree_remove(struct fork_tree *tree, const struct state *state) {
    struct fork_node *leaf = leaf_of(tree, state), *fork = leaf->parent;
    add_deferred(tree);
    assert(leaf->state == state && !leaf->walkers);
    fork_tree_end_step(tree);
    map_remove(&tree->leaves, state->number);
    if (!fork) {
        tree->root = NULL;
    } else {
        struct fork_node *sibling = fork->children[1 - side_of(leaf)];
        sibling->work = fork->work;
        replace(tree, fork, sibling);
        DELETE(fork);
    }
    DELETE(leaf);
}

void fork_tree_take(struct fork_tree *tree, const struct state *state, uint32_t walker) {
    struct fork_node *leaf = leaf_of(tree, state);
    assert(leaf && walker < FORK_TREE_WALKERS && !(leaf->walkers >> walker & 1));
    tree->walkers[walker].count++;
    tree->walkers[walker].mixed ^= (uintptr_t)leaf;
    for (struct fork_node *node = leaf; node && !(node->walkers >> walker & 1); node = node->parent)
        node->walkers |= 1u << walker;
}

void fork_tree_drop(struct fork_tree *tree, const struct state *state, uint32_t walker) {
    struct fork_node *leaf = leaf_of(tree, state);
    uint32_t bit = 1u << walker;
    assert(leaf && (leaf->walkers & bit));
    tree->walkers[walker].count--;
    tree->walkers[walker].mixed ^= (uintptr_t)leaf;
    leaf->walkers &= ~bit;
    for (struct fork_node *node = leaf->parent; node; node = node->parent) {
        if ((node->children[0]->walkers | node->children[1]->walkers) & bit) break;
        node->walkers &= ~bit;
    }
}

void fork_tree_charge(struct fork_tree *tree, const struct state *state, uint64_t work) {
    struct fork_node *leaf = leaf_of(tree, state);
    if (!leaf) return;
    if (tree->deferred_leaf != leaf) add_deferred(tree);
    leaf->deferred_work += work;
    tree->deferred_leaf = leaf;
}

// Returns the side (0 or 1) that has had less work, if the difference exceeds the quantum; otherwise 2: a coin decides.
static unsigned side_with_less(const struct fork_node *node, uint64_t quantum) {
    uint64_t first = node->children[0]->work, second = node->children[1]->work;
    return first > second + quantum ? 1 : second > first + quantum ? 0 : 2;
}

struct state *fork_tree_walk(struct fork_tree *tree, uint32_t walker, struct random *random,
                             uint64_t quantum) {
    const struct fork_node *node = tree->root;
    assert(tree->walkers[walker].count && (node->walkers >> walker & 1));
    if (tree->walkers[walker].count == 1)
        return ((struct fork_node *)tree->walkers[walker].mixed)->state; // NOLINT(performance-no-int-to-ptr)
    if (quantum) add_deferred(tree);
    uint64_t bits = 0;
    for (unsigned left = 0; !node->state;) {
        bool first = node->children[0]->walkers >> walker & 1,
             second = node->children[1]->walkers >> walker & 1;
        unsigned side = first && second ? quantum ? side_with_less(node, quantum) : 2 : !first;
        if (side == 2) {
            if (!left) {
                bits = random_next(random);
                left = 64;
            }
            left--;
            side = !(bits & 1);
            bits >>= 1;
        }
        node = node->children[side];
    }
    return node->state;
}
