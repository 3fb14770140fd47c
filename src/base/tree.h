// A persistent map from 32-bit keys to 64-bit values. Copying increments one reference count; a change copies only the
// shared nodes on one path. Absent keys have the value 0.
#ifndef TAMAR_TREE_H
#define TAMAR_TREE_H

#include "base/base.h"

struct tree_node;
struct tree {
    struct tree_node *root; // NULL: empty
    unsigned height;        // levels of nodes below the root; 0: the root is a leaf
};

uint64_t tree_get(const struct tree *tree, uint32_t key);
// Sets the value of a key. If its leaf is shared, the leaf is copied: `share` is called for each of its values
// except the one that is replaced (values may be counted references).
void tree_put(struct tree *tree, uint32_t key, uint64_t value, void (*share)(uint64_t value));
struct tree tree_copy(const struct tree *tree);
// Releases the map. `drop` is called for each value that no other copy of the map holds.
void tree_free(struct tree *tree, void (*drop)(uint64_t value));
// Calls `visit` for each value that is not 0, in the order of the keys.
void tree_each(const struct tree *tree, void (*visit)(void *context, uint32_t key, uint64_t value),
               void *context);

#endif
