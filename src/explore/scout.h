// A scout runs inputs concretely, with the run's checks (except uninit), to see which are worth following
// symbolically. A concrete run takes about a hundredth of the cost. The scout's coverage is separate from the
// exploration's.
#ifndef TAMAR_EXPLORE_SCOUT_H
#define TAMAR_EXPLORE_SCOUT_H

#include "explore/explore.h"

struct scout;

enum scout_end {
    SCOUT_ENDED, // the program exited, or was ended by a signal that it sent itself
    SCOUT_BUG,   // bug of kind `kind` at `file`, `line`
    SCOUT_LOST,  // needs something that is not modelled, or violates an assumption
    SCOUT_CUT,   // takes too long or too much memory, or the run is over
};

struct scouted {
    enum scout_end end;
    // Edges and functions of user code that were new to the scout and to the caller's coverage.
    uint32_t fresh;
    uint64_t instructions; // executed
    enum bug_kind kind;
    const char *file, *function; // location in the program; "" if not known
    uint32_t line;
    uint64_t bug; // hash of kind and location of the bug; 0: none
    bool is_new_bug;
};

// The program and all that the options point to must outlive it.
struct scout *scout_new(const struct ir_program *program, const struct explore_options *options);
void scout_free(struct scout *scout);
// Runs the program on the test's inputs, in the environment that the test names. `edges`, `functions`: one byte
// each (numbered as in cover/cover.h); not 0: covered already.
void scout_run(struct scout *scout, const struct test_case *test, const uint8_t *edges,
               const uint8_t *functions, struct scouted *scouted);
// Returns the newly covered items of the last run.
const uint32_t *scout_fresh(const struct scout *scout, uint32_t *count);
// With `each`, the scout's coverage is cleared before each run: `fresh` is then the whole coverage of an input.
void scout_forget_each(struct scout *scout, bool each);

#endif
