// `tamar regress`: finds the effects of the changes between two versions of a program.
//
// The difference (regress_changes.c) becomes a set of source locations of the program. A run with the strategy `oasis`
// starts from the seeds. Its tests are then run on both versions (regress_compare.c), and the results are written as
// Markdown and as JSON (regress_report.c).
#ifndef TAMAR_REGRESS_REGRESS_H
#define TAMAR_REGRESS_REGRESS_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "explore/explore.h"
#include "front/front.h"
#include "message/finding.h"
#include "regress/diff.h"

// A changed line that has code.
struct changed_line {
    const char *file; // path, as the program names it
    const char *name; // name in reports, relative to the current directory
    uint32_t line;
    const char *source; // without the spaces around it; NULL: cannot be read
    uint32_t test;      // number of the first test that executes it; 0: none
    bool differs;       // a test that executes it behaves differently
};

// The outcome of a test on one version.
struct behaviour {
    const char *end;      // "exit 0", "assert at x.c:17"
    const char *natively; // "exit 0", "signal 8"
    struct text output;   // standard output, then standard error
    bool bug;
};

struct regress_test {
    uint32_t number;
    uint32_t seed;     // number of the seed whose path the test follows (from 1); 0: none
    uint8_t forked_by; // set of enum choice_class: the branch at which its path was forked
    uint32_t line;     // source line of that branch; 0: none
    uint32_t bug;      // number of the bug at the end of its path; 0: none
    bool compared, differs, unstable;
    bool ignored; // the bug is a known report (--ignore)
    bool output_differs;
    const char *input; // text of the input, as printed in reports
    size_t input_size;
    struct behaviour old, now;
};

struct regress {
    struct arena *arena;
    const char *version;                                // version of Tamar
    const char *since, *tree, *diff_file, *old_program; // values of the options; NULL: not given
    const char *const *words;                           // the words of the command line that name the program
    uint32_t word_count;
    bool compare, json;
    const struct ir_program *program;
    struct diff diff;
    uint8_t *changed, *code; // per location: its line has changed; it is in user code
    vec(struct changed_line) lines;
    uint32_t changed_count; // lines of the program's files that have changed, with code or without
    vec(struct regress_test) tests;
    const char *not_compared; // the reason; NULL: the versions were compared
    struct explore_result result;
    uint64_t queries, cached; // number of queries; number answered from the cache
    uint32_t seed_count;
};

// Finds the changed lines of the program. Returns false if an error has been reported.
bool regress_find_changes(struct regress *regress, const struct ir_program *program);
// Runs a command in a folder (NULL: the current one) and collects its output. Returns its exit status; 127: it cannot
// be run.
int regress_capture(const char *const *words, const char *folder, struct text *output, struct text *errors);

// Returns a text such as "div-by-zero at x.c:17".
const char *regress_bug_name(struct regress *regress, const char *kind, const struct finding_frame *place);
// Sets `old`, `now` and `differs` of the tests, and `differs` of the lines.
void regress_compare(struct regress *regress, const char *folder);

void regress_report(struct regress *regress, const char *folder);

#endif
