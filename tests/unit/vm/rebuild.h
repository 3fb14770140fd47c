// Rebuilds a state from its decisions, as a resumed run does (explore/resume.c), and a finished path in another VM.
#ifndef TAMAR_TEST_REBUILD_H
#define TAMAR_TEST_REBUILD_H

#include "walk.h"

// Rebuilds a state of the walk, runs the copy and the original to the next decision, and compares them. Returns an
// error message, or NULL.
const char *rebuild_state(struct walk *walk, struct state *state);
// Follows a finished path in another VM with its own solver: the path must end in the same way, in an equal state.
const char *follow_path(struct walk *walk, const struct finished *path);
// Follows the decisions of a finished path with some words changed: the path may end in any way, as with the
// decisions of another program, but it ends, and the VM can be freed. Returns an error message, or NULL.
const char *follow_damaged(struct walk *walk, const struct finished *path);

#endif
