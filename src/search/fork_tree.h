// The fork tree over the states that a search holds.
//
// A leaf is a state; an inner node is a fork, with two children. When a state is removed, its leaf and the
// node above it are removed too: the sibling replaces that node. Each of several strategies ("walkers", numbered)
// may hold some of the leaves: a node has a bit for every walker that holds a leaf below it. A walker that holds
// a single leaf finds it without a walk.
#ifndef TAMAR_FORK_TREE_H
#define TAMAR_FORK_TREE_H

#include "base/random.h"
#include "state/state.h"

#define FORK_TREE_WALKERS 32u

struct fork_tree;

struct fork_tree *fork_tree_new(void);
void fork_tree_free(struct fork_tree *tree);

// Ends a step. States forked in one step (the cases of a switch) form a balanced subtree, so that random path
// picks each with about the same probability.
void fork_tree_end_step(struct fork_tree *tree);
// Adds a leaf beside the parent's leaf. If the parent is NULL or not in the tree, the leaf becomes a sibling of
// the root.
void fork_tree_add(struct fork_tree *tree, struct state *state, const struct state *parent);
void fork_tree_remove(struct fork_tree *tree, const struct state *state); // no walker may hold it

void fork_tree_take(struct fork_tree *tree, const struct state *state, uint32_t walker);
void fork_tree_drop(struct fork_tree *tree, const struct state *state, uint32_t walker);
// Walks from the root to a leaf that the walker holds. At a fork with such leaves on both sides a fair coin
// decides. If `quantum` is not 0, the side with less work is taken when the difference exceeds the quantum.
struct state *fork_tree_walk(struct fork_tree *tree, uint32_t walker, struct random *random,
                             uint64_t quantum);
// Adds work to the state's leaf and to all nodes above it.
void fork_tree_charge(struct fork_tree *tree, const struct state *state, uint64_t work);

#endif
