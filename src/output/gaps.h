// Coverage gaps and their reasons: sides of branches that were reached but not taken, functions that were never called,
// and lines before which every path ended. All other uncovered code comes after one of these.
#ifndef TAMAR_GAPS_H
#define TAMAR_GAPS_H

#include "cover/cover.h"

struct arena;
struct incompleteness;
struct text;

// REASON(NAME, name in results, text for the user).
#define GAP_REASONS(REASON)                                                                                  \
    REASON(WAITING, "waiting", "a path was waiting here when the run ended")                                 \
    REASON(NOT_TRIED, "not-tried", "not tried before the run ended")                                         \
    REASON(INFEASIBLE, "infeasible", "infeasible here: no value of these inputs gets there")                 \
    REASON(AFTER_BUG, "after-bug",                                                                           \
           "infeasible here unless a bug comes first: fix the reported bugs, then run again")                \
    REASON(REFUTED, "refuted",                                                                               \
           "infeasible on every path that was explored; a path that was given up might get there")           \
    REASON(GIVEN_UP, "given-up", "given up: a path to it was left out, or could not be followed")            \
    REASON(FAILURE, "failure", "needs a call to fail: --fail N lets calls fail, in each way they can")       \
    REASON(SUCCESS, "success",                                                                               \
           "needs a call to succeed: the file, connection or resource that it asks for must exist")          \
    REASON(ASSERTION, "assertion", "assertions that did not fail: no test is missing")                       \
    REASON(MORE_INPUT, "more-input", "depends on no symbolic input: more symbolic input may help")           \
    REASON(                                                                                                  \
        UNDECIDED, "undecided",                                                                              \
        "depends on no symbolic input: more symbolic input, or a path that was given up, might get there")   \
    REASON(ENDED, "ended", "every path ended or left before it: a bug, an exit, a jump or a wait")           \
    REASON(NOT_CALLED, "not-called", "functions that no path called")

enum gap_reason {
#define REASON(name, text, help) GAP_##name,
    GAP_REASONS(REASON)
#undef REASON
        GAP_REASON_COUNT
};
extern const char *const gap_reason_names[];
extern const char *const gap_reason_helps[];

struct gap {
    enum gap_reason reason;
    const char *file;
    uint32_t line, column;
    const char *function; // a function that was never called, or NULL
    uint32_t side, sides; // the side's number; the number of sides, 0: the gap is not a side of a branch
    uint32_t to;          // the line that the side leads to; 0: not known
};

struct gaps {
    const struct gap *at; // sorted by file and line
    uint32_t count;
    uint32_t by_reason[GAP_REASON_COUNT];
};

// Facts about the run besides its coverage.
struct gap_facts {
    bool left;               // paths were left unexplored
    const uint8_t *deferred; // per block: a state is pending at the branch that ends it; NULL: none
    const struct incompleteness *given_up;
    uint32_t given_up_count;
    const uint8_t *after_bug; // per block: it may be executed after a reported bug; NULL: there is no bug
};

// Returns the gaps, allocated in the arena.
struct gaps gaps_find(struct arena *arena, const struct cover *cover, const struct gap_facts *facts);
// Appends "never goes to line 12" or "case 2 never taken".
void gap_add_side(struct text *to, const struct gap *gap);

#endif
