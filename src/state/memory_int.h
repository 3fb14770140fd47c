// The tree of pages, for the files of this folder that change it.
#ifndef TAMAR_STATE_MEMORY_INT_H
#define TAMAR_STATE_MEMORY_INT_H

#include "state/memory.h"

// The tree: the root has 2^ROOT_BITS children, the inner levels 2^NODE_BITS each; the children of the last
// level are pages. A node is shared when its reference count is above one: then everything below it is shared
// too, whatever the counts there say.
#define NODE_BITS  6
#define NODE_COUNT (1u << NODE_BITS)
#define LEVELS     ((ADDRESS_BITS - PAGE_BITS) / NODE_BITS) // below the root
#define ROOT_BITS  (ADDRESS_BITS - PAGE_BITS - LEVELS * NODE_BITS)
#define ROOT_COUNT (1u << ROOT_BITS)

struct memory_node {
    uint32_t references, count;
    uint32_t epoch;   // epoch of the last traversal of terms
    uint64_t present; // bit i: children[i] is not NULL. Set by memory_set_child
    void *children[]; // nodes, on the last level pages
};
_Static_assert(NODE_COUNT <= 64 && ROOT_COUNT <= 64, "a node's children are bits of a word");

struct memory_node *memory_new_node(uint32_t count);
// Replaces a child of a node that its memory owns; the caller counts the references.
static inline void memory_set_child(struct memory_node *node, uint32_t i, void *child) {
    assert(i < node->count && node->references == 1);
    node->children[i] = child;
    node->present = (node->present & ~(1ull << i)) | (uint64_t)(child != NULL) << i;
}
// Makes the node that *link points to exclusive to this memory, by a copy if it is shared. Its children stay shared.
// Returns the node.
struct memory_node *memory_own_node(struct memory_node **link, unsigned level);
// Returns the address of the pointer to child `i`, a node of the next level; makes the child if absent.
struct memory_node **memory_child_link(struct memory_node *node, uint32_t i);
void memory_release_node(struct memory_node *node, unsigned level);

struct page *memory_new_page(uint8_t shadow);
struct page *memory_copy_page(const struct page *page);
void memory_release_page(struct page *page);
void memory_release_block(struct term_block *block);

// Bytes covered by one child of a node of this level.
static inline uint64_t memory_span(unsigned level) {
    return (uint64_t)1 << (PAGE_BITS + NODE_BITS * (LEVELS - level));
}
static inline uint32_t memory_child_index(uint64_t address, unsigned level) {
    return (uint32_t)(address / memory_span(level)) & (level ? NODE_COUNT - 1 : ROOT_COUNT - 1);
}

#endif
