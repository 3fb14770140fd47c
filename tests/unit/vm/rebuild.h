// Rebuilds a state from its decisions, as a resumed run does (explore/resume.c), and a finished path in another VM.
#ifndef TAMAR_TEST_REBUILD_H
#define TAMAR_TEST_REBUILD_H

#include "walk.h"

// Rebuilds a state of the walk and compares it with itself, both brought to the next decision. NULL, or what is wrong.
const char *rebuild_state(struct walk *walk, struct state *state);
// Follows a finished path in a machine with a solver of its own: it ends in the same way, as the same state.
const char *follow_path(struct walk *walk, const struct finished *path);
// Follows the decisions of a finished path with some words changed: the path may end in any way, as with the
// decisions of another program, but it ends, and the machine can be closed. NULL, or what is wrong.
const char *follow_damaged(struct walk *walk, const struct finished *path);

#endif
