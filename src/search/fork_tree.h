// The tree of forks over the states that a search holds.
//
// A leaf is a state; an inner node is a fork, with two children. When a state goes, its leaf and the node above it
// go too: the sibling takes that node's place. Several strategies ("walkers", numbered) may each hold some of the
// leaves: a node has a bit for every walker that holds something below it. A walker with a single leaf finds it
// without a walk.
#ifndef TAMAR_FORK_TREE_H
#define TAMAR_FORK_TREE_H

#include "base/random.h"
#include "state/state.h"

#define FORK_TREE_WALKERS 32u

struct fork_tree;

struct fork_tree *fork_tree_new(void);
void fork_tree_free(struct fork_tree *tree);

// What a state forks in one step, the cases of a switch for instance, is a tree of the least depth, not a chain in which the
// first case has half of the chances and the last hardly any: fork_tree_settle says that a step is over.
void fork_tree_settle(struct fork_tree *tree);
// A parent that is not in the tree (or NULL): the state's leaf is hung beside everything else.
void fork_tree_add(struct fork_tree *tree, struct state *state, const struct state *parent);
void fork_tree_remove(struct fork_tree *tree, const struct state *state); // no walker holds it

void fork_tree_take(struct fork_tree *tree, const struct state *state, uint32_t walker);
void fork_tree_drop(struct fork_tree *tree, const struct state *state, uint32_t walker);
// From the root down to a leaf that the walker holds, with a coin at each fork that has some on both sides.
// With a quantum, where one side has had so much more work than the other, it is the other's turn instead.
struct state *fork_tree_walk(struct fork_tree *tree, uint32_t walker, struct random *random,
                             uint64_t quantum);
// The state has done so much more work: it counts for all nodes above it.
void fork_tree_charge(struct fork_tree *tree, const struct state *state, uint64_t work);

#endif
