// A scout: runs inputs concretely, with every check on, to see whether one is worth following symbolically. It costs a hundredth
// of that. What the scout covers counts for the scout alone: the exploration covers what its own states have taken.
#ifndef TAMAR_EXPLORE_SCOUT_H
#define TAMAR_EXPLORE_SCOUT_H

#include "explore/explore.h"

struct scout;

enum scout_end {
    SCOUT_ENDED, // by itself, or by a signal that the program sent itself
    SCOUT_BUG,   // with `kind` at file, line
    SCOUT_LOST,  // what it needs is not modelled, or an assumption does not hold
    SCOUT_CUT,   // too long, or the run is over
};

struct scouted {
    enum scout_end end;
    uint32_t
        fresh; // edges and functions of the program's own source that neither the scout nor `covered` had
    uint64_t instructions; // executed
    enum bug_kind kind;
    const char *file, *function; // of the program; "" where not known
    uint32_t line;
    uint64_t bug; // the same for bugs of the same kind at the same place, else 0
    bool is_new_bug;
};

// The program and what the options point to must outlive it.
struct scout *scout_new(const struct ir_program *program, const struct explore_options *options);
void scout_free(struct scout *scout);
// Runs the program with the test's inputs, in the environment that the test names. `covered`: per edge, then per function, as
// cover/cover.h numbers them, not 0: known.
void scout_run(struct scout *scout, const struct test_case *test, const uint8_t *edges,
               const uint8_t *functions, struct scouted *scouted);
// Items of the last run that counted as fresh.
const uint32_t *scout_fresh(const struct scout *scout, uint32_t *count);
// All that the last run took, fresh or not, is forgotten before the next one if `each` is set: then `fresh` is the whole coverage
// of an input.
void scout_forget_each(struct scout *scout, bool each);

#endif
